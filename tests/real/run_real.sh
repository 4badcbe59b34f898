#!/bin/sh
# run_real.sh - a real program without and with the shim: same numbers, and the expected calls
# SPDX-License-Identifier: Apache-2.0
# usage: run_real.sh NAME always|threshold BUILD
#
# NAME.case is a shell fragment: need() lists what must be installed, prepare() builds in $work,
# program() runs. The program prints lines "label double|single numbers...". NAME.expect holds lines
# "symbol count": the calls that the program's source makes past the gate if every call passes it.
set -eu
name=$1 way=$2 build=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
HOME=$work XDG_CONFIG_HOME=$work/config XDG_RUNTIME_DIR=$work
export HOME XDG_CONFIG_HOME XDG_RUNTIME_DIR
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1

skip() {
	echo "real_$name: skipped, $1"
	exit 77
}
needs_command() {
	command -v "$1" >/dev/null 2>&1 || skip "$1 is not installed"
}
prepare() { :; }
# shellcheck source=/dev/null
. "$here/$name.case"
need
prepare

program >"$work/off" 2>"$work/off.err" ||
	{ cat "$work/off.err"; skip "it does not run here without the shim either"; }
log=$work/log.json
(
	export EPOCHLY_GPU_LOG="$log" EPOCHLY_GPU_POLICY="$way"
	if [ "$way" = always ]; then
		export EPOCHLY_GPU_CUDA_PATH="$build/simcuda" EPOCHLY_GPU_WARMUP=wait
	else
		export EPOCHLY_GPU_POLICY=threshold EPOCHLY_GPU_WORKLOAD_THRESHOLD=0
	fi
	export GPUSHIM_PRELOAD="$build/libgpushim.so"
	program
) >"$work/on" 2>"$work/on.err" || { cat "$work/on.err"; echo "fails with the shim"; exit 1; }
diff "$work/off.err" "$work/on.err" || { echo "stderr differs"; exit 1; }

# Norm-wise, for each vector: |on - off| <= tolerance |off|.
paste -d ' ' "$work/off" "$work/on" | awk '
	NF % 2 || $1 != $(NF / 2 + 1) { print "line " NR " differs in shape: " substr($0, 1, 200); bad = 1; next }
	{
		half = NF / 2; difference = norm = 0
		tolerance = $2 == "single" ? 1e-5 : 1e-13
		for (i = 3; i <= half; i++) { d = $i - $(i + half); difference += d * d; norm += $i * $i }
		error = sqrt(difference) / (norm > 0 ? sqrt(norm) : 1)
		printf "%-24s %s  error %.1e (at most %g)\n", $1, $2, error, tolerance
		if (!(error <= tolerance)) bad = 1
	}
	END { if (NR == 0) { print "the program printed nothing"; bad = 1 } exit bad }' || exit 1

# Compares the log with the expectation: every eligible call on the GPU, or all of them on the CPU
# for one reason.
target=gpu
[ "$way" = always ] || target=cpu
awk -F'"' '{ for (i = 2; i < NF; i++) { if ($i == "symbol") s = $(i + 2); if ($i == "target") t = $(i + 2) } print s, t }' \
	"$log" | LC_ALL=C sort | uniq -c | awk '{ print $2, $3, $1 }' >"$work/counts"
awk -v target="$target" '!/^#/ && NF { print $1, target, $2 }' "$here/$name.expect" |
	LC_ALL=C sort >"$work/expect"
diff "$work/expect" "$work/counts" ||
	{ echo "calls differ from NAME.expect (<: expected, >: logged)"; exit 1; }
echo "real_$name: $(wc -l <"$log") decisions, all on the $target"
