#!/bin/sh
# no_stdout.sh - the shim never writes to stdout, ends the program, or touches its locale or signals
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$1"
output='printf|puts|putchar|vprintf'
ends='abort|exit|_exit|quick_exit|assert'
changes='setlocale|setenv|putenv|unsetenv|sigaction|signal'
# sigaction(number, NULL, ...) asks only. session_leave.c ends the program where libc would, but for
# threads of CUDA. count_sample.c has a handler of SIGURG where the program has none.
if grep -rnE "\\b($output|$ends|$changes)[ ]*\\(" shim policy audit --include='*.c' |
	grep -vE '/\*|\bformat[ ]*\(|\bsigaction\([a-z]+, NULL,' |
	grep -vE '^audit/count/count_sample.c:.*sigaction\(SAMPLE_SIGNAL, ' |
	grep -v '^shim/execute/gpu/session/session_leave.c:.*exit(0);'; then
	echo "the functions above do not belong into another program's process"
	exit 1
fi
echo "no_stdout: nothing in the shim prints to stdout or ends the program"
