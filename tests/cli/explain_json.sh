# explain_json.sh - the same facts as JSON: valid, and equal to the text's
# SPDX-License-Identifier: Apache-2.0
cat >round.conf <<'END'
name = "quotes \" and \\ backslashes"
cpu_threads = 4
link_up_bytes = 10e9
link_down_bytes = 10e9
call_fixed_ns = 100e3
operation_ns = 0
link_duplex = 1
gpu_multiprocessors = 100
start_ns = 1e9
fft_plan_ns = 1e6
cpu_gemm_flops_d = 1e12
gpu_gemm_flops_d = 20e12
cpu_fft_flops_z = 50e9
gpu_fft_flops_z = 2e12
END
command -v python3 >/dev/null || { echo "skipped: no python3, which reads the JSON"; exit 77; }
cat >read.py <<'END'
import json, sys
for line in sys.stdin:
    facts = json.loads(line)
    call, gpu, cpu = facts["call"], facts["gpu"], facts["cpu"]
    parts = ("fixed_ns", "in_ns", "compute_ns", "out_ns")
    print(call["routine"], call["sizes"], call["bytes"], facts["machine"]["name"], facts["machine"]["threads"])
    print(" ", facts["target"], facts["reason"], facts["band"], "%.3g" % facts["speedup"], "start", facts["start_calls"],
          "plan", facts["plan_calls"])
    print("  speedup is of whole times:", abs(facts["speedup"] - cpu["whole_ns"] / gpu["whole_ns"]) < 1e-6 * facts["speedup"])
    print("  no part is longer than the whole:", all(side[part] <= side["whole_ns"] * 1.0001 for side in (cpu, gpu) for part in parts))
    print("  nothing overlaps on the CPU:", abs(sum(cpu[part] for part in parts) - cpu["whole_ns"]) < 1e-6 * cpu["whole_ns"])
    print("  changes:", [change.get("option", change.get("what")) for change in facts["changes"]])
END
for call in "dgemm 4096 4096 4096" "dgemm 200 200 200" "dgemm 64 64 1000000 --transa T" "fft 1024x1024 --threads 1" "c2r 1e6 --batch 4"; do
	# shellcheck disable=SC2086
	"$GPUSHIM" explain $call --profile round.conf --json || exit
done | python3 read.py
"$GPUSHIM" explain --break-even --profile round.conf --json | python3 -c 'import json, sys
facts = json.load(sys.stdin)
print(sorted(facts), facts["machine"]["name"], sorted(facts["formula"]))
print(all(("bytes" in row) == (row["smallest"] is not None) for row in facts["routines"]))'
