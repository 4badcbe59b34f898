# octave_case.m - products of all four types and transforms, printed in full precision
# SPDX-License-Identifier: Apache-2.0
1;
function show(label, kind, x)
  x = [real(x(:)); imag(x(:))];
  printf("%s %s", label, kind);
  printf(" %.17g", x);
  printf("\n");
endfunction
[i, j] = meshgrid(1:37, 1:41);
A = sin(i + 2 * j);                 # 41 x 37
B = cos(3 * i - j)';                # 37 x 41
show("dgemm", "double", A * B);
show("dgemm_t", "double", A' * (A + 1));
show("sgemm", "single", single(A) * single(B));
show("zgemm", "double", (A + 1i * A.^2) * (B - 1i * B));
show("cgemm", "single", single(A + 1i * A.^2) * single(B - 1i * B));
show("zgemm_c", "double", (A + 1i * A.^2)' * (A - 2i * A));
show("fft", "double", fft(A(:, 1) + 1i * A(:, 2)));
show("fft_real", "double", fft(A));
show("ifft2", "double", ifft2(A + 1i * A.^2));
show("fft_single", "single", fft(single(A + 1i * A)));
show("fftn", "double", fftn(reshape(A(1:27) + 1i, 3, 3, 3)));
