! fortran_fp.f90 - products and a transform with trapped exceptions, or rounded upward
! SPDX-License-Identifier: Apache-2.0
program fortran_fp
  use, intrinsic :: iso_c_binding
  use, intrinsic :: ieee_arithmetic
  implicit none
  include 'fftw3.f03'
  integer, parameter :: n = 150, points = 4096
  real(8) :: a(n, n), b(n, n), c(n, n)
  complex(c_double_complex) :: x(points), y(points)
  type(c_ptr) :: plan
  integer :: i, j, turn
  character(16) :: way

  call get_environment_variable('FP_WAY', way)
  do j = 1, n
    do i = 1, n
      a(i, j) = sin(real(i + 2 * j, 8))
      b(i, j) = cos(real(3 * i - j, 8))
    end do
  end do
  do i = 1, points
    x(i) = cmplx(sin(0.3d0 * i), 0.1d0 * i, 8)
  end do
  print '(a)', 'begin'
  flush (6)
  if (way == 'upward') call ieee_set_rounding_mode(ieee_up)
  do turn = 1, 3
    call dgemm('N', 'N', n, n, n, 2d0, a, n, b, n, 0d0, c, n)
    call show('dgemm', c(4, 6), c(101, 8))
    call dtrsm('L', 'U', 'N', 'U', n, 10, 1d0, 0.01d0 * a, n, c, n)
    call show('dtrsm', c(4, 6), c(101, 8))
    plan = fftw_plan_dft_1d(points, x, y, FFTW_FORWARD, FFTW_ESTIMATE)
    call fftw_execute_dft(plan, x, y)
    call fftw_destroy_plan(plan)
    call show('fft', real(y(4)), aimag(y(101)))
  end do
  if (way == 'flags') then
    a(5, 6) = ieee_value(a(5, 6), ieee_positive_inf)
    b(6, 17) = 0
    call dgemm('N', 'N', n, n, n, 2d0, a, n, b, n, 0d0, c, n)
    call show('invalid', c(4, 6), c(101, 8))
  end if
  stop
contains
  subroutine show(label, first, second)
    character(*), intent(in) :: label
    real(8), intent(in) :: first, second
    if (way == 'upward') then
      print '(a, 2(1x, z16.16))', label, first, second
    else
      print '(a, 2(1x, es16.9))', label, first, second
    end if
    flush (6)
  end subroutine
end program
