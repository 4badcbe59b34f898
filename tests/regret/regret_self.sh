#!/bin/sh
# regret_self.sh - bench/regret notices policies that are not good enough, and traces that are none
# SPDX-License-Identifier: Apache-2.0
#
# usage: regret_self.sh REGRET TRACES
set -eu
regret=$1 traces=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

# expect STATUS TEXT ARGUMENT...: how it ends, and a part of what it says.
expect() {
	status=0 wanted=$1 text=$2
	shift 2
	"$regret" "$@" >"$work/out" 2>&1 || status=$?
	if [ "$status" -ne "$wanted" ] || ! grep -qF -e "$text" "$work/out"; then
		echo "regret_self: FAIL: regret $* ended with $status, not $wanted," \
			"or did not say: $text"
		tail -n 5 "$work/out"
		failed=1
	fi
}

expect 1 'behind gpu' "$traces" --only octave --policy never --check
expect 1 'behind cpu' "$traces" --only octave --policy always --check
expect 0 'behind gpu' "$traces" --only octave --policy never
expect 1 '0 rows' "$traces" --only 'no such trace' --check
expect 1 'No such file' "$work/nowhere" --check
expect 2 usage "$traces" --seeds none
expect 2 'policy cannot be' "$traces" --policy sometimes

mkdir "$work/broken"
head -c 5000 "$traces/r.trace" >"$work/broken/cut.trace"
expect 1 "cut.trace: " "$work/broken" --check
printf 'GIF89a\001' >"$work/broken/cut.trace"
expect 1 'cut.trace: 1: byte 7 is not a printable character' "$work/broken"

[ $failed -eq 0 ] && echo "regret_self: what is wrong is said"
exit $failed
