## octave_fft.tst - Octave's transforms of arrays of up to four dimensions against sums of exponentials
## SPDX-License-Identifier: Apache-2.0
##
## Octave's own tests leave out fftn, ifftn and dimensions beyond the second. One transform there and one back have no
## form on the GPU: those of four dimensions.

%!function y = slow_dft (x, dim, sign)
%!  n = size (x, dim);
%!  w = exp (sign * 2i * pi * mod ((0:n-1)' * (0:n-1), n) / n);
%!  order = [dim, 1:dim-1, dim+1:ndims(x)];
%!  y = permute (double (x), order);
%!  y = ipermute (reshape (w * y(:,:), size (y)), order);
%!endfunction
%!function y = slow_dftn (x, dims, sign)
%!  y = x;
%!  for dim = dims
%!    y = slow_dft (y, dim, sign);
%!  endfor
%!endfunction
%!function check (y, want)
%!  assert (norm (double (y(:)) - want(:)) <= 20 * eps (class (y)) * norm (want(:)));
%!endfunction
%!shared real3, real4
%! real3 = randn (6, 5, 4);
%! real4 = randn (3, 4, 5, 2);

%!test
%! for dim = 1:3
%!   for x = {real3, single(real3), complex(real3, real3(:,:,end:-1:1)), single(complex (real3, -real3))}
%!     check (fft (x{1}, [], dim), slow_dft (x{1}, dim, -1));
%!     check (ifft (x{1}, [], dim), slow_dft (x{1}, dim, 1) / size (real3, dim));
%!   endfor
%! endfor

%!test
%! for x = {real3, single(real3), complex(real3, real3(:,end:-1:1,:)), single(complex (real3, -real3))}
%!   check (fft2 (x{1}), slow_dftn (x{1}, 1:2, -1));
%!   check (ifft2 (x{1}), slow_dftn (x{1}, 1:2, 1) / 30);
%!   check (fftn (x{1}), slow_dftn (x{1}, 1:3, -1));
%!   check (ifftn (x{1}), slow_dftn (x{1}, 1:3, 1) / 120);
%! endfor

%!test
%! y = fftn (real4);
%! check (y, slow_dftn (real4, 1:4, -1));
%! check (ifftn (y), real4);

## Lines of primes, of powers, and of a length that most plans cut in several passes.
%!test
%! for n = [2, 31, 127, 256, 1009, 2310]
%!   x = complex (randn (n, 3), randn (n, 3));
%!   check (fft (x), slow_dft (x, 1, -1));
%!   check (fft (real (x)), slow_dft (real (x), 1, -1));
%!   check (ifft (single (x)), slow_dft (single (x), 1, 1) / n);
%!   check (fft (x.', [], 2), slow_dft (x.', 2, -1));
%! endfor

## Padded and cut.
%!test
%! padded = cat (1, real3, zeros (3, 5, 4));
%! check (fft (real3, 9), slow_dft (padded, 1, -1));
%! check (fft (real3, 3, 2), slow_dft (real3(:,1:3,:), 2, -1));
%! check (fft2 (real3, 9, 5), slow_dftn (padded, 1:2, -1));
%! check (fftn (real3, [9, 5, 4]), slow_dftn (padded, 1:3, -1));

## Alike by a plan of several threads.
%!test
%! threads = fftw ("threads");
%! unwind_protect
%!   fftw ("threads", 2);
%!   x = complex (randn (64, 48), randn (64, 48));
%!   check (fft2 (x), slow_dftn (x, 1:2, -1));
%! unwind_protect_cleanup
%!   fftw ("threads", threads);
%! end_unwind_protect
