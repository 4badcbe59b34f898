! fortran_fft_legacy.f90 - every planner and execution of FFTW's legacy Fortran interface, checked by the definition
! SPDX-License-Identifier: Apache-2.0
! usage: fortran_fft_legacy UNDERSCORES [KIND]: those of the compiler's names, and why no call has a form on the GPU
module fortran_fft_wisdom
  implicit none
  character(65536) :: wisdom = ''
  integer :: length = 0, position = 0
contains
  subroutine keep(letter, data)
    character, intent(in) :: letter
    integer :: data
    length = length + data
    wisdom(length:length) = letter
  end subroutine

  subroutine recall(letter, data)
    integer, intent(out) :: letter
    integer :: data
    position = position + data
    letter = merge(iachar(wisdom(position:position)), -1, position <= length)
  end subroutine
end module

program fortran_fft_legacy
  use fortran_fft_judge
  use fortran_fft_wisdom
  implicit none
  include 'fftw3.f'
  integer, parameter :: most = 600
  character(*), parameter :: eligible = 'eligible', split = 'split_arrays', nothing = 'no_transform'
  integer(8) :: plan
  complex(p) :: a(most), b(most), c(most), d(most)
  real(p) :: x(2 * most), y(2 * most), z(2 * most), w(2 * most)
  equivalence (a, x), (b, y), (c, z), (d, w)
  character(24) :: underscores, reason
  call get_command_argument(1, underscores)
  call get_command_argument(2, reason)

  call run_threads()
  call run_complex()
  call run_complex_many()
  call run_forward()
  call run_forward_many()
  call run_backward()
  call run_backward_many()
  call run_real()
  call run_split()
  call run_nothing()
  call run_wisdom()
  call dfftw_cleanup_threads()
  call dfftw_cleanup()
contains
  subroutine executed(what, kind)
    character(*), intent(in) :: what, kind
    if (reason == '') then
      call called('dfftw_' // what // trim(underscores), kind)
    else
      call called('dfftw_' // what // trim(underscores), trim(reason))
    end if
  end subroutine

  subroutine run_threads()
    integer :: success, threads
    call dfftw_init_threads(success)
    call judge_fact('threads', success /= 0)
    call dfftw_plan_with_nthreads(2)
    call dfftw_planner_nthreads(threads)
    call judge_fact('two threads', threads == 2)
    call dfftw_plan_dft_2d(plan, 25, 20, a, b, FFTW_FORWARD, FFTW_ESTIMATE)
    call complex_case('by two threads', [25, 20], FFTW_FORWARD, eligible)
    call dfftw_plan_with_nthreads(1)
  end subroutine

  subroutine run_complex()
    call dfftw_plan_dft_1d(plan, 60, a, b, FFTW_FORWARD, FFTW_ESTIMATE)
    call complex_case('1d', [60], FFTW_FORWARD, eligible)
    call dfftw_plan_dft_2d(plan, 12, 10, a, b, FFTW_BACKWARD, FFTW_ESTIMATE)
    call complex_case('2d', [12, 10], FFTW_BACKWARD, eligible)
    call dfftw_plan_dft_3d(plan, 7, 5, 4, a, b, FFTW_FORWARD, FFTW_ESTIMATE)
    call complex_case('3d', [7, 5, 4], FFTW_FORWARD, eligible)
    call dfftw_plan_dft(plan, 2, [9, 11], a, b, FFTW_FORWARD, FFTW_ESTIMATE)
    call complex_case('rank 2', [9, 11], FFTW_FORWARD, eligible)
    call dfftw_plan_dft(plan, 4, [3, 2, 4, 5], a, b, FFTW_FORWARD, FFTW_ESTIMATE)
    call complex_case('rank 4', [3, 2, 4, 5], FFTW_FORWARD, 'unsupported_rank')
    call dfftw_plan_dft_1d(plan, 48, a, b, FFTW_FORWARD, FFTW_MEASURE)
    call complex_case('measured', [48], FFTW_FORWARD, eligible)
    ! In place.
    call dfftw_plan_dft_2d(plan, 8, 15, a, a, FFTW_FORWARD, FFTW_ESTIMATE)
    a = draw(most)
    call dfftw_execute(plan)
    call executed('execute', eligible)
    call judge('dft in place', a, [dft(draw(120), [8, 15], FFTW_FORWARD), drawn(121, most)])
    call dfftw_destroy_plan(plan)
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
    call dfftw_execute(plan)
    call executed('execute', kind)
    call judge('dft ' // label, b, want)
    call judge('dft ' // label // ' input', a, draw(most))
    c = 2 * draw(most)
    d = untouched
    call dfftw_execute_dft(plan, c, d)
    call executed('execute_dft', kind)
    want(:total) = 2 * want(:total)
    call judge('dft ' // label // ' elsewhere', d, want)
    call dfftw_destroy_plan(plan)
  end subroutine

  ! Three transforms of 12 x 5: interleaved where they come from, in columns of 14 where they go.
  subroutine run_complex_many()
    complex(p) :: want(most), one(60)
    integer :: i, row
    a = draw(most)
    want = untouched
    do i = 0, 2
      one = dft(a(1 + i:180:3), [12, 5], FFTW_FORWARD)
      do row = 0, 4
        want(1 + i * 70 + row * 14:12 + i * 70 + row * 14) = one(1 + row * 12:12 + row * 12)
      end do
    end do
    call dfftw_plan_many_dft(plan, 2, [12, 5], 3, a, [12, 5], 3, 1, b, [14, 5], 1, 70, FFTW_FORWARD, FFTW_ESTIMATE)
    b = untouched
    call dfftw_execute(plan)
    call executed('execute', eligible)
    call judge('many dft', b, want)
    call dfftw_destroy_plan(plan)
    ! The same in guru form, whose dimensions are in the order of C.
    call dfftw_plan_guru_dft(plan, 2, [5, 12], [36, 3], [14, 1], 1, [3], [1], [70], a, b, FFTW_FORWARD, FFTW_ESTIMATE)
    b = untouched
    call dfftw_execute_dft(plan, a, b)
    call executed('execute_dft', eligible)
    call judge('guru dft', b, want)
    call dfftw_destroy_plan(plan)
  end subroutine

  subroutine run_forward()
    call dfftw_plan_dft_r2c_1d(plan, 45, x, b, FFTW_ESTIMATE)
    call forward_case('1d', [45])
    call dfftw_plan_dft_r2c_2d(plan, 12, 9, x, b, FFTW_ESTIMATE)
    call forward_case('2d', [12, 9])
    call dfftw_plan_dft_r2c_3d(plan, 5, 4, 6, x, b, FFTW_ESTIMATE)
    call forward_case('3d', [5, 4, 6])
    call dfftw_plan_dft_r2c(plan, 2, [8, 7], x, b, FFTW_ESTIMATE)
    call forward_case('rank 2', [8, 7])
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
    call dfftw_execute(plan)
    call executed('execute', eligible)
    call judge('r2c ' // label, b, want)
    z = 3 * x
    d = untouched
    call dfftw_execute_dft_r2c(plan, z, d)
    call executed('execute_dft_r2c', eligible)
    want(:halves) = 3 * want(:halves)
    call judge('r2c ' // label // ' elsewhere', d, want)
    call dfftw_destroy_plan(plan)
  end subroutine

  ! Two transforms of 10 x 6 in place, whose columns of reals are padded to 12; then one by the guru
  ! form.
  subroutine run_forward_many()
    complex(p) :: want(72), given(120)
    integer :: i, row
    given = cmplx(real(draw(120)), 0, p)
    x = untouched
    do i = 0, 1
      do row = 0, 5
        x(1 + i * 72 + row * 12:10 + i * 72 + row * 12) = real(given(1 + i * 60 + row * 10:10 + i * 60 + row * 10))
      end do
      want(1 + i * 36:36 + i * 36) = half(dft(given(1 + i * 60:60 + i * 60), [10, 6], FFTW_FORWARD), [10, 6])
    end do
    call dfftw_plan_many_dft_r2c(plan, 2, [10, 6], 2, x, [12, 6], 1, 72, a, [6, 6], 1, 36, FFTW_ESTIMATE)
    call dfftw_execute(plan)
    call executed('execute', eligible)
    call judge('many r2c in place', a(:72), want)
    call judge_fact('many r2c behind', all(x(145:) == untouched))
    call dfftw_destroy_plan(plan)
    x(:2 * 120:2) = real(given)
    b = untouched
    call dfftw_plan_guru_dft_r2c(plan, 2, [6, 10], [20, 2], [6, 1], 1, [2], [120], [36], x, b, FFTW_ESTIMATE)
    call dfftw_execute(plan)
    call executed('execute', eligible)
    call judge('guru r2c', b(:72), want)
    call judge_fact('guru r2c behind', all(b(73:) == untouched))
    call dfftw_destroy_plan(plan)
  end subroutine

  subroutine run_backward()
    call dfftw_plan_dft_c2r_1d(plan, 45, a, y, FFTW_ESTIMATE)
    call backward_case('1d', [45])
    call dfftw_plan_dft_c2r_2d(plan, 12, 9, a, y, FFTW_ESTIMATE)
    call backward_case('2d', [12, 9])
    call dfftw_plan_dft_c2r_3d(plan, 5, 4, 6, a, y, FFTW_ESTIMATE)
    call backward_case('3d', [5, 4, 6])
    call dfftw_plan_dft_c2r(plan, 1, [64], a, y, FFTW_ESTIMATE + FFTW_PRESERVE_INPUT)
    call backward_case('rank 1', [64])
    call judge('c2r input', c(:33), 3 * half(dft(cmplx(real(draw(64)), 0, p), [64], FFTW_FORWARD), [64]))
  end subroutine

  ! What real values were transformed to comes back as these values, times their number.
  subroutine backward_case(label, n)
    character(*), intent(in) :: label
    integer, intent(in) :: n(:)
    complex(p) :: given(product(n) / n(1) * (n(1) / 2 + 1))
    real(p) :: want(2 * most)
    integer :: total
    total = product(n)
    given = half(dft(cmplx(real(draw(total)), 0, p), n, FFTW_FORWARD), n)
    want = untouched
    want(:total) = total * real(draw(total))
    a(:size(given)) = given
    y = untouched
    call dfftw_execute(plan)
    call executed('execute', eligible)
    call judge_real('c2r ' // label, y, want)
    c(:size(given)) = 3 * given
    w = untouched
    call dfftw_execute_dft_c2r(plan, c, w)
    call executed('execute_dft_c2r', eligible)
    want(:total) = 3 * want(:total)
    call judge_real('c2r ' // label // ' elsewhere', w, want)
    call dfftw_destroy_plan(plan)
  end subroutine

  ! Four lines of 14, interleaved on both sides; then the same by the guru form, each line on its
  ! own.
  subroutine run_backward_many()
    complex(p) :: given(32)
    real(p) :: want(56)
    integer :: i
    do i = 0, 3
      want(1 + i::4) = 14 * real(drawn(1 + i * 14, 14 + i * 14))
      given(1 + i::4) = half(dft(cmplx(want(1 + i::4) / 14, 0, p), [14], FFTW_FORWARD), [14])
    end do
    call dfftw_plan_many_dft_c2r(plan, 1, [14], 4, a, [8], 4, 1, y, [14], 4, 1, FFTW_ESTIMATE)
    a(:32) = given
    y = untouched
    call dfftw_execute(plan)
    call executed('execute', eligible)
    call judge_real('many c2r', y(:56), want)
    call dfftw_destroy_plan(plan)
    call dfftw_plan_guru_dft_c2r(plan, 1, [14], [4], [1], 1, [4], [1], [15], a, y, FFTW_ESTIMATE)
    a(:32) = given
    y = untouched
    call dfftw_execute(plan)
    call executed('execute', eligible)
    call judge_real('guru c2r', [(y(1 + i * 15:15 + i * 15), i = 0, 3)], [(want(1 + i::4), untouched, i = 0, 3)])
    call dfftw_destroy_plan(plan)
  end subroutine

  ! Pairs of transforms that give the values back, so and so many times.
  subroutine run_real()
    call dfftw_plan_r2r_1d(plan, 50, x, y, FFTW_DHT, FFTW_ESTIMATE)
    call real_there()
    call dfftw_plan_r2r_1d(plan, 50, y, x, FFTW_DHT, FFTW_ESTIMATE)
    call real_back('DHT 1d', 50, 50)
    call dfftw_plan_r2r_2d(plan, 8, 6, x, y, FFTW_REDFT10, FFTW_RODFT10, FFTW_ESTIMATE)
    call real_there()
    call dfftw_plan_r2r_2d(plan, 8, 6, y, x, FFTW_REDFT01, FFTW_RODFT01, FFTW_ESTIMATE)
    call real_back('DFT10 2d', 48, 4 * 48)
    call dfftw_plan_r2r_3d(plan, 4, 6, 5, x, y, FFTW_REDFT11, FFTW_RODFT11, FFTW_R2HC, FFTW_ESTIMATE)
    call real_there()
    call dfftw_plan_r2r_3d(plan, 4, 6, 5, y, x, FFTW_REDFT11, FFTW_RODFT11, FFTW_HC2R, FFTW_ESTIMATE)
    call real_back('DFT11 3d', 120, 4 * 120)
    call dfftw_plan_r2r(plan, 2, [7, 5], x, y, [FFTW_REDFT00, FFTW_RODFT00], FFTW_ESTIMATE)
    call real_there()
    call dfftw_plan_r2r(plan, 2, [7, 5], y, x, [FFTW_REDFT00, FFTW_RODFT00], FFTW_ESTIMATE)
    call real_back('DFT00 rank 2', 35, 12 * 12)
    call dfftw_plan_many_r2r(plan, 1, [16], 4, x, [16], 1, 16, y, [16], 4, 1, [FFTW_R2HC], FFTW_ESTIMATE)
    call real_there()
    call dfftw_plan_guru_r2r(plan, 1, [16], [4], [1], 1, [4], [1], [16], y, x, [FFTW_HC2R], FFTW_ESTIMATE)
    call real_back('many and guru', 64, 16)
  end subroutine

  subroutine real_there()
    x = untouched
    x(:most) = real(draw(most))
    call dfftw_execute(plan)
    call executed('execute', 'real_to_real')
    call dfftw_destroy_plan(plan)
    x = untouched
  end subroutine

  subroutine real_back(label, total, times)
    character(*), intent(in) :: label
    integer, intent(in) :: total, times
    real(p) :: want(2 * most)
    want = untouched
    want(:total) = times * real(draw(total))
    call dfftw_execute_r2r(plan, y, x)
    call executed('execute_r2r', 'real_to_real')
    call judge_real('r2r ' // label, x, want)
    call dfftw_destroy_plan(plan)
  end subroutine

  subroutine run_split()
    complex(p) :: want(60), halves(31)
    x(:60) = real(draw(60))
    x(101:160) = aimag(draw(60))
    want = dft(draw(60), [60], FFTW_FORWARD)
    call dfftw_plan_guru_split_dft(plan, 1, [60], [1], [1], 0, [1], [1], [1], x, x(101), y, y(101), FFTW_ESTIMATE)
    call dfftw_execute(plan)
    call executed('execute', split)
    call judge('split dft', cmplx(y(:60), y(101:160), p), want)
    z = x
    call dfftw_execute_split_dft(plan, z, z(101), w, w(101))
    call executed('execute_split_dft', split)
    call judge('split dft elsewhere', cmplx(w(:60), w(101:160), p), want)
    call dfftw_destroy_plan(plan)

    halves = half(dft(cmplx(x(:60), 0, p), [60], FFTW_FORWARD), [60])
    call dfftw_plan_guru_split_dft_r2c(plan, 1, [60], [1], [1], 0, [1], [1], [1], x, y, y(101), FFTW_ESTIMATE)
    call dfftw_execute_split_dft_r2c(plan, x, y, y(101))
    call executed('execute_split_dft_r2c', split)
    call judge('split r2c', cmplx(y(:31), y(101:131), p), halves)
    call dfftw_destroy_plan(plan)
    call dfftw_plan_guru_split_dft_c2r(plan, 1, [60], [1], [1], 0, [1], [1], [1], y, y(101), x, FFTW_ESTIMATE)
    call dfftw_execute_split_dft_c2r(plan, y, y(101), x)
    call executed('execute_split_dft_c2r', split)
    call judge_real('split c2r', x(:60), 60 * real(draw(60)))
    call dfftw_destroy_plan(plan)
  end subroutine

  ! Nothing to transform: a copy, and not even that.
  subroutine run_nothing()
    call dfftw_plan_dft_1d(plan, 1, a, b, FFTW_FORWARD, FFTW_ESTIMATE)
    call complex_case('of one', [1], FFTW_FORWARD, nothing)
    a = draw(most)
    b = untouched
    call dfftw_plan_many_dft(plan, 1, [8], 0, a, [8], 1, 8, b, [8], 1, 8, FFTW_FORWARD, FFTW_ESTIMATE)
    call dfftw_execute(plan)
    call executed('execute', nothing)
    call judge_fact('none of many', all(b == untouched))
    call dfftw_destroy_plan(plan)
    call dfftw_plan_guru_dft(plan, 0, [1], [1], [1], 2, [3, 4], [1, 3], [4, 1], a, b, FFTW_FORWARD, FFTW_ESTIMATE)
    call dfftw_execute(plan)
    call executed('execute', nothing)
    call judge('rank 0', b(:12), reshape(transpose(reshape(a(:12), [3, 4])), [12]))
    call dfftw_destroy_plan(plan)
  end subroutine

  ! Wisdom that went through the program brings a plan back, which there is none of without.
  subroutine run_wisdom()
    integer :: success
    real(8) :: additions, multiplications, fused, cost
    call dfftw_forget_wisdom()
    call dfftw_set_timelimit(10d0)
    call dfftw_plan_dft_1d(plan, 32, a, b, FFTW_FORWARD, FFTW_MEASURE)
    call dfftw_flops(plan, additions, multiplications, fused)
    call judge_fact('flops', additions + multiplications + fused > 0)
    call dfftw_cost(cost, plan)
    call judge_fact('cost', cost >= 0)
    call dfftw_estimate_cost(cost, plan)
    call judge_fact('estimated cost', cost > 0)
    call dfftw_destroy_plan(plan)
    call dfftw_export_wisdom(keep, 1)
    call judge_fact('wisdom was told', length > 0)
    call dfftw_forget_wisdom()
    call dfftw_plan_dft_1d(plan, 32, a, b, FFTW_FORWARD, FFTW_MEASURE + FFTW_WISDOM_ONLY)
    call judge_fact('no plan without wisdom', plan == 0)
    call dfftw_import_wisdom(success, recall, 1)
    call judge_fact('wisdom was taken', success == 1)
    call dfftw_plan_dft_1d(plan, 32, a, b, FFTW_FORWARD, FFTW_MEASURE + FFTW_WISDOM_ONLY)
    call judge_fact('a plan of wisdom', plan /= 0)
    call complex_case('of wisdom', [32], FFTW_FORWARD, eligible)
    ! The library prints this itself, when the program ends; without wisdom it is the same plan each
    ! time.
    call dfftw_forget_wisdom()
    call dfftw_plan_dft_1d(plan, 32, a, b, FFTW_FORWARD, FFTW_ESTIMATE)
    call dfftw_print_plan(plan)
    call dfftw_destroy_plan(plan)
    ! Whether this machine has such a file is not known.
    call dfftw_import_system_wisdom(success)
  end subroutine
end program
