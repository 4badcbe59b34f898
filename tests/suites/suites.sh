# shellcheck shell=sh
# suites.sh - runs a suite over one BLAS library without and with the shim; to be sourced
# SPDX-License-Identifier: Apache-2.0
#
# The caller sets suite (its name in messages) and calls suites_begin with its arguments BUILD
# LIBRARIES PROVIDER WAY:
#
# BUILD      holds libgpushim.so, simcuda/ and the libraries of this room
# LIBRARIES  the folder that Debian's BLAS packages have folders in
# PROVIDER   openblas, reference, blis, atlas or mkl; openblas64, reference64, blis64 or mkl64 for
#            integers of 64 bits; openblas_openmp and openblas_serial for OpenBLAS with OpenMP and
#            without threads (OpenBLAS and BLIS otherwise have threads of their own); double or
#            single for FFTW, which has one library for each
# WAY        always     every eligible call on the simulated GPU
#            nan        likewise, and fresh memory is NaN, with and without the shim
#            track      likewise, operands stay on the device from their first call on, and clean
#                       pages are left out one by one (../driver/fine.cmake)
#            shared     as always, and the CPU computes half of each call that it can share
#            huge       as nan, and fresh memory is about 1e38 as floats and 1e306 as doubles: the
#                       reference testers take MAX(error, NaN) for the error, so they miss a NaN
#            threshold  a threshold in the middle of the calls
#            none       there is no CUDA
#            never      the policy never
#            default    no option is set
#
# SUITES_SETTINGS in the environment holds more settings, KEY=VALUE, for the runs with the shim.

suites_say() {
	printf '%s: %s\n' "$suite" "$*"
}

suites_skip() {
	suites_say "skipped, $*"
	exit 77
}

suites_fail() {
	suites_say "FAIL $*"
	failed=1
}

suites_needs_command() {
	command -v "$1" >/dev/null 2>&1 || suites_skip "$1 is not installed"
}

# MKL is a wheel of 220 MB. The sequential threading layer is used: it needs no other wheel.
suites_fetch_mkl() {
	# shellcheck source=tests/driver/venv.sh
	. "$here/../driver/venv.sh"
	why=$(venv_need "$build/tests/suites/mkl" --no-deps mkl) || suites_skip "$why"
	folder=$build/tests/suites/mkl/lib
	for file in "$folder"/libmkl_rt.so.*; do
		ln -s "$file" "$work/blas/$soname"
	done
	surroundings="MKL_INTERFACE_LAYER=${bits:+I}LP64 MKL_THREADING_LAYER=SEQUENTIAL"
}

# The folder of the provider, and the package it comes from.
suites_find_folder() {
	variant=pthread
	case $provider in
	*_*) variant=${provider#*_} ;;
	esac
	case $provider in
	openblas*) folder=openblas$bits-$variant package=libopenblas${bits:+64-}0-$variant ;;
	reference*) folder=blas$bits package=libblas${bits:+64-}3 ;;
	blis*) folder=blis$bits-$variant package=libblis${bits:+64-}4-$variant ;;
	atlas) folder=atlas package=libatlas3-base ;;
	*) suites_say "there is no provider $provider"; exit 2 ;;
	esac
	[ -e "$libraries/$folder/$soname" ] ||
		suites_skip "there is no $folder/$soname; package $package has it"
	folder=$libraries/$folder
}

suites_choose_provider() {
	case $provider in
	*64*) bits=64 ;;
	*) bits= ;;
	esac
	soname=libblas$bits.so.3
	surroundings=
	mkdir "$work/blas"
	case $provider in
	double | single) soname= && return ;;
	mkl*) suites_fetch_mkl ;;
	*) suites_find_folder ;;
	esac
	for file in "$folder"/lib*.so.*; do
		ln -s "$file" "$work/blas/"
	done
}

# Only the reference defines RowMajorStrg, which the C testers expect.
suites_choose_preloads() {
	behind=
	case $provider in
	reference* | double | single) ;;
	*) behind=:$build/tests/suites/librow_major_strg.so ;;
	esac
	case $way in
	nan | huge | track) behind=$behind:$build/tests/suites/libnan_malloc.so ;;
	esac
	if [ "$way" = track ]; then
		behind=$behind:$build/tests/suites/libheap_stack.so
	fi
	if [ "$way" = huge ]; then
		surroundings="$surroundings NAN_MALLOC_WORD=7f7f7f7f"
	fi
}

suites_begin() {
	[ $# -eq 4 ] || { echo "usage: $0 BUILD LIBRARIES PROVIDER WAY"; exit 2; }
	case $4 in
	always | nan | track | shared | huge | threshold | none | never | default) ;;
	*) echo "$0: there is no way $4"; exit 2 ;;
	esac
	build=$(cd "$1" && pwd) libraries=$2 provider=$3 way=$4
	here=$(cd "$(dirname "$0")" && pwd)
	failed=0 programs=0 left_out=0 shim=$build/libgpushim.so demand='' met=0
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	trap 'exit 1' HUP INT TERM
	suite=$suite.$provider.$way
	suites_choose_provider
	suites_choose_preloads
	# shellcheck disable=SC2034 # fftw.sh asks for the target
	target=gpu reason=policy_always
	settings="EPOCHLY_GPU_POLICY=always"
	if [ "$way" = threshold ]; then
		reason=above_threshold
		settings="EPOCHLY_GPU_POLICY=threshold EPOCHLY_GPU_WORKLOAD_THRESHOLD=2000"
	fi
	case $way in
	none)
		# shellcheck disable=SC2034
		target=cpu reason="no_cuda_libraries|no_driver|no_device"
		;;
	never) settings="EPOCHLY_GPU_POLICY=never EPOCHLY_GPU_LOG_LEVEL=call" ;;
	track)
		settings="$settings EPOCHLY_GPU_RESIDENCY=track"
		shim=$build/tests/fine/libgpushim.so demand=kept
		;;
	shared) settings="$settings EPOCHLY_GPU_SHARE_CPU=50" demand=cpu_part ;;
	default) settings= ;;
	esac
	if [ "$way" != none ]; then
		settings="$settings EPOCHLY_GPU_CUDA_PATH=$build/simcuda/13"
	fi
	settings="$settings EPOCHLY_GPU_WARMUP=wait EPOCHLY_GPU_LOG=$work/log.json ${SUITES_SETTINGS:-}"
}

# That a link is named libblas.so.3 does not prove which library is used, so the loader is asked for
# the file. For programs that bring their libraries along, soname is empty.
suites_check_provider() {
	[ -n "$soname" ] || return 0
	LD_TRACE_LOADED_OBJECTS=1 LD_LIBRARY_PATH="$work/blas" "$1" 2>&1 |
		grep -qF "$soname => $work/blas/$soname" || {
		suites_say "$1 would not load $soname from $folder"
		exit 1
	}
}

# suites_launch RUN PRELOAD SETTINGS INPUT PROGRAM ARGUMENT...: writes RUN.out (stdout, then the
# files that the program wrote), RUN.err and RUN.status.
suites_launch() {
	run=$1 preload=$2 environment=$3 input=$4
	shift 4
	rm -rf "$work/run"
	mkdir -p "$work/run/home"
	chmod 700 "$work/run/home"
	result=0
	# shellcheck disable=SC2086 # one word per setting
	(
		cd "$work/run/home"
		exec env -i PATH="$PATH" LC_ALL=C HOME="$work/run/home" \
			XDG_RUNTIME_DIR="$work/run/home" TMPDIR="$work/run" \
			OPENBLAS_NUM_THREADS=1 BLIS_NUM_THREADS=1 OMP_NUM_THREADS=1 \
				CUDA_VISIBLE_DEVICES=-1 \
			LD_LIBRARY_PATH="$work/blas" ${preload:+LD_PRELOAD="$preload"} \
				$environment "$@"
	) <"$input" >"$work/$run.out" 2>"$work/$run.err" || result=$?
	echo "$result" >"$work/$run.status"
	for file in "$work"/run/home/*; do
		if [ -f "$file" ]; then
			cat "$file" >>"$work/$run.out"
		fi
	done
}

# Permitted differences: a GPU does not set the CPU's floating-point exceptions, which the Fortran
# runtime lists at the end; and matches of suites_mask, a sed program that a suite may set.
suites_mask=
suites_compare() {
	for part in out err; do
		for run in base shim; do
			sed -f "$here/../driver/whole_messages.sed" "$work/$run.$part" |
				sed -e '/^Note: The following floating-point exceptions are signalling/d' \
					-e "$suites_mask" >"$work/$run"
		done
		if ! diff "$work/base" "$work/shim" >"$work/difference"; then
			suites_fail "$1: std$part differs (<: without the shim, >: with it)"
			head -n 20 "$work/difference"
		fi
	done
	cmp -s "$work/base.status" "$work/shim.status" ||
		suites_fail \
			"$1: status $(cat "$work/shim.status")," \
				"without the shim $(cat "$work/base.status")"
}

suites_check_log() {
	touch "$work/log.json"
	if [ "$way" = threshold ]; then
		# The threshold decides which calls pass: each routine must have at least one call
		# on the GPU.
		awk '$2 == "gpu" { print $1, "gpu", "1+" }' "$work/expect" >"$work/some"
		mv "$work/some" "$work/expect"
	fi
	if awk -v reason="$reason" -f "$here/../driver/decision_log.awk" \
		-f "$here/../suites/check_log.awk" "$work/expect" "$work/log.json" \
			>"$work/verdict"; then
		suites_say "$1: $(cat "$work/verdict")"
	else
		suites_fail "$1: the log is not as it should be"
		cat "$work/verdict"
	fi
}

# Libraries have faults of their own: a program that crashes, cannot be loaded or gives up without
# the shim proves nothing about the shim.
suites_runs_alone() {
	[ "$(cat "$work/base.status")" -lt 126 ] && [ -s "$work/base.out" ] &&
		! grep -q '^Error termination' "$work/base.err"
}

# What the way is about has to happen somewhere in the suite: operands that were on the device,
# calls that the CPU shared.
suites_note_demand() {
	[ -z "$demand" ] || [ ! -e "$work/log.json" ] ||
		met=$((met + $(grep -c "\"$demand\":[0.]*[1-9]" "$work/log.json" || :)))
}

suites_check_demand() {
	[ -n "$demand" ] || return 0
	suites_say "$met calls with $demand"
	[ "$met" -gt 0 ] || suites_fail "no record has $demand: the suite does not test $way"
}

# A tester skips the rest of a routine after its first failure, so any number of calls is accepted
# for routines that fail without the shim.
suites_expect_less() {
	awk 'FNR == NR { if (/FAIL/) failing = failing " " tolower($0); next }
		{ routine = $1; sub(/_$/, "", routine); if (index(failing, " " routine " ")) $3 = "0+"; print }' \
		"$work/base.out" "$work/expect" >"$work/less"
	mv "$work/less" "$work/expect"
}

# suites_try INPUT PROGRAM ARGUMENT...: the caller has written $work/expect for check_log.awk.
# Returns 1 if the program does not run without the shim either.
suites_try() {
	name=$(basename "$2")
	programs=$((programs + 1))
	suites_check_provider "$2"
	suites_launch base "$behind" "$surroundings" "$@"
	if ! suites_runs_alone; then
		suites_say \
			"$name is left out: status without the shim is $(cat "$work/base.status")"
		head -n 3 "$work/base.err"
		left_out=$((left_out + 1))
		return 1
	fi
	if grep -q FAIL "$work/base.out"; then
		suites_say "$name: $(grep -c FAIL "$work/base.out") failures are the library's own"
		suites_expect_less
	fi
	rm -f "$work/log.json"
	suites_launch shim "$shim$behind" "$surroundings $settings" "$@"
	suites_note_demand
	suites_compare "$name"
	suites_check_log "$name"
}

suites_end() {
	[ "$left_out" -lt "$programs" ] || suites_skip "none of the programs runs without the shim"
	suites_check_demand
	suites_say "$programs programs, $([ "$failed" -eq 0 ] && echo passed || echo failed)"
	exit "$failed"
}
