#!/bin/sh
# page_valid.sh - pages are well formed, without script or outside links; empty ones say so
# SPDX-License-Identifier: Apache-2.0
# usage: page_valid.sh BUILD HTML_TEST
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

fail() {
	echo "FAILED: $*"
	exit 1
}

"$here/page_make.sh" "$build" "$2" "$work"
python3 "$here/page_check.py" "$work"/*.html

# has PAGE SENTENCE...: each sentence must be on the page.
has() {
	page=$1
	shift
	for sentence; do
		grep -qF "$sentence" "$work/$page.html" || fail "page $page does not say: $sentence"
	done
}
has untimed 'No call of the log was timed' 'The log does not tell who called.'
has timeless 'No call of the log was timed, or none says when it was.'
has nothing 'The first thing to change'
has names 'my &quot;program&quot; &lt;script&gt;alert(2)&lt;/script&gt;' 'שלום' \
	'measured on 2026-11-21' '<dt>Date</dt>' 'node1'
has nothing 'not recorded, as in logs of older versions'
has real '<bdi>simulation</bdi>' 'assumed, not measured'
has real 'fftw_c2c' 'simulation' '<svg' 'above_threshold' 'the operands reach workload_threshold'
has full '&lt;script&gt;alert(1)&lt;/script&gt;' 'Routines that took less time, 2 more' 'even at' \
	'years'

# The check must detect a fault: pages with one fault each.
for fault in 's/<\/figure>//' 's/<main>/<main><script>1<\/script>/' \
	's/<main>/<main><img src="http:\/\/example.invalid\/">/' \
	's/default-src/script-src/' 's/<main>/<main onclick="x()">/'; do
	sed -e "$fault" "$work/real.html" >"$work/fault"
	cmp -s "$work/fault" "$work/real.html" && fail "the fault $fault changes nothing"
	if python3 "$here/page_check.py" "$work/fault" >"$work/out"; then
		fail "a page with the fault $fault passes"
	fi
done

# refused STATUS SENTENCE ARGUMENT...: report's reaction if it cannot store a page.
refused() {
	expected=$1 sentence=$2 status=0
	shift 2
	"$build/gpushim" report "$@" >"$work/out" 2>"$work/err" || status=$?
	[ "$status" -eq "$expected" ] || fail "report $*: status $status, not $expected"
	tr -s '\n ' ' ' <"$work/err" | grep -qF "$sentence" || fail "report $*: $(cat "$work/err")"
}
refused 3 'No such file or directory' --html "$work/none/page.html" "$work/one.log"
refused 3 'Is a directory' --html "$work" "$work/one.log"
if [ -w /dev/full ]; then
	refused 3 'No space left on device' --html /dev/full "$work/one.log"
fi
echo "old" >"$work/kept.html"
: >"$work/empty.log"
refused 1 'no record' --html "$work/kept.html" "$work/empty.log"
[ "$(cat "$work/kept.html")" = old ] || fail "a log without records replaced a page"
full=$(ulimit -f 0; "$build/gpushim" report --html "$work/kept.html" "$work/one.log" 2>&1 ||
	echo "status $?")
[ "$(echo "$full" | tr -s '\n ' ' ')" = \
	"gpushim: cannot write $work/kept.html: File too large; there is no page status 3 " ] ||
	fail "report where no file may grow: $full"
[ "$(cat "$work/kept.html")" = old ] || fail "a page that could not be stored replaced another"
[ -z "$(find "$work" -name '*.html.*')" ] || fail "a part of a page was left behind"

# The bench refuses a missing GPU and invalid arguments.
for case in '77 --quick' '2 --seconds 0' '2 --html'; do
	status=0
	# shellcheck disable=SC2086
	SIMCUDA_DEVICES=0 EPOCHLY_GPU_CUDA_PATH=$build/simcuda/13 "$build/bench/crossover" \
		${case#* } >"$work/out" 2>&1 || status=$?
	[ "$status" -eq "${case%% *}" ] ||
		fail "crossover ${case#* } ended with status $status: $(cat "$work/out")"
done
echo "pages: well formed, and the check finds five faults"
