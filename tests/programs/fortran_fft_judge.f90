! fortran_fft_judge.f90 - data to transform, transforms by their definition, and verdicts of FFTW's results
! SPDX-License-Identifier: Apache-2.0
module fortran_fft_judge
  implicit none
  integer, parameter :: p = kind(1d0)
  real(p), parameter :: untouched = -0.5_p
contains
  ! Values without any symmetry, the same in every run.
  function drawn(first, last) result(values)
    integer, intent(in) :: first, last
    complex(p) :: values(last - first + 1)
    integer :: i
    do i = first, last
      values(i - first + 1) = cmplx(sin(3 * real(i, p)), cos(0.7_p * i**2), p)
    end do
  end function

  function draw(total) result(values)
    integer, intent(in) :: total
    complex(p) :: values(total)
    values = drawn(1, total)
  end function

  ! Of columns in Fortran's order, one dimension after the other.
  function dft(given, n, sign) result(values)
    complex(p), intent(in) :: given(:)
    integer, intent(in) :: n(:), sign
    complex(p) :: values(size(given))
    integer :: d, base, stride
    values = given
    stride = 1
    do d = 1, size(n)
      do base = 1, size(given)
        if (mod((base - 1) / stride, n(d)) == 0) call dft_line(values(base:base + (n(d) - 1) * stride:stride), sign)
      end do
      stride = stride * n(d)
    end do
  end function

  subroutine dft_line(line, sign)
    complex(p), intent(inout) :: line(:)
    integer, intent(in) :: sign
    complex(p) :: roots(0:size(line) - 1), old(size(line))
    integer :: j, k
    real(p) :: turn
    turn = sign * 8 * atan(1._p) / size(line)
    do j = 0, size(line) - 1
      roots(j) = cmplx(cos(turn * j), sin(turn * j), p)
    end do
    old = line
    do k = 0, size(line) - 1
      line(k + 1) = sum([(old(j + 1) * roots(mod(j * k, size(line))), j = 0, size(line) - 1)])
    end do
  end subroutine

  ! The half of a transform of real values that FFTW keeps.
  function half(values, n) result(kept)
    complex(p), intent(in) :: values(:)
    integer, intent(in) :: n(:)
    complex(p) :: kept(size(values) / n(1) * (n(1) / 2 + 1))
    integer :: column, length
    length = n(1) / 2 + 1
    do column = 0, size(values) / n(1) - 1
      kept(column * length + 1:(column + 1) * length) = values(column * n(1) + 1:column * n(1) + length)
    end do
  end function

  ! Sums are printed to fewer digits than two libraries agree on, of which there are not enough in
  ! single precision. The program ends at what is wrong.
  subroutine judge(label, got, want)
    character(*), intent(in) :: label
    complex(p), intent(in) :: got(:), want(:)
    integer :: i
    if (.not. all(abs(got - want) <= 100 * epsilon(1._p) * max(maxval(abs(want)), 1._p))) then
      call judge_fact(label, .false.)
    else if (precision(1._p) < 15) then
      call judge_fact(label, .true.)
    else
      write (*, '(3a, 4es17.8e3)') 'check ', label, ' right', sum(got), &
        sum(got * [(cmplx(mod(i, 7), mod(i, 5), p), i = 1, size(got))])
    end if
  end subroutine

  subroutine judge_real(label, got, want)
    character(*), intent(in) :: label
    real(p), intent(in) :: got(:), want(:)
    call judge(label, cmplx(got, 0, p), cmplx(want, 0, p))
  end subroutine

  subroutine judge_fact(label, fact)
    character(*), intent(in) :: label
    logical, intent(in) :: fact
    write (*, '(4a)') 'check ', label, ' ', merge('right', 'WRONG', fact)
    if (.not. fact) stop 1
  end subroutine

  ! What the program called, and what the shim has to say about it.
  subroutine called(symbol, kind)
    character(*), intent(in) :: symbol, kind
    write (*, '(4a)') 'call ', symbol, ' ', kind
  end subroutine
end module
