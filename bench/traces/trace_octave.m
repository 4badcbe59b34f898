# trace_octave.m - typical dense linear algebra: products, systems, factorisations, eigenvalues
# SPDX-License-Identifier: Apache-2.0
1;
rand ("state", 1);
randn ("state", 1);

# Least squares by normal equations and by QR, on tall data.
X = randn (20000, 400);
y = randn (20000, 8);
beta = (X' * X) \ (X' * y);
residual = y - X * beta;
[Q, R] = qr (X(1:4000, :), 0);

# Systems with many right sides, and what a control engineer asks of their matrices.
n = 1600;
A = randn (n) + n * eye (n);
B = randn (n);
for i = 1:4
  B = A \ B;
  B = A * B / norm (B, 1);
endfor
S = A * A';
U = chol (S);
W = U' \ B;
W = U \ W;
small = expm (A(1:300, 1:300) / n);
for i = 1:200
  small = small * small / norm (small, 1);
endfor

# Decompositions of medium size, as in a model reduction.
M = randn (800);
[P, L] = eig (M + M');
s = svd (M);
e = eig (M(1:400, 1:400));

# A power iteration of squares: the largest products.
C = randn (2400) / 50;
for i = 1:3
  C = C * C / norm (C, "fro");
endfor

printf ("octave: %d by %d\n", rows (C), columns (C));
