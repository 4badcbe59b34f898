# shellcheck shell=sh
# steps.sh - a folder for files, and how tests fail, skip and show; to be sourced
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2034 # who sources this ends with $failed
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

fail() {
	echo "FAIL $*"
	failed=1
}
skip() {
	echo "skipped: $*"
	exit 77
}
# step WHAT COMMAND...: what it prints is shown where it fails, which ends the test.
step() {
	what=$1
	shift
	"$@" >"$work/log" 2>&1 || {
		tail -n 40 "$work/log"
		echo "FAIL $what"
		exit 1
	}
	echo "ok   $what"
}
