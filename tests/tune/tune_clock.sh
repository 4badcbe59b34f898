#!/bin/sh
# tune_clock.sh - tune's expected time of an untried threshold against a run on virtual clocks
# SPDX-License-Identifier: Apache-2.0
# usage: tune_clock.sh BUILD PROGRAM
#
# The program's CPU library advances one clock instead of computing, the simulated CUDA another one;
# their sum is the clock of the process and of the shim. So the times in the log and those that the
# program prints are those of the clocks.
set -eu
build=$(cd "$1" && pwd)
program=$2
command -v python3 >/dev/null || { echo "skipped: no python3, which compares the times"; exit 77; }
[ -e "$build/simcuda/libcudart.so.13" ] ||
	{ echo "skipped: the simulated CUDA is not built"; exit 77; }
[ -e "$build/tests/hostile/other_libc.so" ] ||
	{ echo "skipped: tests/hostile, which has the other libc, is not built"; exit 77; }
# Its table of addresses is found by name. With the real clock the times would be those of the load.
nm "$build/libgpushim.so" 2>/dev/null | grep -q ' libc_slots$' ||
	{ echo "skipped: the library is stripped: its clock cannot be replaced"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work"

# The machine h200.clock as a profile, and the library of the program.
cat >machine.conf <<'END'
name = virtual clocks
cpu_threads = 1
link_up_bytes = 55.3e9
link_down_bytes = 53e9
link_duplex = 0.92
operation_ns = 8000
call_fixed_ns = 1
start_ns = 1
gpu_multiprocessors = 132
gpu_capability = 90
cpu_memory_bytes = 1e15
gpu_memory_bytes = 1e15
cpu_gemm_flops_s = 800e9
cpu_gemm_flops_d = 800e9
gpu_gemm_flops_s = 52e12
gpu_gemm_flops_d = 55e12
END

# One processor: the thread of a call then copies itself, and the virtual time stands still.
# Other threads would copy in real time while the call's own polls advance the virtual one.
processor=$(python3 -c 'import os; print(min(os.sched_getaffinity(0)))')
shim() {
	taskset -c "$processor" env -i PATH="$PATH" HOME="$work" XDG_RUNTIME_DIR="$work" LC_ALL=C \
		"EPOCHLY_GPU_RESIDENCY=$residency" \
		LD_PRELOAD="$build/libgpushim.so:$build/tests/hostile/other_libc.so" \
		OTHER_LIBC=clock \
		SIMCUDA_CLOCK="$build/simcuda/h200.clock" SIMCUDA_DRY=1 \
			EPOCHLY_GPU_CUDA_PATH="$build/simcuda" \
		EPOCHLY_GPU_PROFILE="$work/machine.conf" EPOCHLY_GPU_WARMUP=wait \
			EPOCHLY_GPU_POLICY=threshold "$@" \
		"$program" "$build/simcuda/libcudart.so.13"
}
tune() {
	env -i PATH="$PATH" HOME="$work" LC_ALL=C EPOCHLY_GPU_PROFILE="$work/machine.conf" \
		"$build/gpushim" tune "$@"
}

# Logs of four runs: all calls on the GPU, large ones, the largest, none. Each log has all calls,
# and its run uses none of the thresholds that tune proposes. Twice more with operands that stay on
# the GPU: a log tells of the calls there what was sent, and nothing of those on the CPU.
try() {
	residency=$1
	shim EPOCHLY_GPU_WORKLOAD_THRESHOLD=0 EPOCHLY_GPU_WORK_THRESHOLD="$2" \
		EPOCHLY_GPU_LOG="$work/$1.$2.log" >"$1.$2.took"
	tune --json "$1.$2.log" >"$1.$2.json"
	python3 -c 'import json, sys; print(json.load(sys.stdin)["threshold_bytes"])' \
		<"$1.$2.json" >"$1.$2.proposed"
	shim EPOCHLY_GPU_WORKLOAD_THRESHOLD="$(cat "$1.$2.proposed")" >"$1.$2.then"
}
for tried in 0 4e9; do
	try auto $tried
done
grep -q '"kept":' auto.0.log || { echo "FAIL: no operand stayed on the GPU"; exit 1; }
for tried in 0 1e9 4e9 1e18; do
	try off $tried
done
# The least time of all thresholds: each size in the log is tried in a real run.
sed -n 's/.*"bytes":\([0-9]*\),.*/\1/p' off.0.log | sort -nu >sizes
while read -r bytes; do
	echo "$bytes $(shim EPOCHLY_GPU_WORKLOAD_THRESHOLD="$bytes" </dev/null)"
done <sizes >all.took
cat >compare.py <<'END'
import json
failed = 0
least, best = min((int(line.split()[1]), int(line.split()[0])) for line in open("all.took"))
print("of all thresholds %d takes least: %.3f ms" % (best, least / 1e6))
for tried in ("auto.0", "auto.4e9", "off.0", "off.1e9", "off.4e9", "off.1e18"):
    facts = json.load(open(tried + ".json"))
    rows = {row["setting"]: row["time_ns"] for row in facts["settings"]}
    took, then = int(open(tried + ".took").read()), int(open(tried + ".then").read())
    expected = rows["best threshold"]
    kept = tried.startswith("auto")
    told = tried != "auto.4e9"
    print("%s: took %.3f ms; threshold %d: expected %.3f ms, came to %.3f (%+.1f %%)" %
          (tried, took / 1e6, facts["threshold_bytes"], expected / 1e6, then / 1e6, 100 * (expected / then - 1)))
    for holds, what in ((abs(rows["as recorded"] - took) <= 0.001 * took, "the log is not the run"),
                        (expected >= 0.95 * then, "expected less than 95 % of what came"),
                        (expected <= 1.05 * then or not told, "expected more than 105 % of what came"),
                        (then < took, "the proposal takes longer than the run that was tuned"),
                        (then <= 1.03 * least or kept, "another threshold takes less by more than 3 %")):
        if not holds:
            failed += 1
            print("  FAIL:", what)
raise SystemExit(failed > 0)
END
python3 compare.py
