#!/bin/sh
# quiet_end.sh - a program without a call binds no function of libc when it ends
# SPDX-License-Identifier: Apache-2.0
# Every process of a session has the shim, and to bind the first function takes some pages.
#
# usage: quiet_end.sh LIBRARY
set -eu

library=$1
command -v valgrind >/dev/null || {
	echo "skipped: valgrind is not installed"
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# binds [SETTING...]: whether the end of /bin/true looks for a function of libc
binds() {
	rm -f "$work/calls"
	env -i "$@" valgrind --quiet --tool=callgrind --callgrind-out-file="$work/calls" \
		--trace-children=yes /usr/bin/env LD_PRELOAD="$library" /bin/true
	grep -q 'libc_find_row' "$work/calls"
}

if binds; then
	echo "FAIL without a collector of counters functions of libc are bound"
	exit 1
fi
binds EPOCHLY_GPU_COUNTERS=/none || {
	echo "FAIL this test does not see that functions of libc are bound"
	exit 1
}
echo "a program without a call ends without a function of libc"
