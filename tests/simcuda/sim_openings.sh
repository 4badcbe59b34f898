#!/bin/sh
# sim_openings.sh - rules that need no real library are decided before one is opened
# SPDX-License-Identifier: Apache-2.0
# usage: sim_openings.sh RULES_TEST LIBRARY
set -eu
rules=$1 library=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# As wheels and the HPC SDK have them: each library in a folder of its own, here with a blank.
mkdir "$work/run time" "$work/blas" "$work/fft" "$work/solver"
cp "$library" "$work/run time/libcudart.so.13"
cp "$library" "$work/blas/libcublas.so.13"
cp "$library" "$work/fft/libcufft.so.12"
cp "$library" "$work/solver/libcusolver.so.12"
folders="$work/run time:$work/blas:$work/fft:$work/solver"

# opened DEVICES: runs all rules; $times: how often the rules opened the four libraries
opened() {
	rm -f "$work/openings"
	(cd "$work" && OPENINGS=$work/openings OPENINGS_DEVICES=$1 "$rules" "$folders" 13) \
		>"$work/out" 2>&1 || true
	times=$(($(wc -l <"$work/openings") / 4))
}

opened 0
[ "$times" -eq 1 ] || {
	echo "FAILED: $times openings where there is no device"
	exit 1
}
opened 1
skipped=$(grep -c ': skipped' "$work/out")
others=$(grep -cE ': (passed|FAILED)' "$work/out")
if [ "$skipped" -le 20 ] || [ "$times" -ne $((others + 1)) ]; then
	echo "FAILED: $times openings for $others rules that need a library, $skipped skipped"
	tail -n 5 "$work/out"
	exit 1
fi
echo "openings: $times for $others rules, none for the $skipped others"
