#!/bin/sh
# programs_instructions.sh - instructions that the shim adds to programs with small calls only
# SPDX-License-Identifier: Apache-2.0
#
# usage: programs_instructions.sh BUILD [NAME]...
#
# NAME: qe, the program of tests/programs in the size called longer; octave, some linear algebra; or
# a case of tests/real: rlang, numpy_debian. Without a NAME all four run. The programs are this long
# because the loader needs time for any preload: an empty library adds 0.8 million instructions to
# pw.x, and 3 million to Octave, 0.5 % of its start. Each program runs without, with and again
# without the shim under callgrind, which counts the instructions of all its processes; the shim has
# its defaults. Threads take turns, as on a machine with a core for each: otherwise the warm-up,
# which is short, would end thousands of calls later. Ends with 1 where a program executes more than
# 1.005 times its own instructions, with 77 where it cannot be measured.
set -eu
[ $# -ge 1 ] || { echo "usage: $0 BUILD [NAME]..."; exit 2; }
build=$(cd "$1" && pwd)
tests=$(cd "$(dirname "$0")/../tests" && pwd)
shift
[ $# -gt 0 ] || set -- qe octave rlang numpy_debian
most=1.005 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

program_skip() {
	echo "programs_instructions: skipped, $*"
	exit 77
}
skip() { program_skip "$@"; }

program_needs_command() {
	command -v "$1" >/dev/null 2>&1 || program_skip "$1 is not installed"
}
needs_command() { program_needs_command "$@"; }

# A clean environment, and callgrind in front, which follows the program's processes.
program_count_all() {
	env -i PATH="$PATH" LC_ALL=C HOME="$PWD" TMPDIR="$work/tmp" XDG_RUNTIME_DIR="$work/tmp" \
		CUDA_VISIBLE_DEVICES=-1 OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 \
		OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
		OMPI_MCA_plm_rsh_agent=false GPUSHIM_PRELOAD="$preload" \
		valgrind --tool=callgrind --fair-sched=yes --trace-children=yes \
		--callgrind-out-file=/dev/null --log-file="$work/counts/%p" "$@"
}

# What a fragment of tests/programs puts before its program.
program_clean() {
	program_count_all env ${preload:+LD_PRELOAD="$preload"} "$@"
}

# count RUN PRELOAD: leaves the instructions of a run in RUN.count.
count() {
	preload=$2
	rm -rf "$work/run" "$work/tmp" "$work/counts"
	mkdir -m 700 "$work/run" "$work/tmp" "$work/counts"
	(cd "$work/run" && run_counted) >"$work/$1.out" 2>"$work/$1.err" </dev/null || {
		echo "programs_instructions: FAIL $name ends with $?"
		tail -n 5 "$work/$1.err"
		exit 1
	}
	awk '/Collected :/ { sum += $NF } END { printf "%.0f\n", sum }' "$work"/counts/* \
		>"$work/$1.count"
}

# prepare_one: reads the fragment, and says how it is run.
prepare_one() {
	prepare() { :; }
	if [ "$name" = qe ]; then
		# shellcheck disable=SC2034 # size and here are for the fragments
		size=longer here=$tests/programs
		# shellcheck source=/dev/null
		. "$here/qe.program"
		run_counted() { program; }
	elif [ "$name" = octave ]; then
		need() { program_needs_command octave-cli; }
		run_counted() {
			program_clean octave-cli --norc --quiet --eval \
				'x = sin ((1:250)'"'"' * (1:250) + eye (250));
				 for k = 1:30, y = x * x; s = svd (y); f = fft2 (y); end'
		}
	else
		here=$tests/real
		# shellcheck source=/dev/null
		. "$here/$name.case"
		run_counted() {
			# shellcheck disable=SC2016 # it is the inner shell that expands them
			program_count_all sh -c 'here=$1; . "$here/$2.case"; program' \
				sh "$here" "$name"
		}
	fi
	need
	prepare
}

measure() {
	name=$1
	prepare_one
	count base ''
	count shim "$build/libgpushim.so"
	count again ''
	cat "$work/base.count" "$work/shim.count" "$work/again.count" |
		awk -v name="$name" -v most="$most" '
		{ count[NR] = $1 }
		END {
			if (!count[1] || !count[3]) {
				print name ": nothing was counted"
				exit 1
			}
			own = (count[1] + count[3]) / 2
			printf "%-12s %12.0f instructions, with the shim %.4f times as many ",
				name, own, count[2] / own
			printf "(at most %s); without it again %+.4f %%\n",
				most, (count[3] / count[1] - 1) * 100
			exit count[2] / own > most
		}' || failed=1
}

program_needs_command valgrind
for name in "$@"; do
	measure "$name"
done
exit "$failed"
