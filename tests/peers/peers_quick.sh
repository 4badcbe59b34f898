#!/bin/sh
# peers_quick.sh - link and peers with tiny sizes on the simulated CUDA; a wrong result is reported
# SPDX-License-Identifier: Apache-2.0
# usage: peers_quick.sh BUILD SPOILING_LIBRARY
set -eu
build=$1 spoil=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

for program in link orders peers peers_host peers_cuda; do
	if [ ! -x "$build/bench/$program" ]; then
		echo "skipped: bench/$program is not built"
		exit 77
	fi
done
if [ ! -e "$build/simcuda/13/libcublas.so.13" ]; then
	echo "skipped: the simulated CUDA is not built"
	exit 77
fi

fail() {
	echo "FAILED: $*"
	cat "$work/out" "$work/err" 2>/dev/null
	exit 1
}

# run STATUS COMMAND...: writes its output to $work/out and err.
run() {
	expected=$1 status=0
	shift
	TMPDIR=$work EPOCHLY_GPU_CUDA_PATH=$build/simcuda/13 "$@" >"$work/out" 2>"$work/err" ||
		status=$?
	[ "$status" -eq "$expected" ] || fail "$* ended with status $status, not $expected"
}

# has PATTERN...: each must match a line of the output.
has() {
	for pattern in "$@"; do
		grep -qE "$pattern" "$work/out" || fail "no line has $pattern"
	done
}

run 0 "$build/bench/link" --quick --profile "$work/machine.conf"
has '^SIMULATED' '^QUICK' 'page-locked alone' '^staging' '^dgemm of panels' 'zgemm' \
	'z2z 3-D of 512' 'a whole call' 'huge pages'
for key in link_up_bytes link_down_bytes link_duplex gpu_multiprocessors operation_ns \
	call_fixed_ns gpu_gemm_flops_d gpu_fft_flops_z; do
	grep -qE "^$key = [0-9.e+]*[1-9]" "$work/machine.conf" ||
		fail "the profile has no $key: $(cat "$work/machine.conf")"
done

# The engine records an event behind each copy, plain copies have none: delayed events show in the
# rates of ordinary memory alone.
run 0 env SIMCUDA_SLOW=cudaEventRecord:10 "$build/bench/link" --quick --profile "$work/slow.conf"
for way in up down; do
	awk -v staged="link_${way}_bytes" -v pinned="link_${way}_pinned_bytes" '
		{ value[$1] = $3 }
		END { exit !(value[staged] > 0 && 4 * value[staged] < value[pinned]) }' "$work/slow.conf" ||
		fail "page-locked and staged rates are not apart: $(cat "$work/slow.conf")"
done

run 0 "$build/bench/orders" "$work/machine.conf" --quick
has '^SIMULATED' '^   planned' '^   A resident .* columns ' '^   growing square .* rings '
if grep -E 'WRONG|NOT RUN' "$work/out"; then
	fail "the lines above"
fi
run 0 "$build/bench/peers" --quick --profile "$work/machine.conf"
[ ! -s "$work/err" ] || fail "there are complaints"
has '^SIMULATED'
# Every case has its rows; no row of the shim lacks a result or has a wrong one.
cases=$(grep -c ' up, .* down; at least ' "$work/out")
[ "$cases" -ge 9 ] || fail "only $cases cases"
for contestant in 'CPU library' shim 'plain CUDA' 'on the device'; do
	rows=$(grep -cE "^   $contestant +[0-9.]+ \[.* 5 " "$work/out")
	[ "$rows" -eq "$cases" ] || fail "$rows rows of $contestant in $cases cases"
done
if grep -E 'WRONG|shim.*ran on the CPU|goal' "$work/out"; then
	fail "the lines above"
fi
[ -z "$(find "$work" -name 'peers-*')" ] || fail "it left files behind"

# With another library in the place of the shim.
mkdir -p "$work/other/bench"
cp "$build/bench/peers" "$build/bench/peers_host" "$build/bench/peers_cuda" "$work/other/bench/"
run 0 "$work/other/bench/peers" --quick --profile "$work/machine.conf"
has 'shim .*MISSING: there is no libgpushim.so'
cp "$spoil" "$work/other/libgpushim.so"
run 1 "$work/other/bench/peers" --quick --profile "$work/machine.conf"
has '^   shim .*WRONG'
[ "$(grep -c WRONG "$work/out")" -eq 1 ] || fail "only one product is wrong"

# NVBLAS beside the cuBLAS that the shim takes goes before a newer one elsewhere, and the card's
# clock is what nvidia-smi tells during each case.
mkdir -p "$work/cuda" "$work/bin"
cp "$build"/simcuda/13/* "$work/cuda/"
cp "$spoil" "$work/cuda/libnvblas.so.12"
cat >"$work/bin/nvidia-smi" <<'P'
#!/bin/sh
echo "345, 80.5, 30, 0"
echo "1200, 300.5, 50, 90"
echo "1980, 650.5, 60, 99"
exec sleep 600
P
chmod +x "$work/bin/nvidia-smi"
run 0 env EPOCHLY_GPU_CUDA_PATH="$work/cuda" PATH="$work/bin:$PATH" "$build/bench/peers" --quick \
	--profile "$work/machine.conf" --group goals --figures "$work/figures"
has '^   NVBLAS  .*WRONG' '^   the card: 1200 to 1980 MHz while busy, at most 650 W, 60 C'
grep -qE '^dgemm 96,shim,.*,alike,1200,1980,650$' "$work/figures" ||
	fail "the figures: $(cat "$work/figures")"

# Without a GPU, and with a GPU that has no memory left.
run 77 env SIMCUDA_DEVICES=0 "$build/bench/peers" --quick --profile "$work/machine.conf"
has '^peers: skipped, '
run 77 env SIMCUDA_DEVICES=0 "$build/bench/link" --quick
has '^link: skipped, '
run 1 env SIMCUDA_FAIL=kernel:3+ "$build/bench/peers" --quick --profile "$work/machine.conf"
has '^   plain CUDA .*(NOT RUN: |then )ended with status 1'
# A contestant that hangs is killed, keeps what it had, and leaves the others their share.
run 1 env SIMCUDA_FAIL=kernel:3:hang "$build/bench/peers" --quick --profile "$work/machine.conf" \
	--group goals --case-seconds 5 --figures "$work/hung"
grep -qE '^dgemm 96,shim,[0-9.e-]*[1-9][0-9.e-]*,.*,then killed: no answer' "$work/hung" ||
	fail "no figures of a shim that hangs later: $(cat "$work/hung")"
grep -qE '^dgemm 96,on the device,[0-9.e-]*[1-9]' "$work/hung" ||
	fail "one that hangs takes the time of the others: $(cat "$work/hung")"
echo "peers: $cases cases by all contestants, and a wrong one is found"
