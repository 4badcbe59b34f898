#!/bin/sh
# run_program.sh - a program's own tests without and with the shim: same verdicts, calls on the GPU
# SPDX-License-Identifier: Apache-2.0
#
# usage: run_program.sh NAME SIZE WAY BUILD
#
# NAME.program is a shell fragment:
#   need        checks what must be installed, by program_needs_... or program_skip
#   prepare     makes what program needs below $work or $build
#   program     runs the tests in the current folder, which is empty; their output goes to stdout
#   verdicts    filters that output: one line per test and its outcome, without times and digits
#   least       the least number of verdicts, so that missing tests are noticed
#   version     the program's name and version, one line
#   executions  optional: how often the program calls symbols, in lines "symbol kind count" for
#               executions.awk
#   callers     optional: how the names of libraries begin that must have calls on the GPU
#   clocked     optional: says something if the output has times
# SIZE is quick (seconds) or full; it is $size in the fragment. WAY is one of
#   always      every eligible call on the simulated GPU
#   nan         likewise, and fresh memory is NaN in both runs
#   cards       likewise, with four GPUs, of which each rank of MPI has one; the same stdout, byte
#               for byte, where the program prints no times
#   nogpu       likewise, but there is no GPU: every call on the CPU
#   default     no option is set
# NAME.expect names the symbols that must be seen on the GPU, "symbol full" those that only the size
# full calls.
set -eu
usage() {
	echo "usage: $0 NAME quick|full always|nan|cards|nogpu|default BUILD"
	exit 2
}
[ $# -eq 4 ] || usage
name=$1 size=$2 way=$3
build=$(cd "$4" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
shim=$build/libgpushim.so
nan_malloc=$build/tests/suites/libnan_malloc.so
failed=0 preload='' settings='' counter=''
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

program_say() {
	printf '%s\n' "programs.${name}_${size}_$way: $*"
}

program_skip() {
	program_say "skipped, $*"
	exit 77
}

program_fail() {
	program_say "FAIL $*"
	failed=1
}

program_needs_command() {
	command -v "$1" >/dev/null 2>&1 || program_skip "$1 is not installed"
}

# program_clean COMMAND...: runs it in the environment that all runs share; $preload, $settings and
# $counter differ between runs. MPI ranks start on this machine only, as root if the test runs as
# root.
program_clean() {
	# shellcheck disable=SC2086 # one word per setting; one per word of the counter
	env -i PATH="$PATH" LC_ALL=C TZ=UTC HOME="$PWD" TMPDIR="$work/tmp" \
		XDG_RUNTIME_DIR="$work/tmp" \
		OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 CUDA_VISIBLE_DEVICES=-1 \
		OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 \
		PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm_rsh_agent=false \
			PRTE_MCA_plm_ssh_agent=false \
		OMPI_MCA_btl_vader_single_copy_mechanism=none \
		$settings ${preload:+LD_PRELOAD="$preload"} $counter "$@"
}

# program_package NAME...: the version of the first of these packages that is installed, without
# Debian's own part of it.
program_package() {
	dpkg-query -W -f='${db:Status-Status} ${Version}\n' "$@" 2>/dev/null |
		sed -n 's/^installed //p' |
		sed -E -e 's/^[0-9]*://' -e 's/-[^-]*$//' -e 's/[+~.]*(dfsg|ds[0-9]|git).*//' -e 1q
}

# program_needs_ranks N: in a sandbox mpirun may exist but fail to start processes.
program_needs_ranks() {
	program_needs_command mpirun.openmpi
	program_clean mpirun.openmpi --oversubscribe -n "$1" true >"$work/mpirun" 2>&1 </dev/null ||
		program_skip \
			"mpirun cannot start $1 processes here: $(grep -v '^[- ]*$' "$work/mpirun" | head -n 1)"
}

# program_launch RUN PRELOAD SETTINGS: writes RUN.out, RUN.err, RUN.status and RUN.verdicts.
program_launch() {
	run=$1 preload=$2 settings=$3
	rm -rf "$work/run" "$work/tmp"
	mkdir -m 700 "$work/run" "$work/tmp"
	status=0
	(cd "$work/run" && program) >"$work/$run.out" 2>"$work/$run.err" </dev/null || status=$?
	echo "$status" >"$work/$run.status"
	verdicts <"$work/$run.out" >"$work/$run.verdicts"
}

# program_count PATTERN: prints lines for `executions`: how often the program calls the symbols that
# match and can be taken, counted by `gpushim coverage` in a run of its own without the shim. All of
# these must be eligible.
program_count() {
	counter="$build/gpushim coverage --"
	program_launch counted '' ''
	counter=
	[ "$(cat "$work/counted.status")" = "$(cat "$work/base.status")" ] || return 1
	awk -v pattern="$1" '
		$1 ~ pattern && $2 ~ /^[0-9,]+$/ { gsub(",", "", $2); calls[$1] += $2 }
		END { for (symbol in calls) { print symbol, "eligible", calls[symbol]; some = 1 } exit !some }' "$work/counted.err"
}

program_compare() {
	count=$(wc -l <"$work/base.verdicts")
	[ "$count" -ge "$least" ] ||
		program_fail "$count verdicts without the shim, at least $least were expected"
	diff "$work/base.verdicts" "$work/shim.verdicts" >"$work/difference" || {
		program_fail "verdicts differ (<: without the shim, >: with it)"
		head -n 40 "$work/difference"
	}
	cmp -s "$work/base.status" "$work/shim.status" ||
		program_fail \
			"status $(cat "$work/shim.status")," \
				"without the shim $(cat "$work/base.status")"
	if grep -a '^gpushim: ' "$work/shim.err"; then
		program_fail "the shim had to say something"
	fi
}

# Records name the library or program that called.
program_check_callers() {
	for library in $(callers); do
		grep "\"object\":\"$library" "$work/log.json" | grep -q '"target":"gpu"' ||
			program_fail "no call of $library was on the GPU"
	done
}

program_check_log() {
	awk -v size="$size" '!/^#/ && NF && ($2 == "" || $2 == size) { print $1 }' \
		"$here/$name.expect" >"$work/expect"
	touch "$work/log.json"
	if [ "$way" != nogpu ]; then
		awk -f "$here/../driver/decision_log.awk" -f "$here/eligible.awk" "$work/expect" \
			"$work/log.json" ||
			program_fail "the log is not as it should be"
	fi
	[ "$way" = nogpu ] || program_check_callers
	executions >"$work/executions" || program_fail "the executions could not be counted"
	awk -v way="$way" -f "$here/../driver/decision_log.awk" -f "$here/executions.awk" \
		"$work/expect" "$work/executions" "$work/log.json" ||
		program_fail "the log has other calls than the program"
}

# Each process was on one GPU, and each of the four had as many processes.
program_check_cards() {
	awk '
		/"target":"gpu"/ && match($0, /"pid":[0-9]+/) {
			pid = substr($0, RSTART + 6, RLENGTH - 6)
			match($0, /"device":[0-9]+/)
			device = substr($0, RSTART + 9, RLENGTH - 9)
			if (pid in card && card[pid] != device)
				wrong = 1
			if (!(pid in card))
				count[device]++
			card[pid] = device
		}
		END {
			for (device in count) {
				printf "GPU %d: %d processes\n", device, count[device]
				wrong = wrong || count[device] != count[0]
				cards++
			}
			exit wrong || cards != 4
		}' "$work/log.json" || program_fail "ranks are not on GPUs of their own"
	[ -n "$(clocked)" ] || cmp "$work/base.out" "$work/shim.out" || program_fail "stdout differs"
}

program_explain() {
	program_say "the end of stdout and stderr without the shim, then with it:"
	for file in base.out base.err shim.out shim.err; do
		tail -n 15 "$work/$file"
	done
}

always="EPOCHLY_GPU_POLICY=always EPOCHLY_GPU_WARMUP=wait EPOCHLY_GPU_LOG=$work/log.json"
case $way in
# Singular values of 1500 x 1000 take the simulated CUDA a minute of a busy processor.
always | nan) always="$always EPOCHLY_GPU_CUDA_PATH=$build/simcuda/13 EPOCHLY_GPU_PATIENCE=900" ;;
cards) always="$always EPOCHLY_GPU_CUDA_PATH=$build/simcuda/13 SIMCUDA_DEVICES=4" ;;
nogpu) ;;
default) always= ;;
*) usage ;;
esac
mkdir -m 700 "$work/tmp"
prepare() { :; }
executions() { :; }
callers() { :; }
clocked() { :; }
version() { :; }
# shellcheck source=/dev/null
. "$here/$name.program"
need
behind=
if [ "$way" = nan ]; then
	[ -e "$nan_malloc" ] || program_skip "there is no $nan_malloc"
	behind=$nan_malloc
fi
prepare
program_launch base "$behind" ''
program_launch shim "$shim${behind:+:$behind}" "$always"
program_compare
[ "$way" = default ] || program_check_log
[ "$way" != cards ] || program_check_cards
[ "$failed" -eq 0 ] || program_explain
program_say "version $(version)"
program_say \
	"$count verdicts, status $(cat "$work/base.status"), $([ "$failed" -eq 0 ] && echo passed || echo failed)"
exit "$failed"
