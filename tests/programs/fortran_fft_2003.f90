! fortran_fft_2003.f90 - every planner and execution of FFTW's interface for Fortran 2003, checked by the definition
! SPDX-License-Identifier: Apache-2.0
! usage: fortran_fft_2003 [KIND]: why no call has a form on the GPU
program fortran_fft_2003
  use, intrinsic :: iso_c_binding
  use fortran_fft_judge
  implicit none
  include 'fftw3.f03'
  integer, parameter :: most = 600, flags = ior(FFTW_ESTIMATE, FFTW_DESTROY_INPUT)
  character(*), parameter :: eligible = 'eligible', split = 'split_arrays'
  type(c_ptr) :: plan, memory(4)
  complex(p), pointer :: a(:), b(:), c(:), d(:)
  real(p), pointer :: x(:), y(:), z(:), w(:)
  character(24) :: reason
  integer :: i
  call get_command_argument(1, reason)
  do i = 1, 4
    memory(i) = fftw_alloc_complex(int(most, c_size_t))
  end do
  call c_f_pointer(memory(1), a, [most])
  call c_f_pointer(memory(1), x, [2 * most])
  call c_f_pointer(memory(2), b, [most])
  call c_f_pointer(memory(2), y, [2 * most])
  call c_f_pointer(memory(3), c, [most])
  call c_f_pointer(memory(3), z, [2 * most])
  call c_f_pointer(memory(4), d, [most])
  call c_f_pointer(memory(4), w, [2 * most])
  call judge_fact('alignment', fftw_alignment_of(x) == 0)

  call run_threads()
  call run_complex()
  call run_complex_many()
  call run_forward()
  call run_forward_many()
  call run_backward()
  call run_backward_many()
  call run_real()
  call run_real_many()
  call run_split()
  call run_wisdom()
  do i = 1, 4
    call fftw_free(memory(i))
  end do
  call fftw_cleanup_threads()
  call fftw_cleanup()
contains
  subroutine executed(symbol, kind)
    character(*), intent(in) :: symbol, kind
    if (reason == '') then
      call called(symbol, kind)
    else
      call called(symbol, trim(reason))
    end if
  end subroutine

  subroutine run_threads()
    call fftw_make_planner_thread_safe()
    call judge_fact('threads', fftw_init_threads() /= 0)
    call fftw_plan_with_nthreads(2)
    call judge_fact('two threads', fftw_planner_nthreads() == 2)
    plan = fftw_plan_dft_2d(20, 25, a, b, FFTW_FORWARD, FFTW_ESTIMATE)
    call complex_case('by two threads', [25, 20], FFTW_FORWARD, eligible)
    call fftw_plan_with_nthreads(1)
  end subroutine

  ! Sizes are in the order of C, the last one varies fastest; the judge has them in Fortran's.
  subroutine run_complex()
    plan = fftw_plan_dft_1d(60, a, b, FFTW_BACKWARD, FFTW_ESTIMATE)
    call complex_case('1d', [60], FFTW_BACKWARD, eligible)
    plan = fftw_plan_dft_2d(10, 12, a, b, FFTW_FORWARD, FFTW_ESTIMATE)
    call complex_case('2d', [12, 10], FFTW_FORWARD, eligible)
    plan = fftw_plan_dft_3d(4, 5, 7, a, b, FFTW_BACKWARD, FFTW_MEASURE)
    call complex_case('3d', [7, 5, 4], FFTW_BACKWARD, eligible)
    plan = fftw_plan_dft(3, [3, 1, 31], a, b, FFTW_FORWARD, FFTW_ESTIMATE)
    call complex_case('rank 3', [31, 1, 3], FFTW_FORWARD, eligible)
    plan = fftw_plan_dft(4, [3, 2, 4, 5], a, b, FFTW_FORWARD, FFTW_ESTIMATE)
    call complex_case('rank 4', [5, 4, 2, 3], FFTW_FORWARD, 'unsupported_rank')
    plan = fftw_plan_dft(0, [1], a, b, FFTW_FORWARD, FFTW_ESTIMATE)
    call complex_case('rank 0', [1], FFTW_FORWARD, 'no_transform')
  end subroutine

  subroutine complex_case(label, n, sign, kind)
    character(*), intent(in) :: label, kind
    integer, intent(in) :: n(:), sign
    complex(p) :: want(most)
    integer :: total
    total = product(n)
    want = untouched
    want(:total) = dft(draw(total), n, sign)
    a = draw(most)
    b = untouched
    call fftw_execute_dft(plan, a, b)
    call executed('fftw_execute_dft', kind)
    call judge('dft ' // label, b, want)
    call judge('dft ' // label // ' input', a, draw(most))
    c = 2 * draw(most)
    d = untouched
    call fftw_execute_dft(plan, c, d)
    call executed('fftw_execute_dft', kind)
    want(:total) = 2 * want(:total)
    call judge('dft ' // label // ' elsewhere', d, want)
    call fftw_destroy_plan(plan)
  end subroutine

  ! Three transforms of 12 x 5: interleaved where they come from, in columns of 14 where they go,
  ! all three ways.
  subroutine run_complex_many()
    type(fftw_iodim) :: dims(2), loop(1)
    type(fftw_iodim64) :: dims64(2), loop64(1)
    dims = [fftw_iodim(5, 36, 14), fftw_iodim(12, 3, 1)]
    loop = [fftw_iodim(3, 1, 70)]
    dims64 = [fftw_iodim64(5, 36, 14), fftw_iodim64(12, 3, 1)]
    loop64 = [fftw_iodim64(3, 1, 70)]
    plan = fftw_plan_many_dft(2, [5, 12], 3, a, [5, 12], 3, 1, b, [5, 14], 1, 70, FFTW_FORWARD, FFTW_ESTIMATE)
    call complex_many_case('many')
    plan = fftw_plan_guru_dft(2, dims, 1, loop, a, b, FFTW_FORWARD, FFTW_ESTIMATE)
    call complex_many_case('guru')
    plan = fftw_plan_guru64_dft(2, dims64, 1, loop64, a, b, FFTW_FORWARD, FFTW_ESTIMATE)
    call complex_many_case('guru64')
  end subroutine

  subroutine complex_many_case(label)
    character(*), intent(in) :: label
    complex(p) :: want(most), one(60)
    integer :: which, row
    a = draw(most)
    want = untouched
    do which = 0, 2
      one = dft(a(1 + which:180:3), [12, 5], FFTW_FORWARD)
      do row = 0, 4
        want(1 + which * 70 + row * 14:12 + which * 70 + row * 14) = one(1 + row * 12:12 + row * 12)
      end do
    end do
    b = untouched
    call fftw_execute_dft(plan, a, b)
    call executed('fftw_execute_dft', eligible)
    call judge('dft ' // label, b, want)
    call fftw_destroy_plan(plan)
  end subroutine

  subroutine run_forward()
    plan = fftw_plan_dft_r2c_1d(45, x, b, FFTW_ESTIMATE)
    call forward_case('1d', [45])
    plan = fftw_plan_dft_r2c_2d(9, 12, x, b, FFTW_ESTIMATE)
    call forward_case('2d', [12, 9])
    plan = fftw_plan_dft_r2c_3d(6, 4, 5, x, b, FFTW_ESTIMATE)
    call forward_case('3d', [5, 4, 6])
    plan = fftw_plan_dft_r2c(2, [1, 38], x, b, FFTW_ESTIMATE)
    call forward_case('rank 2', [38, 1])
  end subroutine

  subroutine forward_case(label, n)
    character(*), intent(in) :: label
    integer, intent(in) :: n(:)
    complex(p) :: want(most)
    integer :: halves
    halves = product(n) / n(1) * (n(1) / 2 + 1)
    want = untouched
    want(:halves) = half(dft(cmplx(real(draw(product(n))), 0, p), n, FFTW_FORWARD), n)
    x = untouched
    x(:most) = real(draw(most))
    b = untouched
    call fftw_execute_dft_r2c(plan, x, b)
    call executed('fftw_execute_dft_r2c', eligible)
    call judge('r2c ' // label, b, want)
    call judge_real('r2c ' // label // ' input', x(:most), real(draw(most)))
    call fftw_destroy_plan(plan)
  end subroutine

  ! Two transforms of 10 x 6 whose columns of reals are padded to 12, in place; then elsewhere, both
  ! guru forms.
  subroutine run_forward_many()
    type(fftw_iodim) :: dims(2), loop(1)
    type(fftw_iodim64) :: dims64(2), loop64(1)
    dims = [fftw_iodim(6, 12, 6), fftw_iodim(10, 1, 1)]
    loop = [fftw_iodim(2, 72, 36)]
    dims64 = [fftw_iodim64(6, 12, 6), fftw_iodim64(10, 1, 1)]
    loop64 = [fftw_iodim64(2, 72, 36)]
    plan = fftw_plan_many_dft_r2c(2, [6, 10], 2, x, [6, 12], 1, 72, a, [6, 6], 1, 36, FFTW_ESTIMATE)
    call forward_many_case('many in place', a)
    plan = fftw_plan_guru_dft_r2c(2, dims, 1, loop, x, b, FFTW_ESTIMATE)
    call forward_many_case('guru', b)
    plan = fftw_plan_guru64_dft_r2c(2, dims64, 1, loop64, x, b, FFTW_ESTIMATE)
    call forward_many_case('guru64', b)
  end subroutine

  subroutine forward_many_case(label, output)
    character(*), intent(in) :: label
    complex(p), pointer, intent(in) :: output(:)
    complex(p) :: want(most), given(120)
    integer :: row
    given = cmplx(real(draw(120)), 0, p)
    want = cmplx(untouched, untouched, p)
    want(:36) = half(dft(given(:60), [10, 6], FFTW_FORWARD), [10, 6])
    want(37:72) = half(dft(given(61:), [10, 6], FFTW_FORWARD), [10, 6])
    output = cmplx(untouched, untouched, p)
    x = untouched
    do row = 0, 11
      x(1 + row * 12:10 + row * 12) = real(given(1 + row * 10:10 + row * 10))
    end do
    call fftw_execute_dft_r2c(plan, x, output)
    call executed('fftw_execute_dft_r2c', eligible)
    call judge('r2c ' // label, output, want)
    call fftw_destroy_plan(plan)
  end subroutine

  subroutine run_backward()
    plan = fftw_plan_dft_c2r_1d(45, a, y, ior(FFTW_ESTIMATE, FFTW_PRESERVE_INPUT))
    call backward_case('1d', [45])
    call judge('c2r input', a(:23), half(dft(cmplx(real(draw(45)), 0, p), [45], FFTW_FORWARD), [45]))
    plan = fftw_plan_dft_c2r_2d(9, 12, a, y, FFTW_ESTIMATE)
    call backward_case('2d', [12, 9])
    plan = fftw_plan_dft_c2r_3d(6, 4, 5, a, y, FFTW_ESTIMATE)
    call backward_case('3d', [5, 4, 6])
    plan = fftw_plan_dft_c2r(2, [7, 8], a, y, FFTW_ESTIMATE)
    call backward_case('rank 2', [8, 7])
    plan = fftw_plan_dft_c2r_2d(9, 12, a, y, ior(FFTW_ESTIMATE, FFTW_PRESERVE_INPUT))
    call judge_fact('no plan keeps the input of two dimensions', .not. c_associated(plan))
  end subroutine

  ! What real values were transformed to comes back as these values, times their number.
  subroutine backward_case(label, n)
    character(*), intent(in) :: label
    integer, intent(in) :: n(:)
    real(p) :: want(2 * most)
    integer :: total
    total = product(n)
    want = untouched
    want(:total) = total * real(draw(total))
    a(:total / n(1) * (n(1) / 2 + 1)) = half(dft(cmplx(real(draw(total)), 0, p), n, FFTW_FORWARD), n)
    y = untouched
    call fftw_execute_dft_c2r(plan, a, y)
    call executed('fftw_execute_dft_c2r', eligible)
    call judge_real('c2r ' // label, y, want)
    call fftw_destroy_plan(plan)
  end subroutine

  ! Four lines of 14, interleaved on both sides; then into lines of their own, both guru forms.
  subroutine run_backward_many()
    plan = fftw_plan_many_dft_c2r(1, [14], 4, a, [8], 4, 1, y, [14], 4, 1, flags)
    call backward_many_case('many', 4, 1)
    plan = fftw_plan_guru_dft_c2r(1, [fftw_iodim(14, 4, 1)], 1, [fftw_iodim(4, 1, 15)], a, y, flags)
    call backward_many_case('guru', 1, 15)
    plan = fftw_plan_guru64_dft_c2r(1, [fftw_iodim64(14, 4, 1)], 1, [fftw_iodim64(4, 1, 15)], a, y, flags)
    call backward_many_case('guru64', 1, 15)
  end subroutine

  subroutine backward_many_case(label, stride, distance)
    character(*), intent(in) :: label
    integer, intent(in) :: stride, distance
    real(p) :: want(2 * most), line(14)
    integer :: which
    want = untouched
    do which = 0, 3
      line = real(drawn(1 + which * 14, 14 + which * 14))
      want(1 + which * distance:1 + which * distance + 13 * stride:stride) = 14 * line
      a(1 + which:32:4) = half(dft(cmplx(line, 0, p), [14], FFTW_FORWARD), [14])
    end do
    y = untouched
    call fftw_execute_dft_c2r(plan, a, y)
    call executed('fftw_execute_dft_c2r', eligible)
    call judge_real('c2r ' // label, y, want)
    call fftw_destroy_plan(plan)
  end subroutine

  ! Pairs of transforms that give the values back, so and so many times.
  subroutine run_real()
    plan = fftw_plan_r2r_1d(50, x, y, FFTW_DHT, flags)
    call real_there()
    plan = fftw_plan_r2r_1d(50, y, x, FFTW_DHT, flags)
    call real_back('DHT 1d', 50, 50)
    plan = fftw_plan_r2r_2d(6, 8, x, y, FFTW_RODFT10, FFTW_REDFT10, flags)
    call real_there()
    plan = fftw_plan_r2r_2d(6, 8, y, x, FFTW_RODFT01, FFTW_REDFT01, flags)
    call real_back('DFT10 2d', 48, 4 * 48)
    plan = fftw_plan_r2r_3d(5, 6, 4, x, y, FFTW_R2HC, FFTW_RODFT11, FFTW_REDFT11, flags)
    call real_there()
    plan = fftw_plan_r2r_3d(5, 6, 4, y, x, FFTW_HC2R, FFTW_RODFT11, FFTW_REDFT11, flags)
    call real_back('DFT11 3d', 120, 4 * 120)
    plan = fftw_plan_r2r(2, [5, 7], x, y, [FFTW_RODFT00, FFTW_REDFT00], flags)
    call real_there()
    plan = fftw_plan_r2r(2, [5, 7], y, x, [FFTW_RODFT00, FFTW_REDFT00], flags)
    call real_back('DFT00 rank 2', 35, 12 * 12)
  end subroutine

  subroutine run_real_many()
    plan = fftw_plan_many_r2r(1, [16], 4, x, [16], 1, 16, y, [16], 4, 1, [FFTW_R2HC], flags)
    call real_there()
    plan = fftw_plan_guru_r2r(1, [fftw_iodim(16, 4, 1)], 1, [fftw_iodim(4, 1, 16)], y, x, [FFTW_HC2R], flags)
    call real_back('many and guru', 64, 16)
    plan = fftw_plan_guru64_r2r(1, [fftw_iodim64(16, 1, 4)], 1, [fftw_iodim64(4, 16, 1)], x, y, [FFTW_R2HC], flags)
    call real_there()
    plan = fftw_plan_guru64_r2r(1, [fftw_iodim64(16, 4, 1)], 1, [fftw_iodim64(4, 1, 16)], y, x, [FFTW_HC2R], flags)
    call real_back('guru64', 64, 16)
  end subroutine

  subroutine real_there()
    x = untouched
    x(:most) = real(draw(most))
    call fftw_execute_r2r(plan, x, y)
    call executed('fftw_execute_r2r', 'real_to_real')
    call fftw_destroy_plan(plan)
    x = untouched
  end subroutine

  subroutine real_back(label, total, times)
    character(*), intent(in) :: label
    integer, intent(in) :: total, times
    real(p) :: want(2 * most)
    want = untouched
    want(:total) = times * real(draw(total))
    call fftw_execute_r2r(plan, y, x)
    call executed('fftw_execute_r2r', 'real_to_real')
    call judge_real('r2r ' // label, x, want)
    call fftw_destroy_plan(plan)
  end subroutine

  subroutine run_split()
    type(fftw_iodim) :: dim(1), none(0)
    type(fftw_iodim64) :: dim64(1), none64(0)
    dim = [fftw_iodim(60, 1, 1)]
    dim64 = [fftw_iodim64(60, 1, 1)]
    plan = fftw_plan_guru_split_dft(1, dim, 0, none, x, x(101:), y, y(101:), FFTW_ESTIMATE)
    call split_case('guru')
    plan = fftw_plan_guru64_split_dft(1, dim64, 0, none64, x, x(101:), y, y(101:), FFTW_ESTIMATE)
    call split_case('guru64')
    plan = fftw_plan_guru_split_dft_r2c(1, dim, 0, none, x, y, y(101:), FFTW_ESTIMATE)
    call split_forward_case('guru')
    plan = fftw_plan_guru_split_dft_c2r(1, dim, 0, none, y, y(101:), x, FFTW_ESTIMATE)
    call split_backward_case('guru')
    plan = fftw_plan_guru64_split_dft_r2c(1, dim64, 0, none64, x, y, y(101:), FFTW_ESTIMATE)
    call split_forward_case('guru64')
    plan = fftw_plan_guru64_split_dft_c2r(1, dim64, 0, none64, y, y(101:), x, FFTW_ESTIMATE)
    call split_backward_case('guru64')
  end subroutine

  subroutine split_case(label)
    character(*), intent(in) :: label
    z(:60) = real(draw(60))
    z(101:160) = aimag(draw(60))
    call fftw_execute_split_dft(plan, z, z(101:), w, w(101:))
    call executed('fftw_execute_split_dft', split)
    call judge('split dft ' // label, cmplx(w(:60), w(101:160), p), dft(draw(60), [60], FFTW_FORWARD))
    call fftw_destroy_plan(plan)
  end subroutine

  subroutine split_forward_case(label)
    character(*), intent(in) :: label
    x(:60) = real(draw(60))
    call fftw_execute_split_dft_r2c(plan, x, y, y(101:))
    call executed('fftw_execute_split_dft_r2c', split)
    call judge('split r2c ' // label, cmplx(y(:31), y(101:131), p), &
               half(dft(cmplx(real(draw(60)), 0, p), [60], FFTW_FORWARD), [60]))
    call fftw_destroy_plan(plan)
  end subroutine

  subroutine split_backward_case(label)
    character(*), intent(in) :: label
    x = untouched
    call fftw_execute_split_dft_c2r(plan, y, y(101:), x)
    call executed('fftw_execute_split_dft_c2r', split)
    call judge_real('split c2r ' // label, x(:60), 60 * real(draw(60)))
    call fftw_destroy_plan(plan)
  end subroutine

  ! Wisdom that went through a file and a string brings a plan back, which there is none of without.
  subroutine run_wisdom()
    integer, parameter :: only = ior(FFTW_MEASURE, FFTW_WISDOM_ONLY)
    character(*), parameter :: file = 'wisdom' // c_null_char
    character(c_char), pointer :: text(:)
    type(c_ptr) :: string
    real(c_double) :: additions, multiplications, fused
    call fftw_set_timelimit(10d0)
    plan = fftw_plan_dft_1d(32, a, b, FFTW_FORWARD, FFTW_MEASURE)
    call fftw_flops(plan, additions, multiplications, fused)
    call judge_fact('flops', additions + multiplications + fused > 0)
    call judge_fact('cost', fftw_cost(plan) >= 0 .and. fftw_estimate_cost(plan) > 0)
    string = fftw_sprint_plan(plan)
    call c_f_pointer(string, text, [5])
    call judge_fact('plan in words', all(text == ['(', 'd', 'f', 't', '-']))
    call fftw_free(string)
    call complex_case('measured', [32], FFTW_FORWARD, eligible)
    call judge_fact('wisdom in a file', fftw_export_wisdom_to_filename(file) == 1)
    string = fftw_export_wisdom_to_string()
    call fftw_forget_wisdom()
    call judge_fact('no plan without wisdom', .not. c_associated(fftw_plan_dft_1d(32, a, b, FFTW_FORWARD, only)))
    call c_f_pointer(string, text, [100000])
    call judge_fact('wisdom of a string', fftw_import_wisdom_from_string(text) == 1)
    call fftw_free(string)
    plan = fftw_plan_dft_1d(32, a, b, FFTW_FORWARD, only)
    call complex_case('of wisdom', [32], FFTW_FORWARD, eligible)
    call fftw_forget_wisdom()
    call judge_fact('wisdom of a file', fftw_import_wisdom_from_filename(file) == 1)
    plan = fftw_plan_dft_1d(32, a, b, FFTW_FORWARD, only)
    call complex_case('of a file', [32], FFTW_FORWARD, eligible)
  end subroutine
end program
