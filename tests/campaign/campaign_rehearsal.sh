#!/bin/sh
# campaign_rehearsal.sh - the three parts of the bundle's run.sh on the simulated CUDA, limits cut
# SPDX-License-Identifier: Apache-2.0
# usage: campaign_rehearsal.sh SOURCE BUILD SCALE
# Steps may run into their limits; each end must leave its result.
set -eu
source=$1 build=$2 scale=$3
for program in link orders peers peers_host peers_cuda crossover memory sweep; do
	if [ ! -x "$build/bench/$program" ]; then
		echo "skipped: bench/$program is not built"
		exit 77
	fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
bundle="$work/a bundle" results="$work/the results"

fail() {
	echo "FAILED: $*"
	cat "$work/out" 2>/dev/null
	exit 1
}

sh "$source/cmake/bundle.sh" "$source" "$build" "$bundle" >"$work/out" || fail "no bundle"
cat "$work/out"

# rehearse PART SECONDS: the part ends in time, with a file for each step that began.
rehearse() {
	part=$1 begin=$(date +%s) status=0
	EPOCHLY_GPU_CUDA_PATH='' "$bundle/run.sh" "$part" --scale "$scale" --results "$results" \
		>"$work/out" 2>&1 || status=$?
	took=$(($(date +%s) - begin))
	most=$(awk -v scale="$scale" -v all="$2" 'BEGIN { printf "%d", 20 + 1.5 * all * scale }')
	cat "$work/out"
	[ "$status" -le 1 ] || fail "$part ended with status $status"
	[ "$took" -le "$most" ] || fail "$part took $took s, more than $most"
	grep -q SIMULATED "$results/$part/summary.txt" || fail "$part does not say SIMULATED"
	! grep -E 'FAILED with status (12[67]|2)$' "$results/$part/summary.txt" ||
		fail "$part: a step with wrong arguments"
	tar -tzf "$results/results-$part.tar.gz" >"$work/list" || fail "$part has no archive"
	for file in "$results/$part"/*.txt; do
		[ -s "$file" ] || fail "$file is empty"
		grep -q "^$part/$(basename "$file")$" "$work/list" ||
			fail "$(basename "$file") is not in the archive"
	done
}

rehearse first 480
[ -s "$results/machine.conf" ] || fail "first leaves no profile"
rehearse peers 540
grep -q '^dgemm 96 ' "$results/peers/table.txt" || fail "no table"
# With a fifth of a case's time even a machine that is busy elsewhere has a result.
if [ "$scale" = 0.1 ]; then
	grep -qE '^ +shim .* alike$' "$results/peers/table.txt" || fail "no result of the shim"
fi
! grep -q WRONG "$results/peers/table.txt" || fail "a wrong result"
rehearse tune 480
echo "rehearsal: all parts leave their results"
