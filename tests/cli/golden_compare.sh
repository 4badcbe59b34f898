# golden_compare.sh - compare in 80 columns, with its prediction and with several configurations
# SPDX-License-Identifier: Apache-2.0
here=$(dirname "$0")
. "$here/golden.inc"
ln -s "$PROBE" probe
compare() {
	golden compare "$GPUSHIM" compare "$@"
}
compare --runs 6 --warmup wait --profile a100 -- ./probe calls
compare --runs 2 --warmup-runs 0 --profile h200 --try threshold=1e9 \
	--try policy=never,verify=0.5 -- ./probe calls
compare --runs 1 --policy never -- ./probe differ
compare --runs 1 --policy never -- ./probe nearly
compare --runs 1 --policy never -- ./probe status
compare --runs 1 -- false
compare --runs 1 -- ./nowhere
golden compare "$GPUSHIM" compare --runs 0 -- true
compare --runs 2 --warmup-runs 0 --policy never --try residency=auto --try residency=track \
	-- ./probe calls
