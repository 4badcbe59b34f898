#!/bin/sh
# programs_instructions.sh - instructions that the shim adds to whole programs whose calls are too small for it
# SPDX-License-Identifier: Apache-2.0
#
# usage: programs_instructions.sh BUILD [NAME]...
#
# NAME is that of a fragment of tests/programs, in its quick size, of qe in the one called longer: what a preload costs
# the loader, 0.8 million instructions, is a part of what a run of 0.1 s costs. qe unless one is named. Each runs without, with and
# again without the shim under callgrind, which counts the instructions of all its processes; the shim has its defaults.
# Ends with 1 where a program executes more than 1.005 times its own instructions, with 77 where it cannot be measured.
set -eu
[ $# -ge 1 ] || { echo "usage: $0 BUILD [NAME]..."; exit 2; }
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")/../tests/programs" && pwd)
shift
[ $# -gt 0 ] || set -- qe
# shellcheck disable=SC2034 # size is for the fragments
size=quick
most=1.005 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

program_skip() {
	echo "programs_instructions: skipped, $*"
	exit 77
}

program_needs_command() {
	command -v "$1" >/dev/null 2>&1 || program_skip "$1 is not installed"
}

# What run_program.sh calls a clean environment, and the counter between its variables and the program.
program_clean() {
	variables=
	while :; do
		case $1 in
		*=*) variables="$variables $1" ;;
		*) break ;;
		esac
		shift
	done
	# shellcheck disable=SC2086 # their values have no blanks
	env -i $variables PATH="$PATH" LC_ALL=C HOME="$PWD" TMPDIR="$work/tmp" XDG_RUNTIME_DIR="$work/tmp" CUDA_VISIBLE_DEVICES=-1 \
		OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
		OMPI_MCA_plm_rsh_agent=false ${preload:+LD_PRELOAD="$preload"} \
		valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$work/counts/%p" "$@"
}

# count RUN PRELOAD: leaves the instructions of a run in RUN.count.
count() {
	preload=$2
	rm -rf "$work/run" "$work/tmp" "$work/counts"
	mkdir -m 700 "$work/run" "$work/tmp" "$work/counts"
	(cd "$work/run" && program) >"$work/$1.out" 2>"$work/$1.err" </dev/null || {
		echo "programs_instructions: FAIL $name ends with $?"
		tail -n 5 "$work/$1.err"
		exit 1
	}
	awk '/Collected :/ { sum += $NF } END { printf "%.0f\n", sum }' "$work"/counts/* >"$work/$1.count"
}

measure() {
	name=$1 size=quick
	[ "$name" != qe ] || size=longer
	prepare() { :; }
	# shellcheck source=/dev/null
	. "$here/$name.program"
	need
	prepare
	count base ''
	count shim "$build/libgpushim.so"
	count again ''
	cat "$work/base.count" "$work/shim.count" "$work/again.count" | awk -v name="$name" -v most="$most" '
		{ count[NR] = $1 }
		END {
			if (!count[1] || !count[3]) {
				print name ": nothing was counted"
				exit 1
			}
			own = (count[1] + count[3]) / 2
			printf "%-12s %12.0f instructions, with the shim %.4f times as many (at most %s); without it again %+.4f %%\n",
				name, own, count[2] / own, most, (count[3] / count[1] - 1) * 100
			exit count[2] / own > most
		}' || failed=1
}

program_needs_command valgrind
for name in "$@"; do
	measure "$name"
done
exit "$failed"
