#!/bin/sh
# fftw.sh - FFTW's own test program over the system's library: random problems of every kind
# SPDX-License-Identifier: Apache-2.0
# usage: fftw.sh BUILD LIBRARIES PRECISION WAY    see suites.sh; PRECISION is double or single
#
# In the environment SUITES_PROBLEMS is the number of problems; SUITES_SEED repeats the problems of
# an earlier run.
set -eu
suite=fftw
# shellcheck source=tests/suites/suites.sh
. "$(dirname "$0")/suites.sh"
# shellcheck source=tests/suites/sources.sh
. "$(dirname "$0")/sources.sh"
suites_begin "$@"
problems=${SUITES_PROBLEMS:-3000}
seed=${SUITES_SEED:-$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')}
suites_needs_command cc
suites_needs_command pkg-config
case $provider in
double) package=fftw3 symbol=fftw_execute defines= ;;
single) package=fftw3f symbol=fftwf_execute defines=-DBENCHFFT_SINGLE ;;
*) suites_say "there is no precision $provider"; exit 2 ;;
esac
pkg-config --exists "$package" ||
	suites_skip "there is no $package to link with; package libfftw3-dev has it"
sources_need fftw3

compile() {
	(cd "$work/bench" && cc -O1 -w $defines -I . -I "$source" "$@") >"$work/build.log" 2>&1 || {
		tail -n 30 "$work/build.log"
		suites_say "bench cannot be built"
		exit 1
	}
}

# The library is the system's. hook.c, which reads the insides of plans only for the option
# paranoid, is left out. The arrays come from fftw_malloc, so that they can be page-locked.
build_bench() {
	mkdir "$work/bench"
	for fact in STDDEF_H STDLIB_H SYS_TIME_H GETTIMEOFDAY ISNAN DRAND48 THREADS _MM_MALLOC; do
		echo "#define HAVE_$fact 1"
	done >"$work/bench/config.h"
	cat >>"$work/bench/config.h" <<-C
		extern void *${symbol%execute}malloc(unsigned long size);
		extern void ${symbol%execute}free(void *block);
		#define _mm_malloc(size, alignment) ${symbol%execute}malloc(size)
		#define _mm_free ${symbol%execute}free
	C
	echo 'void install_hook(void) {} void uninstall_hook(void) {}' >"$work/bench/no_hook.c"
	compile -c "$source"/libbench2/*.c
	ar cr "$work/bench/libbench2.a" "$work"/bench/*.o
	# shellcheck disable=SC2046 # pkg-config prints options
	compile "$source/tests/bench.c" "$source/tests/fftw-bench.c" no_hook.c \
		-I "$here/../.." "$here/fftw_guard.c" "$here/../numeric/rerun.c" libbench2.a \
		"-l${package}_threads" $(pkg-config --libs "$package") -lm -o bench
}

# launch RUN PRELOAD SETTINGS: bench verifies the problems of $work/list. It prints a line for each
# right one and ends at the first wrong one; $passed is the number of right ones before.
launch() {
	run=$1 preload=$2 environment=$3
	set -f
	# shellcheck disable=SC2046,SC2086 # one word per option and per problem
	set -- $planning --random-seed="$seed" --verify-rounds=1 -v1 $(sed 's/^/--verify=/' \
		"$work/list")
	set +f
	suites_launch "$run" "$preload" "$environment" /dev/null "$work/bench/bench" "$@"
	passed=$(wc -l <"$work/$run.out")
	cut -d ' ' -f 1 "$work/$run.out" >"$work/names"
	head -n "$passed" "$work/list" | cmp -s - "$work/names" || {
		suites_say "bench prints something else than the problems"
		head -n 5 "$work/$run.out"
		exit 1
	}
}

# Problems that bench cannot do without the shim are left out: some plans that FFTW does not have or
# crashes at.
launch_base() {
	cp "$work/list" "$work/rest"
	: >"$work/doable"
	while [ -s "$work/rest" ]; do
		cp "$work/rest" "$work/list"
		launch base "$behind" "$surroundings" 2>/dev/null
		head -n "$passed" "$work/list" >>"$work/doable"
		sed "1,$((passed + 1))d" "$work/list" >"$work/rest"
	done
	left_out=$((left_out + size - $(wc -l <"$work/doable")))
}

# Records after those of the passed problems belong to the problem that failed.
check_log() {
	touch "$work/log.json"
	head -n "$passed" "$work/list" |
		awk -v rounds=1 -v twice="$twice" -f "$here/eligible_fftw.awk" >"$work/expect"
	more=0
	if [ "$passed" -lt "$(wc -l <"$work/list")" ]; then
		more=1000000
	fi
	awk -v symbol="$symbol" -v target="$target" -v reason="$reason" -v more="$more" \
		-f "$here/../driver/decision_log.awk" \
		-f "$here/fftw_log.awk" "$work/expect" "$work/log.json" >"$work/verdict" || {
		suites_fail "the log is not as it should be: $planning $extra"
		cat "$work/verdict"
	}
	records=$((records + $(wc -l <"$work/log.json")))
	eligible=$((eligible + $(grep -c ' gpu ' "$work/expect" || :)))
}

# Without CUDA the shim may print messages.
check_errors() {
	if [ "$way" = none ]; then
		sed -i '/^gpushim: /d' "$work/shim.err"
	fi
	if [ "$passed" -lt "$(wc -l <"$work/list")" ]; then
		suites_fail "$(sed -n "$((passed + 1))p" "$work/list") is wrong: $planning $extra"
	elif [ -s "$work/shim.err" ] || [ "$(cat "$work/shim.status")" -ne 0 ]; then
		suites_fail \
			"status $(cat "$work/shim.status"), or a message, after problems that passed"
	fi
	head -n 5 "$work/shim.err"
}

launch_shim() {
	cp "$work/doable" "$work/rest"
	while [ -s "$work/rest" ]; do
		cp "$work/rest" "$work/list"
		rm -f "$work/log.json"
		launch shim "$shim$behind" "$surroundings $settings $extra"
		suites_note_demand
		check_log
		check_errors
		sed "1,$((passed + 1))d" "$work/list" >"$work/rest"
	done
}

# The planner flag of each process, and an option of the shim. The time limit of MEASURE, bench's
# default, is so short that many plans remain estimates.
choose_planning() {
	extra=
	case $1 in
	0) planning='-oestimate' ;;
	1) planning='-oestimate -ounaligned' ;;
	2) planning='-oestimate -onthreads=2' ;;
	3) planning='-oestimate' extra='EPOCHLY_GPU_FFTW_PINNED=on' ;;
	4) planning='-otimelimit=0.01' ;;
	5) planning='-otimelimit=0.01' extra='EPOCHLY_GPU_FFTW_PLANNING=lazy' ;;
	esac
}

verify_all() {
	split -l 50 "$work/all" "$work/part."
	for part in "$work"/part.*; do
		choose_planning $((processes % 6))
		processes=$((processes + 1))
		cp "$part" "$work/list"
		size=$(wc -l <"$work/list")
		launch_base
		launch_shim
	done
}

twice=0
if [ "$way" = track ]; then
	twice=1 surroundings="$surroundings FFTW_GUARD_TWICE=1"
fi
build_bench
processes=0 records=0 eligible=0
awk -v seed="$seed" -v count="$problems" -f "$here/fftw_problems.awk" >"$work/all"
verify_all
[ $((left_out * 50)) -lt "$problems" ] || suites_fail "FFTW itself cannot do $left_out problems"
suites_check_demand
suites_say \
	"$problems problems of seed $seed, $left_out left out, $eligible eligible, $records records:" \
	"$([ "$failed" -eq 0 ] && echo passed || echo failed)"
exit "$failed"
