# calibrate_solver.sh - LAPACK on the GPU without a cuSOLVER, without Xgeev, and where a call fails
# SPDX-License-Identifier: Apache-2.0
[ -d "$SIMCUDA" ] || { echo "skipped: there is no simulated CUDA here"; exit 77; }
# calibrate FOLDER [VARIABLE=VALUE]: its messages, and what the profile has of LAPACK on the GPU
calibrate() {
	folder=$1
	shift
	echo "== ${folder#"$SIMCUDA"} $*"
	env "$@" EPOCHLY_GPU_CUDA_PATH="$folder" \
		"$GPUSHIM" calibrate --quick --output profile.conf 2>messages >report ||
		echo "status $?"
	grep -v ': measuring ' messages
	grep -oE '^(solver_start_ns|gpu_d(ge|po|sy)[a-z]*)' profile.conf
	grep -cE '^  (start of cuSOLVER|dgeqrf|dgeev) ' report
}
calibrate "$SIMCUDA"
calibrate "$SIMCUDA/12"
calibrate "$SIMCUDA/bare-solver"
calibrate "$SIMCUDA" SIMCUDA_FAIL=cusolverDnXpotrf:1+
calibrate "$SIMCUDA" SIMCUDA_FAIL=cusolverDnCreate:1+
