# trace_docs.sh - the lines of a trace in docs/tuning.md equal a real one except for numbers
# SPDX-License-Identifier: Apache-2.0
docs=$(dirname "$0")/../../docs/tuning.md
build=$(dirname "$GPUSHIM")
[ -d "$SIMCUDA" ] || { echo "skipped: there is no simulated CUDA here"; exit 77; }
[ -x "$build/simulation" ] || { echo "skipped: the example is not built"; exit 77; }
shape() {
	sed -E -e 's/"time":"[^"]*"/"time":"TIME"/' -e 's/[0-9]+([.][0-9]+)?/N/g'
}
EPOCHLY_GPU_CUDA_PATH=$SIMCUDA EPOCHLY_GPU_POLICY=always EPOCHLY_GPU_WARMUP=wait \
	EPOCHLY_GPU_TRACE=trace.json \
	"$GPUSHIM" run -- "$build/simulation" --size 64 --steps 1 >output 2>&1
shape <trace.json >is
sed -n '/^## Trace/,$p' "$docs" | sed -n 's/^    {/{/p' | shape >says
wc -l <says
if grep -vxFf is says; then echo "these are no lines of a trace"; fi
