# coverage_policy.sh - what the options say of where the work goes that the shim can take
# SPDX-License-Identifier: Apache-2.0
probe=$(dirname "$GPUSHIM")/tests/coverage/coverage_probe
[ -x "$probe" ] || { echo "skipped: this build has no library that counts"; exit 77; }
try() {
	echo "${1:-default}:"
	env "$@" "$GPUSHIM" coverage -- "$probe" blas 2>&1 >output |
		sed -n '/^the shim can take/,$p' | tr '\n' ' ' | grep -o 'Gflop[,:;] .*'
}
try
try EPOCHLY_GPU_POLICY=threshold
try EPOCHLY_GPU_DETERMINISTIC=1
try EPOCHLY_GPU_WORKLOAD_THRESHOLD=1e6
try EPOCHLY_GPU_POLICY=always
try EPOCHLY_GPU_POLICY=never
try EPOCHLY_GPU_POLICY=dry
try EPOCHLY_GPU_ENABLED=0
