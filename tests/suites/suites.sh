# shellcheck shell=sh
# suites.sh - runs a suite's programs over one BLAS library without and with the shim; sourced by this room's scripts
# SPDX-License-Identifier: Apache-2.0
#
# The caller sets suite (its name in messages) and calls suites_begin with its arguments BUILD LIBRARIES PROVIDER WAY:
#
# BUILD      holds libgpushim.so, simcuda/ and the libraries of this room
# LIBRARIES  the folder that Debian's BLAS packages have folders in
# PROVIDER   openblas, reference or blis; openblas64, reference64 or blis64 for integers of 64 bits
# WAY        always     every eligible call on the simulated GPU
#            nan        likewise, and fresh memory is NaN, with and without the shim
#            huge       likewise, and fresh memory is about 1e38 as floats and 1e306 as doubles: the reference testers
#                       take MAX(error, NaN) for the error, and so do not see a NaN
#            threshold  a threshold in the middle of the calls
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

# The folder of the provider, and the package it comes from.
suites_choose_provider() {
	case $provider in
	*64) bits=64 ;;
	*) bits= ;;
	esac
	case $provider in
	openblas*) folder=openblas$bits-pthread package=libopenblas${bits:+64-}0-pthread ;;
	reference*) folder=blas$bits package=libblas${bits:+64-}3 ;;
	blis*) folder=blis$bits-pthread package=libblis${bits:+64-}4-pthread ;;
	*) suites_say "there is no provider $provider"; exit 2 ;;
	esac
	soname=libblas$bits.so.3
	[ -e "$libraries/$folder/$soname" ] || suites_skip "there is no $folder/$soname; package $package has it"
	mkdir "$work/blas"
	for file in "$libraries/$folder"/lib*.so.*; do
		ln -s "$file" "$work/blas/"
	done
}

# Of the libraries, the reference alone has the C testers' RowMajorStrg.
suites_choose_preloads() {
	behind='' surroundings=''
	case $provider in
	reference*) ;;
	*) behind=:$build/tests/suites/librow_major_strg.so ;;
	esac
	case $way in
	nan | huge) behind=$behind:$build/tests/suites/libnan_malloc.so ;;
	esac
	if [ "$way" = huge ]; then
		surroundings=NAN_MALLOC_WORD=7f7f7f7f
	fi
}

suites_begin() {
	[ $# -eq 4 ] || { echo "usage: $0 BUILD LIBRARIES PROVIDER WAY"; exit 2; }
	case $4 in
	always | nan | huge | threshold) ;;
	*) echo "$0: there is no way $4"; exit 2 ;;
	esac
	build=$(cd "$1" && pwd) libraries=$2 provider=$3 way=$4
	here=$(cd "$(dirname "$0")" && pwd)
	failed=0 programs=0
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	trap 'exit 1' HUP INT TERM
	suite=$suite.$provider.$way
	suites_choose_provider
	suites_choose_preloads
	reason=policy_always
	settings="EPOCHLY_GPU_POLICY=always"
	if [ "$way" = threshold ]; then
		reason=above_threshold
		settings="EPOCHLY_GPU_WORKLOAD_THRESHOLD=2000"
	fi
	settings="$settings EPOCHLY_GPU_CUDA_PATH=$build/simcuda/13 EPOCHLY_GPU_WARMUP=wait EPOCHLY_GPU_LOG=$work/log.json"
	settings="$settings ${SUITES_SETTINGS:-}"
}

# A link named libblas.so.3 is not proof: the loader says which file the program would get.
suites_check_provider() {
	LD_TRACE_LOADED_OBJECTS=1 LD_LIBRARY_PATH="$work/blas" "$1" 2>&1 | grep -qF "$soname => $work/blas/$soname" || {
		suites_say "$1 would not load $soname from $folder"
		exit 1
	}
}

# suites_launch RUN PRELOAD SETTINGS INPUT PROGRAM ARGUMENT...: leaves RUN.out (stdout, then the files that the program
# wrote), RUN.err and RUN.status.
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
		exec env -i PATH="$PATH" LC_ALL=C HOME="$work/run/home" XDG_RUNTIME_DIR="$work/run/home" TMPDIR="$work/run" \
			OPENBLAS_NUM_THREADS=1 BLIS_NUM_THREADS=1 OMP_NUM_THREADS=1 CUDA_VISIBLE_DEVICES=-1 \
			LD_LIBRARY_PATH="$work/blas" ${preload:+LD_PRELOAD="$preload"} $environment "$@"
	) <"$input" >"$work/$run.out" 2>"$work/$run.err" || result=$?
	echo "$result" >"$work/$run.status"
	for file in "$work"/run/home/*; do
		if [ -f "$file" ]; then
			cat "$file" >>"$work/$run.out"
		fi
	done
}

# What may differ: a GPU leaves the CPU's floating-point exceptions alone, of which Fortran's runtime tells at the end;
# and what suites_mask says, a sed program that a suite may set.
suites_mask=
suites_compare() {
	for part in out err; do
		for run in base shim; do
			sed -e '/^Note: The following floating-point exceptions are signalling/d' -e "$suites_mask" \
				"$work/$run.$part" >"$work/$run"
		done
		if ! diff "$work/base" "$work/shim" >"$work/difference"; then
			suites_fail "$1: std$part differs (<: without the shim, >: with it)"
			head -n 20 "$work/difference"
		fi
	done
	cmp -s "$work/base.status" "$work/shim.status" ||
		suites_fail "$1: status $(cat "$work/shim.status"), without the shim $(cat "$work/base.status")"
}

suites_check_log() {
	touch "$work/log.json"
	if [ "$way" = threshold ]; then
		# Which calls pass is the threshold's business: of each routine there must be some, and they must be on the GPU.
		awk '$2 == "gpu" { print $1, "gpu", "1+" }' "$work/expect" >"$work/some"
		mv "$work/some" "$work/expect"
	fi
	if awk -v reason="$reason" -f "$here/check_log.awk" "$work/expect" "$work/log.json" >"$work/verdict"; then
		suites_say "$1: $(cat "$work/verdict")"
	else
		suites_fail "$1: the log is not as it should be"
		cat "$work/verdict"
	fi
}

# suites_try INPUT PROGRAM ARGUMENT...: the caller has written $work/expect for check_log.awk.
suites_try() {
	name=$(basename "$2")
	programs=$((programs + 1))
	suites_check_provider "$2"
	suites_launch base "$behind" "$surroundings" "$@"
	if [ "$(cat "$work/base.status")" -ge 126 ] || [ ! -s "$work/base.out" ]; then
		suites_fail "$name does not run without the shim either"
		cat "$work/base.err"
	fi
	if grep -q FAIL "$work/base.out"; then
		suites_say "$name: $(grep -c FAIL "$work/base.out") failures are the library's own"
	fi
	rm -f "$work/log.json"
	suites_launch shim "$build/libgpushim.so$behind" "$surroundings $settings" "$@"
	suites_compare "$name"
	suites_check_log "$name"
}

suites_end() {
	suites_say "$programs programs, $([ "$failed" -eq 0 ] && echo passed || echo failed)"
	exit "$failed"
}
