# golden_calibrate.sh - calibrate in 80 columns, with one thread and the simulated GPU
# SPDX-License-Identifier: Apache-2.0
here=$(dirname "$0")
. "$here/golden.inc"
[ -d "$SIMCUDA" ] || { echo "skipped: there is no simulated CUDA here"; exit 77; }
command -v taskset >/dev/null ||
	{ echo "skipped: taskset (Debian: util-linux) is not here"; exit 77; }
processor=$(taskset -cp $$ | sed -e 's/.*: //' -e 's/[-,].*//')
EPOCHLY_GPU_CUDA_PATH=$SIMCUDA taskset -c "$processor" "$GPUSHIM" calibrate --quick \
	--output first.conf >report 2>steps
for routine in dgemm fftw_c2c fftwf_c2c; do
	grep -q "^cpu_${routine}_t1" first.conf && continue
	echo "skipped: there is no $routine here: $(grep measured: steps | head -n 1)"
	exit 77
done
export EPOCHLY_GPU_CUDA_PATH="$SIMCUDA"
one() {
	taskset -c "$processor" "$@" 2>steps
}
golden calibrate one "$GPUSHIM" calibrate --quick --output machine.conf
unset EPOCHLY_GPU_CUDA_PATH
golden calibrate "$GPUSHIM" calibrate --quick
