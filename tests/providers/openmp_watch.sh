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
# a region are not shared; one thread alone is in none.
check() {
	threads=$1
	shift
	if [ "$threads" -eq 1 ] && [ $# -gt 0 ]; then
		suites_say "$*: skipped, one processor has no region of several threads"
		return
	fi
	around="$surroundings OMP_NUM_THREADS=$threads OPENBLAS_NUM_THREADS=$threads"
	# A team's threads sleep behind their region: looking for work, they would count as running.
	around="$around BLIS_NUM_THREADS=$threads OMP_WAIT_POLICY=passive"
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
	# A thread that has woken another one may still have to lay itself down.
	[ $((crowded * 20)) -le "$looks" ] ||
		suites_fail "$what: at $crowded of $looks looks more than $((processors + 1))" \
			"threads ran"
	# Threads of a nested region end with it, and may last for less looks without the shim.
	lasting=$(value base 3)
	[ "$*" != nested ] || lasting=$(value base 4)
	[ "$(value shim 3)" -le "$lasting" ] ||
		suites_fail "$what: $(value shim 3) threads of the program, $lasting without"
	# Threads of the shim have the program's name for a moment. A team for each slice is dozens.
	[ "$(value shim 4)" -le $(($(value base 4) + shared / 4)) ] ||
		suites_fail "$what: $(value shim 4) threads in turn, $(value base 4) without"
	suites_say "$what: $shared calls shared, more than $((processors + 1)) threads ran at" \
		"$crowded of $looks looks; threads of the program: $(value shim 3)," \
		"in turn $(value shim 4), $(value base 4) without"
}
