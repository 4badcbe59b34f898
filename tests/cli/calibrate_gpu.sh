# calibrate_gpu.sh - every figure of a profile is measured, and what is stored is read again
# SPDX-License-Identifier: Apache-2.0
[ -d "$SIMCUDA" ] || { echo "skipped: there is no simulated CUDA here"; exit 77; }
mkdir folder
EPOCHLY_GPU_CUDA_PATH=$SIMCUDA "$GPUSHIM" calibrate --quick --output folder/machine.conf >report \
	2>steps
status=$?
for routine in dgemm dgetrf fftw_c2c fftwf_c2c; do
	grep -q "^cpu_${routine}_t1" folder/machine.conf && continue
	echo "skipped: there is no $routine here: $(grep measured: steps | head -n 1)"
	exit 77
done
echo "status $status"
grep -E '^(SIMULATED|QUICK|machine|rates|link|fixed|stored)' report
grep -cE '^  (s|d|c|z)gemm( +[0-9.]+ +<?[0-9]+ %)+$' report
grep -cE '^  (as operands|page-locked|pageable).*( +[0-9.]+ +<?[0-9]+ %){2}$' report
grep -cE '^  a (cuFFT plan|call|copy|small transform).* [0-9.]+ [num]?s +<?[0-9]+ %$' report
sed 's/with [0-9]* thread.*/with THREADS/' steps | uniq
# Texts and numbers; the speed of the simulated GPU does not matter.
grep -vE '^(cpu_[a-z0-9_]*_t[0-9]+|host|cpu|cpu_blas|cpu_lapack|cpu_fftw|#)' folder/machine.conf |
	sed -E -e 's/"[0-9T:-]+Z"/"WHEN"/' -e 's/= [0-9.e]*[1-9][0-9.e]*$/= NUMBER/' \
		-e 's/:[0-9.e]*[1-9][0-9.e]*/:RATE/g' \
		-e 's/name = "[^,]*,/name = "HOST,/'
grep -oE '^cpu_[a-z0-9_]*_t1 ' folder/machine.conf
ls folder
"$GPUSHIM" explain dgemm 64 64 64 --profile folder/machine.conf |
	sed -n 's/^machine .*\(with a SIMULATED GPU\).*/\1/p'
