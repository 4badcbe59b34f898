# run_patched.sh - calls of a program that has overwritten libc's mremap are counted
# SPDX-License-Identifier: Apache-2.0
[ "$(uname -m)" = x86_64 ] || {
	echo 'skipped: the code that is written is that of x86-64'
	exit 77
}
"$GPUSHIM" run -- "$(dirname "$PROBE")/cli_patched" 2>&1
