# octave_fp.m - products and transforms in the floating-point environment that SIGSTKFLT sets
# SPDX-License-Identifier: Apache-2.0
1;
[i, j] = meshgrid(1:137, 1:141);
A = sin(i + 2 * j);
B = cos(3 * i - j)';
shows = "%s %.9g %.9g\n";
if (strcmp(getenv("FP_WAY"), "upward"))
  shows = "%s %.17g %.17g\n";
endif
printf("begin\n");
fflush(stdout);
kill(getpid(), 16);
for turn = 1:3
  C = A * B;
  printf(shows, "dgemm", C(4, 6), C(101, 8));
  C = (A + 1i * A) * B;
  printf(shows, "zgemm", real(C(4, 6)), imag(C(101, 8)));
  F = fft2(A);
  printf(shows, "fft", real(F(4, 6)), imag(F(101, 8)));
  fflush(stdout);
endfor
