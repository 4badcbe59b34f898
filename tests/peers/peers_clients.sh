#!/bin/sh
# peers_clients.sh - Python clients with the shim on the simulated CUDA, and with a faulty library
# SPDX-License-Identifier: Apache-2.0
# usage: peers_clients.sh SOURCE BUILD SPOILING_LIBRARY
set -eu
source=$1 build=$2 spoil=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

python=
for candidate in python3 /usr/bin/python3; do
	if [ -z "$python" ] && "$candidate" -c 'import numpy' 2>/dev/null; then
		python=$candidate
	fi
done
if [ -z "$python" ]; then
	echo "skipped: no python3 here has NumPy"
	exit 77
fi

run() {
	expected=$1 status=0
	shift
	TMPDIR=$work EPOCHLY_GPU_CUDA_PATH=$build/simcuda/13 "$python" "$source/bench/clients.py" "$@" --size 60 >"$work/out" 2>&1 ||
		status=$?
	cat "$work/out"
	[ "$status" -eq "$expected" ] || {
		echo "FAILED: status $status, not $expected"
		exit 1
	}
}

run 0 "$build/libgpushim.so"
grep -qE '^numpy .* 6 results alike.* [1-9][0-9]* calls on the GPU' "$work/out"
run 1 "$spoil"
grep -qE '^numpy .*WRONG' "$work/out"
