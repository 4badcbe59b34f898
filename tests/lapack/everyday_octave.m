% everyday_octave.m - one everyday call of Octave, and numbers that do not depend on who computes it
% SPDX-License-Identifier: Apache-2.0
1;
N = 60;
[i, j] = meshgrid (1:N, 1:N);
A = sin (i .* j * 0.37 + i) + N / 4 * eye (N);
S = A + A';
P = A * A' / N + eye (N);
B = cos (i + 2 * j)(:, 1:4);
T = [A; sin(2 * i - j)];
function show (label, x)
  x = [real(x(:)); imag(x(:))] + 0;
  printf ("%s%s\n", label, sprintf (" %.8e", x(1:min (200, numel (x)))));
endfunction
function small (label, residual, scale)
  ratio = norm (residual, 1) / (60 * eps * scale);
  if (ratio < 30) printf ("%s within bounds\n", label);
  else printf ("%s has a ratio of %g\n", label, ratio); endif
endfunction
calls = {"A \\ b", "inv", "det", "chol", "qr", "eig", "eig, symmetric", "svd", "A \\ b, overdetermined", "pinv", "expm"};
arguments = argv ();
if (numel (arguments) < 1)
  printf ("%s\n", calls{:});
  arguments = {""};
endif
switch (arguments{1})
  case "A \\ b"
    show ("solve", A \ B);
  case "inv"
    show ("inv", inv (A));
  case "det"
    show ("det", det (A / N * 4));
  case "chol"
    show ("chol", chol (P));
  case "qr"
    [q, r] = qr (A);
    small ("qr", A - q * r, norm (A, 1));
    show ("qr", abs (diag (r)));
  case "eig"
    [v, d] = eig (A);
    small ("eig", A * v - v * d, norm (A, 1) * norm (v, 1));
  case "eig, symmetric"
    [v, d] = eig (S);
    small ("eig", S * v - v * d, norm (S, 1));
    show ("eig", diag (d));
  case "svd"
    [u, s, v] = svd (T, "econ");
    small ("svd", T - u * s * v', norm (T, 1));
    show ("svd", diag (s));
  case "A \\ b, overdetermined"
    show ("lstsq", T \ [B; B]);
  case "pinv"
    show ("pinv", pinv (T));
  case "expm"
    show ("expm", expm (A / N));
endswitch
