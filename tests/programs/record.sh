#!/bin/sh
# record.sh - runs programs' quick tests under the shim and writes their outcome to results.table
# SPDX-License-Identifier: Apache-2.0
#
# usage: record.sh BUILD [PROGRAM]...
#
# Without names all programs of this folder are run. A program that is not installed keeps its row.
# A row has the program's file, its version, the system, the number of tests, the outcome, and the
# calls that were on the simulated GPU. tests/lint/programs.py --update SOURCE makes the table of
# docs/programs.md from it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1
shift
table=$here/results.table
# shellcheck source=/dev/null
system=$(. /etc/os-release && echo "$PRETTY_NAME")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# shellcheck disable=SC2046 # names of programs are plain words
[ $# -gt 0 ] || set -- $(cd "$here" && echo ./*.program | sed -e 's|\./||g' -e 's|\.program||g')
grep '^#' "$table" >"$work/head"
grep -v '^#' "$table" >"$work/rows" || :
for program; do
	status=0
	"$here/run_program.sh" "$program" quick always "$build" >"$work/out" || status=$?
	if [ "$status" -eq 77 ]; then
		cat "$work/out"
		continue
	fi
	awk -v program="$program" -v on="$system" '
		/: version / { sub(/.*: version /, ""); version = $0 }
		/^log: on the GPU: / { sub(/^log: on the GPU: /, ""); calls = $0 }
		/ verdicts, status / { tests = $2; outcome = $NF }
		END { printf "%s | %s | %s | %d | %s | %s\n", program, version, on, tests, outcome, calls }
	' "$work/out" >"$work/row"
	cat "$work/row"
	sed -i "/^$program |/d" "$work/rows"
	cat "$work/row" >>"$work/rows"
done
{ cat "$work/head" && LC_ALL=C sort "$work/rows"; } >"$work/table"
cat "$work/table" >"$table"
