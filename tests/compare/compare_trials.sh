#!/bin/sh
# compare_trials.sh - `gpushim compare` many times on a program whose truth is known
# SPDX-License-Identifier: Apache-2.0
# usage: compare_trials.sh GPUSHIM SPINNER TRIALS PAIRS SLOWER [SHAPE [ITERATIONS]]
#
# SLOWER 0: A/A trials, of which 90 to 99 in a hundred intervals must contain 1. Otherwise the side
# with the shim is made that many percent slower, which 90 of a hundred trials must find and report
# by the exit status. SHAPE: a number of enum compare_noise in compare_noise.h.
set -eu

gpushim=$1
spinner=$2
trials=$3
pairs=$4
slower=$5
shape=${6-0}
iterations=${7-6000000}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
TMPDIR=$scratch
export TMPDIR

# Other load of the machine is noise that would hide the planted slow-down, so the trials get
# real-time priority where that is allowed.
first=
if chrt --fifo 1 true 2>/dev/null; then
	first="chrt --fifo 1"
fi

covered=0
found=0
trial=0
while [ "$trial" -lt "$trials" ]; do
	trial=$((trial + 1))
	rm -f "$scratch/state"
	status=0
	# shellcheck disable=SC2086 # several words, or none
	$first "$gpushim" compare --runs "$pairs" --seed "$trial" --fail-if-slower 0 \
		--export "$scratch/result.json" -- \
		"$spinner" "$scratch/state" "$trial" "$shape" "$iterations" "$slower" \
			>"$scratch/report" 2>"$scratch/errors" ||
		status=$?
	# shellcheck disable=SC2046 # three words
	set -- $(sed \
		-n 's/.*"ratio":\([0-9.]*\),"low":\([0-9.]*\),"high":\([0-9.]*\),.*/\1 \2 \3/p' \
		"$scratch/result.json")
	verdict=$(awk -v low="$2" -v high="$3" \
		'BEGIN { print(low > 1 ? "slower" : high < 1 ? "faster" : "equal") }')
	case $verdict:$status in
	slower:4) found=$((found + 1)) ;;
	equal:0) covered=$((covered + 1)) ;;
	faster:0) ;;
	*)
		echo "trial $trial: $1 ($2 to $3) and status $status do not go together"
		cat "$scratch/report" "$scratch/errors"
		exit 1
		;;
	esac
done
if [ "$slower" = 0 ]; then
	echo \
		"$covered of $trials intervals have the 1 (95 % interval, $pairs pairs, noise $shape)${first:+, by $first}"
	[ $((covered * 100)) -ge $((trials * 90)) ] && [ $((covered * 100)) -le $((trials * 99)) ]
else
	echo \
		"$slower % slower: found in $found of $trials trials ($pairs pairs, noise $shape)${first:+, by $first}"
	[ $((found * 100)) -ge $((trials * 90)) ]
fi
