# octave_sparse.m - sparse systems by UMFPACK, CHOLMOD and SPQR, on grids of N points a side: argument N
# SPDX-License-Identifier: Apache-2.0
1;

# The solution's residual is as small as that of a backward stable method.
function check (name, A, x, b)
  residual = norm (A * x - b, 1) / (norm (A, 1) * norm (x, 1) + norm (b, 1));
  if (residual < 1e-13)
    word = "passed";
  else
    word = "FAILED";
    printf ("%s: relative residual %g\n", name, residual);
  endif
  printf ("verdict %s: %d unknowns, solution %s\n", name, columns (A), word);
endfunction

# Flow through a cube with N points a side: diffusion, and a wind along the first direction.
function A = flow (N, wind)
  I = speye (N);
  D = spdiags (ones (N, 1) * [-1, 2, -1], -1:1, N, N);
  W = spdiags (ones (N, 1) * [-1, 1], [-1, 1], N, N);
  A = kron (I, kron (I, D + wind * W)) + kron (I, kron (D, I)) + kron (D, kron (I, I));
endfunction

N = str2double (argv (){1});
b = 1 + mod ((1:N^3)', 7);
A = flow (N, 0.3);
check ("lu, by UMFPACK", A, A \ b, b);
[L, U, P, Q] = lu (A);
check ("lu, its factors", A, Q * (U \ (L \ (P * b))), b);
Z = A + 0.2i * speye (N^3);
check ("complex lu, by UMFPACK", Z, Z \ b, b);
S = flow (N, 0);
check ("Cholesky, by CHOLMOD", S, S \ b, b);
H = S + 0.1i * spdiags (ones (N^3, 1) * [-1, 1], [-1, 1], N^3, N^3);
check ("complex Cholesky, by CHOLMOD", H, H \ b, b);
# Least squares: the residual is orthogonal to the columns.
M = [A; S(1:N^2,:)];
c = [b; b(1:N^2)];
x = M \ c;
check ("qr, by SPQR", M' * M, x, M' * c);
