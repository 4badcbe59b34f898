#!/bin/sh
# quiet_gdb.sh - runs a program under gdb, with and without a breakpoint; prints its lines alone
# SPDX-License-Identifier: Apache-2.0
# usage: quiet_gdb.sh PROGRAM [ARGUMENT...]
set -eu
lines='^[a-z ]*: [0-9]* wrong$|exited (normally|with code)'
run() {
	gdb -q -nx -batch -ex 'set confirm off' -ex 'set startup-with-shell off' "$@" 2>&1
}
run -ex run --args "$@" | grep -oE "$lines" | sed 's/exited.*/exited/'
run -ex 'break work_dgemm' -ex run -ex finish -ex 'delete' -ex continue --args "$@" |
	grep -oE "$lines" | sed 's/exited.*/exited/'
