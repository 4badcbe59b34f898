# compare_seconds.sh - --seconds: as many runs as fit into the time; no warm-up runs
# SPDX-License-Identifier: Apache-2.0
"$GPUSHIM" compare --seconds 0.000001 --warmup-runs 0 -- "$PROBE" slower | grep -E 'pairs? of'
"$GPUSHIM" compare --seconds 600 --runs 2 --warmup-runs 3 -- "$PROBE" slower | grep -E 'pairs? of'
"$GPUSHIM" compare --seconds 0.000001 --fail-if-slower 1 -- "$PROBE" slower 2>errors >report
echo "status $?"
cat errors
echo "== the output without the shim is the first one, whatever the order"
for seed in 1 2 3 4; do
	"$GPUSHIM" compare --runs 2 --warmup-runs 0 --seed $seed -- "$PROBE" differ |
		grep -A 2 '^output'
done
