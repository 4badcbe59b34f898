# explain_options.sh - the decision follows the options; the proposed change changes the decision
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
cat >fast.conf <<'END'
name = "a fast GPU"
cpu_threads = 1
link_up_bytes = 20e9
link_down_bytes = 20e9
call_fixed_ns = 20e3
cpu_gemm_flops_d = 50e9
gpu_gemm_flops_d = 20e12
END
try() {
	echo "== $*"
	"$GPUSHIM" explain dgemm 500 500 100 --profile fast.conf "$@" |
		sed -n -e '/^decision/,/^speedup/p' -e 's/^  EPOCHLY/  EPOCHLY/p'
}
try
try --policy never
try --enabled off
try --policy always
try --policy dry
try --policy threshold
try --policy threshold --workload-threshold 1e6
try --workload-threshold 1e9
try --workload-threshold-dgemm 1e9
try --policy-dgemm never
try --work-threshold 1e12 --workload-threshold 1
try --k-threshold 200
try --deterministic on
export EPOCHLY_GPU_POLICY=never
try
try --policy always
unset EPOCHLY_GPU_POLICY
# The proposed change also works in the environment.
echo "== the change that is named"
"$GPUSHIM" explain dgemm 500 500 100 --profile fast.conf --policy threshold |
	sed -n 's/^  \(EPOCHLY[^ ]*\) .*/\1/p' >named
env "$(cat named)" EPOCHLY_GPU_POLICY=threshold "$GPUSHIM" explain dgemm 500 500 100 \
	--profile fast.conf | grep ^decision
# The option profile, a profile of another machine, and none at all.
echo "== where the machine comes from"
EPOCHLY_GPU_PROFILE=$WORK/fast.conf "$GPUSHIM" explain dgemm 500 500 100 | grep '^machine'
"$GPUSHIM" explain dgemm 500 500 100 --threads 3 | grep -A 2 '^machine'
mkdir -p "$HOME/.cache/gpushim"
{ cat fast.conf; echo 'host = "somewhere else"'; echo 'measured = "2026-11-01T00:00:00Z"'; } \
	>"$HOME/.cache/gpushim/machine-$(uname -n).conf"
"$GPUSHIM" explain dgemm 500 500 100 --threads 3 2>&1 |
	sed -e "s|$HOME|HOME|" \
		-e "s/machine-$(uname -n)/machine-HOST/" -e "s/this is '[^']*'/this is 'HOST'/" | \
		grep -A 2 '^machine\|gpushim:'
"$GPUSHIM" explain dgemm 500 500 100 --profile "$HOME/.cache/gpushim/machine-$(uname -n).conf" |
	grep -A 2 '^machine'
{ cat fast.conf; echo "host = \"$(uname -n)\""; echo 'measured = "2026-11-01T00:00:00Z"'; } \
	>"$HOME/.cache/gpushim/machine-$(uname -n).conf"
OMP_NUM_THREADS=1 "$GPUSHIM" explain dgemm 500 500 100 | sed "s/$(uname -n)/HOST/" |
	grep -A 2 '^machine'

# A matrix that the memory does not hold is streamed, where the routine can be.
for limit in 0 1000; do
	for call in 'dpotrf 20000' 'dgetrf 20000' 'dposv 20000 100' 'dgesv 20000 100'; do
		# shellcheck disable=SC2086 # a routine and its sizes
		EPOCHLY_GPU_MEMORY_LIMIT=$limit "$GPUSHIM" explain $call --profile h200 \
			--threads 16 | grep -A 2 '^recipe'
	done
done
