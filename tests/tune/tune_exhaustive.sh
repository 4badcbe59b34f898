#!/bin/sh
# tune_exhaustive.sh - the best threshold of recorded traces against a replay of every threshold
# SPDX-License-Identifier: Apache-2.0
# usage: tune_exhaustive.sh BUILD TRACE...
#
# The search adds up the times of all calls of one size; the replay reads the log and decides on
# each call as the shim does.
set -eu
build=$(cd "$1" && pwd)
shift
command -v python3 >/dev/null ||
	{ echo "skipped: no python3, which makes logs of the traces"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

cat >"$work/log_of_trace.py" <<'END'
# A trace's calls, once, as records: on a CPU of 12 Gflop/s, those of 20 MB and more on some GPU.
import json, math, sys
BYTES = {"s": 4, "d": 8, "c": 8, "z": 16}
def record(words, at):
    routine, flags, sizes = words[:3]
    if routine.startswith("fftw"):
        lengths, many = sizes.split("*")
        dims = [int(n) for n in lengths.split("x")]
        points, element = math.prod(dims) * int(many), 8 if routine.startswith("fftwf") else 16
        if not routine.endswith("c2c"):
            whole, half = points * element // 2, points // dims[-1] * (dims[-1] // 2 + 1) * element
            size = half if flags == "I" else whole + half
        else:
            size = points * element * (1 if flags == "I" else 2)
        flops = 5 * points * math.log2(max(2, math.prod(dims))) / (1 if routine.endswith("c2c") else 2)
        keys = {"n%d" % i: n for i, n in enumerate(dims)} | {"howmany": int(many)}
    else:
        m, n, k = (int(x) for x in sizes.split("x"))
        family, element = routine[1:], BYTES[routine[0]]
        square = family in ("trsm", "trmm", "symm", "hemm")
        update = family in ("syrk", "herk", "syr2k", "her2k")
        a, b = (k * k, m * n if family in ("symm", "hemm") else 0) if square else (m * k, 0 if family in ("syrk", "herk") else k * n)
        size, flops = element * (a + b + m * n), (1 if family in ("trsm", "trmm", "syrk", "herk") else 2) * m * n * k
        flops *= 4 if routine[0] in "cz" else 1
        keys = {"m": m, "n": n} if square else {"n": n, "k": k} if update else {"m": m, "n": n, "k": k}
    gpu = size >= 20e6
    took = 30000 + size / 9 + flops / 3000 if gpu else 300 + flops / 12
    return dict(time="2026-11-21T%02d:%02d:%02d.%06dZ" % (at // 3600000000 % 24, at // 60000000 % 60, at // 1000000 % 60, at % 1000000),
                pid=7, tid=7, object="trace", symbol=routine + "_", routine=routine, sizes=keys, bytes=size, flops=int(flops),
                target="gpu" if gpu else "cpu", reason="above_threshold" if gpu else "below_threshold", device=0 if gpu else -1,
                math="native" if gpu else "-", predicted_cpu_ns=-1, predicted_gpu_ns=-1, elapsed_ns=int(took))
at = calls = 0
for line in open(sys.argv[1]):
    words = line.split()
    if len(words) == 5 and words[1] != "":
        for _ in range(min(int(words[3]), 20)):
            one = record(words, at)
            at += (one["elapsed_ns"] + int(words[4])) // 1000
            calls += 1
            if calls <= 4000:
                print(json.dumps(one, separators=(",", ":")))
END

cat >"$work/exhaustive.py" <<'END'
import json, os, subprocess, sys
tool, log, name = sys.argv[1:4]
def tune(*options):
    done = subprocess.run([tool, "tune", "--json", "--threads", "1", "--profile", "workstation", "--warmup", "wait", *options, log],
                          stdout=subprocess.PIPE, check=True)
    facts = json.loads(done.stdout)
    return facts, {row["setting"]: row for row in facts["settings"]}
facts, rows = tune()
sizes = sorted({json.loads(line)["bytes"] for line in open(log)})
chosen = facts["threshold_bytes"]
best, least = None, float("inf")
for size in sizes + [sizes[-1] + 1]:
    took = tune("--policy", "threshold", "--workload-threshold", str(size))[1]["present settings"]["time_ns"]
    if took < least:
        best, least = size, took
found = rows["best threshold"]["time_ns"]
print("%s: best of %d sizes %s: %.6g s, found %s: %.6g s" % (name, len(sizes), best, least / 1e9, chosen, found / 1e9))
failed = abs(found - least) > 1e-6 * least
if chosen is not None:
    again = tune("--policy", "threshold", "--workload-threshold", str(chosen))[1]["present settings"]["time_ns"]
    failed = failed or abs(again - found) > 1e-6 * found
raise SystemExit(failed)
END

status=0
for trace; do
	name=$(basename "$trace" .trace)
	python3 "$work/log_of_trace.py" "$trace" >"$work/$name.log"
	env -i PATH="$PATH" HOME="$work" LC_ALL=C python3 "$work/exhaustive.py" "$build/gpushim" "$work/$name.log" "$name" || status=1
done
exit $status
