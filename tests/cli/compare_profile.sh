# compare_profile.sh - the machine that the prediction is for
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
"$GPUSHIM" compare --runs 1 --profile a100 --warmup wait -- "$PROBE" calls |
	sed -n '/^here: /,$p' | sed -n 1,2p
cp "$(dirname "$GPUSHIM")/machines/a100.conf" mine.conf
"$GPUSHIM" compare --runs 1 --profile ./mine.conf --warmup wait -- "$PROBE" calls |
	sed -n '/^here: /,$p' | sed -n 1,2p
"$GPUSHIM" compare --runs 1 --policy never -- "$PROBE" calls | grep ^here: ||
	echo "no prediction where the options keep all calls here"
"$GPUSHIM" compare --runs 1 --profile nosuch -- "$PROBE" calls
echo "status $?"
