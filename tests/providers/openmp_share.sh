#!/bin/sh
# openmp_share.sh - calls shared with the CPU, over libraries with OpenMP threads of their own
# SPDX-License-Identifier: Apache-2.0
# usage: openmp_share.sh BUILD LIBRARIES PROVIDER WAY    see tests/suites/suites.sh
#
# No more threads run than processors, and one that conducts; and the program has the threads that
# it has without the shim: the library's team is not made anew.
set -eu
suite=openmp_share
# shellcheck source=tests/suites/suites.sh
. "$(dirname "$0")/../suites/suites.sh"
suites_begin "$@"
suites_needs_command cc
echo 'int main(void) { return 0; }' | cc -fopenmp -x c - -o "$work/probe" 2>"$work/build.log" ||
	suites_skip "the compiler has no OpenMP: $(tail -n 1 "$work/build.log")"
cc -O1 -fopenmp "$here/openmp_share.c" -Wl,--no-as-needed "$work/blas/$soname" \
	-o "$work/openmp_share"
suites_check_provider "$work/openmp_share"
processors=$(nproc)

# value RUN PLACE: a figure of the line "looks LOOKS CROWDED THREADS".
value() {
	sed -n 's/^looks //p' "$work/$1.err" | cut -d ' ' -f "$2"
}

# check THREADS [region [batch]]: the program with so many threads of OpenMP.
check() {
	threads=$1
	shift
	around="$surroundings OMP_NUM_THREADS=$threads OPENBLAS_NUM_THREADS=$threads"
	around="$around BLIS_NUM_THREADS=$threads"
	suites_launch base "" "$around" /dev/null \
		"$work/openmp_share" $((processors + 1)) "$@"
	rm -f "$work/log.json"
	suites_launch shim "$build/libgpushim.so" "$around $settings" /dev/null \
		"$work/openmp_share" $((processors + 1)) "$@"
	what="$threads threads${1:+, in a $1}${2:+, by $2}"
	cmp -s "$work/base.out" "$work/shim.out" ||
		suites_fail "$what: another result: $(cat "$work/shim.out" "$work/shim.err")"
	shared=$(grep -c '"cpu_part":' "$work/log.json" || :)
	# The calls before the region, and those without one.
	least=24
	[ $# -gt 0 ] || least=48
	[ "$shared" -eq "$least" ] || suites_fail "$what: $shared calls were shared"
	looks=$(value shim 1) crowded=$(value shim 2)
	[ "$looks" -gt 100 ] || suites_fail "$what: only $looks looks"
	# A thread that ends may still run when the next one does.
	[ $((crowded * 10)) -le "$looks" ] ||
		suites_fail "$what: at $crowded of $looks looks more than $((processors + 1))" \
			"threads ran"
	[ "$(value shim 3)" -le "$(value base 3)" ] ||
		suites_fail "$what: $(value shim 3) threads of the program, $(value base 3) without"
	suites_say "$what: $shared calls shared, more than $((processors + 1)) threads ran at" \
		"$crowded of $looks looks; threads of the program: $(value shim 3)"
}

check 1
check "$processors"
check "$processors" region
check "$processors" region batch
exit "$failed"
