# shellcheck shell=sh
# fortran_fft.sh - a Fortran program using FFTW, built for each precision; sourced by fragments
# SPDX-License-Identifier: Apache-2.0
#
# The sources are in double precision. The kind is set in one place; FFTW's symbol names have the
# precision too.

fortran_need() {
	program_needs_command gfortran
	echo 'call dfftw_cleanup(); end' >"$work/probe.f90"
	gfortran -o "$work/probe" "$work/probe.f90" -lfftw3 >"$work/probe.log" 2>&1 ||
		program_skip "gfortran does not link FFTW: $(grep . "$work/probe.log" | tail -n 1)"
}

# fortran_build SOURCE LETTER PROGRAM SCRIPT OPTION...: SCRIPT is the sed program that changes the
# source to this precision. LETTER is none, f, l or q, the end of the library's name.
fortran_build() {
	source=$1 letter=$2 program=$3 script=$4
	shift 4
	case $letter in
	f) kind='kind(1e0)' ;;
	l) kind=10 ;;
	q) kind=16 ;;
	*) kind='kind(1d0)' ;;
	esac
	mkdir "$program"
	sed "s/p = kind(1d0)/p = $kind/" "$here/fortran_fft_judge.f90" >"$program/judge.f90"
	sed -e "$script" "$here/$source.f90" >"$program/program.f90"
	(cd "$program" &&
		gfortran -w -I/usr/include "$@" -o program judge.f90 program.f90 "-lfftw3${letter}_threads" \
		"-lfftw3$letter")
}

# Each line of output is a verdict. The log must have the calls that the program counts itself.
verdicts() { cat; }

executions() {
	awk '$1 == "call" { calls[$2 " " $3]++ } END { for (call in calls) print call, calls[call] }' "$work/base.out"
}

version() {
	echo "FFTW $(program_package libfftw3-double3), gfortran $(gfortran -dumpfullversion)"
}
