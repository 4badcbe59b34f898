# trace_octave_fft.m - a pseudo-spectral flow, and filters of images and volumes by fft2 and fftn
# SPDX-License-Identifier: Apache-2.0
1;
randn ("state", 1);

# Vorticity on 1024 x 1024 points: five transforms a step.
n = 1024;
k = [0:n/2-1, -n/2:-1];
[kx, ky] = meshgrid (k, k);
square = kx .^ 2 + ky .^ 2;
inverse = 1 ./ max (square, 1);
w = fft2 (randn (n)) .* exp (- square / 400);
for i = 1:20
  stream = w .* inverse;
  u = real (ifft2 (1i * ky .* stream));
  v = real (ifft2 (-1i * kx .* stream));
  x = real (ifft2 (1i * kx .* w));
  y = real (ifft2 (1i * ky .* w));
  w = (w - 1e-3 * fft2 (u .* x + v .* y)) ./ (1 + 1e-6 * square);
endfor

# A filter over a stack of small images, then over a volume.
for i = 1:100
  small = real (ifft2 (fft2 (u(1:256, 1:256)) .* inverse(1:256, 1:256)));
endfor
volume = randn (160, 160, 160);
for i = 1:3
  volume = real (ifftn (fftn (volume) * 0.5));
endfor
signals = fft (randn (4096, 500));
printf ("octave_fft: %g\n", abs (signals(1)) >= 0);
