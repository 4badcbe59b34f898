#!/bin/sh
# tidy.sh - clang-tidy finds nothing in policy, shim, audit, measure, page and cli
# SPDX-License-Identifier: Apache-2.0
# usage: tidy.sh [--quick] SOURCE LIBRARY [FILE...]; compile_commands.json lies beside the library.
# quick: without the analyzer, which goes through paths and takes twenty times as long as all else;
# where git tells, only files that the last twenty commits or the working tree have changed
set -eu
checks=
quick=
if [ "$1" = --quick ]; then
	checks='-clang-analyzer-*'
	quick=yes
	shift
fi
source=$1
build=$(dirname "$2")
shift 2
if ! command -v clang-tidy >/dev/null; then
	echo "tidy: skipped, clang-tidy is not installed"
	exit 77
fi
case "$(clang-tidy --version)" in
*"version 14."*) ;;
*) echo "tidy: skipped, the checks of .clang-tidy are those of clang-tidy 14"; exit 77 ;;
esac
cd "$source"
# changed: prints the files with such changes; fails where git has no history of them
changed() {
	begin=$(git rev-parse --verify --quiet HEAD~20) && git diff --name-only --relative "$begin"
}
if [ $# -eq 0 ]; then
	# shellcheck disable=SC2046 # file names have no blanks here
	set -- $(sed -n 's/^ *"file": "\(.*\)",*$/\1/p' "$build/compile_commands.json" |
		grep -E '/(policy|shim|audit|measure|page|cli)/' | grep -v "^$PWD/tests/" | sort -u)
	if [ -n "$quick" ] && recent=$(changed 2>/dev/null); then
		# shellcheck disable=SC2046
		set -- $(printf '%s\n' "$@" | grep -Fx "$(printf '%s\n' "$recent" | sed "s|^|$PWD/|")")
	fi
fi
if [ $# -eq 0 ]; then
	echo "tidy: no file of these folders has changed"
	exit
fi
printf '%s\n' "$@" |
	xargs -P "$(nproc)" -n 4 clang-tidy --quiet --checks="$checks" -p "$build" 2>/dev/null
echo "tidy: $# files, no finding"
