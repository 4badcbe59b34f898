! fortran_case.f90 - products and transforms from Fortran, printed in full precision
! SPDX-License-Identifier: Apache-2.0
program fortran_case
  use, intrinsic :: iso_c_binding
  implicit none
  include 'fftw3.f03'
  integer, parameter :: m = 41, n = 29, k = 37, points = 60
  real(8) :: a(m, k), b(k, n), c(m, n)
  complex(8) :: za(m, k), zb(k, n), zc(m, n)
  complex(c_double_complex) :: x(points), y(points)
  type(c_ptr) :: plan
  integer(8) :: legacy
  integer :: i, j

  do j = 1, k
    do i = 1, m
      a(i, j) = sin(real(i + 2 * j, 8))
    end do
  end do
  do j = 1, n
    do i = 1, k
      b(i, j) = cos(real(3 * i - j, 8))
    end do
  end do
  c = 1
  call dgemm('N', 'N', m, n, k, 2d0, a, m, b, k, 0.5d0, c, m)
  call show('dgemm', reshape(c, [m * n]))
  za = cmplx(a, a**2, 8)
  zb = cmplx(b, -b, 8)
  zc = 0
  call zgemm('N', 'N', m, n, k, (1d0, 2d0), za, m, zb, k, (0d0, 0d0), zc, m)
  call show('zgemm', [real(reshape(zc, [m * n])), aimag(reshape(zc, [m * n]))])

  plan = fftw_plan_dft_1d(points, x, y, FFTW_FORWARD, FFTW_ESTIMATE)
  do i = 1, points
    x(i) = cmplx(sin(0.3d0 * i), 0.1d0 * i, 8)
  end do
  call fftw_execute_dft(plan, x, y)
  call show('fft', [real(y), aimag(y)])
  call fftw_destroy_plan(plan)

  call dfftw_plan_dft_1d(legacy, points, x, y, FFTW_BACKWARD, FFTW_ESTIMATE)
  call dfftw_execute(legacy)
  call show('fft_legacy', [real(y), aimag(y)])
  call dfftw_destroy_plan(legacy)
contains
  subroutine show(label, values)
    character(*), intent(in) :: label
    real(8), intent(in) :: values(:)
    integer :: at
    write (*, '(a)', advance='no') label // ' double'
    do at = 1, size(values)
      write (*, '(1x, es24.16e3)', advance='no') values(at)
    end do
    write (*, *)
  end subroutine
end program
