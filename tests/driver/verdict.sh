# shellcheck shell=sh
# verdict.sh - for tests of tests: a folder for files, a count of faults found; to be sourced
# SPDX-License-Identifier: Apache-2.0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0 passed=0

# verdict yes|no SENTENCE: the sentence is said of what went wrong.
verdict() {
	if [ "$1" = yes ]; then
		passed=$((passed + 1))
	else
		echo "$2"
		failed=$((failed + 1))
	fi
}

# The end of the test.
verdict_tell() {
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ]
}
