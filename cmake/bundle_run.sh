#!/bin/sh
# run.sh - tests and measures this bundle within nine minutes; usage: run.sh [FOLDER FOR RESULTS]
# SPDX-License-Identifier: Apache-2.0
set -u
here=$(cd "$(dirname "$0")" && pwd)
results=${1:-$here/results}
mkdir -p "$results" || exit 1
results=$(cd "$results" && pwd)
LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
begin=$(date +%s)
whole=540
failed=0

say() {
	echo "$*" | tee -a "$results/summary.txt"
}

# What pip installed for this machine's Python is searched for CUDA too.
if [ -z "${VIRTUAL_ENV:-}" ] &&
	prefix=$(python3 -c 'import sys; print(sys.prefix)' 2>/dev/null); then
	VIRTUAL_ENV=$prefix
	export VIRTUAL_ENV
fi

# bounded SECONDS COMMAND...: as timeout does it, or without a bound where there is none.
bounded() {
	seconds=$1
	shift
	if command -v timeout >/dev/null 2>&1; then
		timeout -k 5 "$seconds" "$@"
	else
		"$@"
	fi
}

# step FILE LIMIT UNTIL NAME COMMAND...: appends the command's output to FILE.txt. The command is
# ended after LIMIT seconds, or UNTIL seconds after the beginning of all. Returns its status; a step
# that is skipped (77) or left out is no failure.
step() {
	file=$1 limit=$2 left=$(($3 - $(date +%s) + begin)) name=$4
	shift 4
	[ "$left" -lt "$limit" ] && limit=$left
	if [ "$limit" -lt 3 ]; then
		say "$name: left out, the time is up"
		return 77
	fi
	if [ ! -e "$1" ] && ! command -v "$1" >/dev/null 2>&1; then
		say "$name: skipped, $1 is not here"
		return 77
	fi
	started=$(date +%s)
	echo "== $name: $*" >>"$results/$file.txt"
	bounded "$limit" "$@" >>"$results/$file.txt" 2>&1
	status=$?
	case $status in
	0) ending=passed ;;
	77) ending="skipped: $(tail -n 1 "$results/$file.txt")" ;;
	124 | 137) ending="stopped after $limit s" failed=$((failed + 1)) ;;
	*) ending="FAILED with status $status" failed=$((failed + 1)) ;;
	esac
	say "$name: $ending, $(($(date +%s) - started)) s"
	return $status
}

for file in summary.txt machine.txt tests.txt link.txt machine.conf peers.txt crossover.txt \
	crossover.html clients.txt overhead.txt; do
	rm -f "$results/$file"
done
{
	uname -sr
	grep -m 1 'model name' /proc/cpuinfo
	echo "processors: $(getconf _NPROCESSORS_ONLN)"
	grep -E '^(MemTotal|MemAvailable)' /proc/meminfo
	cat /sys/kernel/mm/transparent_hugepage/enabled
	nvidia-smi
} >"$results/machine.txt" 2>&1
"$here/gpushim" doctor -- "$here/simulation" >>"$results/machine.txt" 2>&1
have_gpu=$?
tail -n 25 "$results/machine.txt"

# Without a GPU the same programs run on the simulated CUDA, with small sizes, and say so.
if [ "$have_gpu" -eq 0 ]; then
	quick='' kind=real rules=-
else
	say "run: no GPU here: everything runs on the SIMULATED CUDA, and nothing below is a speed"
	quick=--quick kind=simulated rules=$here/simcuda/13
	EPOCHLY_GPU_CUDA_PATH=$here/simcuda
	export EPOCHLY_GPU_CUDA_PATH
fi

step tests 60 60 "rules ($kind)" "$here/simcuda_rules_test" "$rules" 13
for test in "$here"/tests/*; do
	[ -x "$test" ] && step tests 60 150 "$(basename "$test") ($kind)" "$test"
done
# shellcheck disable=SC2086 # nothing or one word
step link 80 230 "link ($kind)" "$here/bench/link" $quick --profile "$results/machine.conf"
if [ -f "$results/machine.conf" ]; then
	# shellcheck disable=SC2086
	step link 60 260 "orders ($kind)" "$here/bench/orders" "$results/machine.conf" $quick
	cat "$results/link.txt"
	# shellcheck disable=SC2086
	step peers 250 450 "peers ($kind)" \
		"$here/bench/peers" $quick --profile "$results/machine.conf" --seconds 190
	cat "$results/peers.txt" 2>/dev/null
else
	cat "$results/link.txt" 2>/dev/null
	say "orders, peers: left out, link wrote no profile"
fi
# shellcheck disable=SC2086
step crossover 60 480 "crossover ($kind)" \
	"$here/bench/crossover" $quick --seconds 30 --html "$results/crossover.html"
cat "$results/crossover.txt" 2>/dev/null
size=2000
[ -n "$quick" ] && size=100
step clients 60 510 "clients ($kind)" \
	python3 "$here/bench/clients.py" "$here/libgpushim.so" --size "$size"
cat "$results/clients.txt" 2>/dev/null
# As many pairs as an interval takes.
step overhead 120 "$whole" "compare ($kind)" \
	"$here/gpushim" compare --runs 6 -- "$here/simulation"
step overhead 120 "$whole" "overhead (needs no GPU)" "$here/bench/overhead"
tail -n 40 "$results/overhead.txt" 2>/dev/null

echo
cat "$results/summary.txt"
took=$(($(date +%s) - begin))
if [ "$failed" -eq 0 ]; then
	echo "run: nothing failed, $took s; results in $results"
else
	echo "run: $failed steps failed, $took s; results in $results"
	exit 1
fi
