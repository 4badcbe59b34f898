# shellcheck shell=sh
# openmp_watch.sh - runs a program with openmp_watch.c without and with the shim; to be sourced
# SPDX-License-Identifier: Apache-2.0
#
# No more threads run than processors, and one that conducts; and the program has the threads that
# it has without the shim: the library's team is not made anew.
processors=$(nproc)

# value RUN PLACE: a figure of the line "looks LOOKS CROWDED LASTING THREADS".
value() {
	sed -n 's/^looks //p' "$work/$1.err" | cut -d ' ' -f "$2"
}

watch_program() {
	program=$1
}

# check THREADS [region [batch] | nested]: the program with so many threads of OpenMP. Calls within
# a region are not shared.
check() {
	threads=$1
	shift
	around="$surroundings OMP_NUM_THREADS=$threads OPENBLAS_NUM_THREADS=$threads"
	around="$around BLIS_NUM_THREADS=$threads"
	suites_launch base "" "$around" /dev/null "$program" $((processors + 1)) "$@"
	rm -f "$work/log.json"
	suites_launch shim "$build/libgpushim.so" "$around $settings" /dev/null \
		"$program" $((processors + 1)) "$@"
	what="$threads threads${*:+, $*}"
	cmp -s "$work/base.out" "$work/shim.out" ||
		suites_fail "$what: another result: $(cat "$work/shim.out" "$work/shim.err")"
	shared=$(grep -c '"cpu_part":' "$work/log.json" || :)
	# The calls before the region, and those without one.
	least=48
	case "$*" in
	*region* | *nested*) least=24 ;;
	esac
	[ "$shared" -eq "$least" ] || suites_fail "$what: $shared calls were shared"
	looks=$(value shim 1) crowded=$(value shim 2)
	[ "$looks" -gt 100 ] || suites_fail "$what: only $looks looks"
	# Threads of a team look for work for a moment behind their region, when copies go on.
	[ $((crowded * 5)) -le "$looks" ] ||
		suites_fail "$what: at $crowded of $looks looks more than $((processors + 1))" \
			"threads ran"
	# Threads of a nested region end with it: without the shim they may be there for less looks.
	[ "$(value shim 3)" -le "$(value base 4)" ] ||
		suites_fail "$what: $(value shim 3) threads of the program, $(value base 4) without"
	# Threads of the shim have the program's name for a moment. A team for each slice is dozens.
	[ "$(value shim 4)" -le $(($(value base 4) + shared / 4)) ] ||
		suites_fail "$what: $(value shim 4) threads in turn, $(value base 4) without"
	suites_say "$what: $shared calls shared, more than $((processors + 1)) threads ran at" \
		"$crowded of $looks looks; threads of the program: $(value shim 3)," \
		"in turn $(value shim 4), $(value base 4) without"
}
