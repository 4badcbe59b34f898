# calibrate_nothing.sh - what cannot be measured is not in the profile; without any figure none
# SPDX-License-Identifier: Apache-2.0
[ -d "$SIMCUDA" ] || { echo "skipped: there is no simulated CUDA here"; exit 77; }
# Files that are no libraries hide the FFTW of the system.
mkdir hidden
for name in fftw3 fftw3f; do
	echo "no library" >"hidden/lib$name.so.3"
done
echo "the one before" >old.conf
LD_LIBRARY_PATH=$PWD/hidden "$GPUSHIM" calibrate --quick --cpu-blas nowhere.so \
	--output old.conf >report 2>steps
echo "status $?"
tail -n 1 steps
cat old.conf
LD_LIBRARY_PATH=$PWD/hidden "$GPUSHIM" calibrate --quick --cpu-blas nowhere.so \
	--output new.conf >report 2>steps
echo "status $?, $(ls new.conf 2>/dev/null | wc -l) files"
# failing WHAT: the GPU's part fails; nothing of it is stored, and one sentence says so.
failing() {
	EPOCHLY_GPU_CUDA_PATH=$SIMCUDA SIMCUDA_FAIL=$1 "$GPUSHIM" calibrate --quick \
		--output gpu.conf >report 2>steps
	echo "status $?, $1:" \
		"$(grep -cE '^(gpu|link|call|operation|start|fft_plan|cuda)' gpu.conf)" \
		"keys of the GPU, $(grep -cE '^cpu_' gpu.conf) or more of the CPU" |
		sed 's/ [1-9][0-9]* or more/ some/'
	# The operation that fails, and so the sentence, depends on the order of the GPU's streams.
	echo "$(tr -s '\n ' ' ' <steps |
		grep -oE 'the GPU is not measured: [^;]*;|the GPU: the measurement failed' |
		sort -u | wc -l) sentence"
	echo "$(grep -cE '^(link|fixed)' report) tables of the GPU"
}
failing 'cudaMalloc:1+'
failing 'cublasDgemm_v2:*'
failing 'cudaMemcpyAsync:40+'
failing 'kernel:30+:700'
