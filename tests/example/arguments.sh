#!/bin/sh
# arguments.sh - the simulation's options: help, refusals with status 2, an unwritable output
# SPDX-License-Identifier: Apache-2.0
# usage: arguments.sh SIMULATION
set -eu

simulation=$1
# shellcheck source=tests/driver/steps.sh
. "$(dirname "$0")/../driver/steps.sh"

# expect STATUS ARGUMENT...: a refused run must also print nothing on stdout and one line on stderr.
expect() {
	want=$1
	shift
	got=0
	"$simulation" "$@" >"$work/out" 2>"$work/err" || got=$?
	[ "$got" -eq "$want" ] || fail "status $got instead of $want: simulation $*"
	[ "$want" -eq 0 ] && return
	[ ! -s "$work/out" ] || fail "refused, but printed on stdout: simulation $*"
	[ "$(wc -l <"$work/err")" -eq 1 ] || fail "refused in other than one line: simulation $*"
}

expect 0 --help
grep -q '^usage: simulation' "$work/out" || fail "--help without a usage line"
expect 0 --size 16 --modes 1 --steps 0
expect 0 --size 32 --steps 3 --every 2
[ "$(grep -vc '^#' "$work/out")" -eq 3 ] || fail "3 steps, every 2: the last step is not printed"

for size in 0 15 33 -64 64x 99999999999999999999 ''; do
	expect 2 --size "$size"
done
expect 2 --size
expect 2 --size 64 --modes 33
expect 2 --steps -1
expect 2 --every 0
expect 2 --dt 0
expect 2 --dt nan
expect 2 --coupling inf
expect 2 --displacement ten
expect 2 --no-such-option
expect 2 stray

if [ -c /dev/full ]; then
	got=0
	"$simulation" --size 16 >/dev/full 2>"$work/err" || got=$?
	[ "$got" -eq 1 ] || fail "status $got instead of 1 for a full disk"
fi

[ "$failed" -eq 0 ] && echo "ok   help, refusals, full disk"
exit "$failed"
