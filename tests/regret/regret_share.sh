#!/bin/sh
# regret_share.sh - sharing calls with the CPU never makes a row worse, and makes some better
# SPDX-License-Identifier: Apache-2.0
# usage: regret_share.sh REGRET FOLDER [OPTION]...    options of bench/regret
set -eu
regret=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

"$regret" "$@" --check --share-cpu off >"$work/off"
"$regret" "$@" --check --share-cpu auto >"$work/auto"
# A row: names and rules | three runs of auto | ... A hundredth is the noise of other looks.
awk -F'|' 'FNR == 1 { file++ }
NF >= 3 && $2 ~ /[0-9]/ {
	name = $1
	split($2, times, " ")
	for (i = 1; i <= 3; i++) {
		if (file == 1)
			alone[name, i] = times[i]
		else {
			rows++
			worse += times[i] > alone[name, i] + 0.01
			better += times[i] < alone[name, i] - 0.05
			if (times[i] > alone[name, i] + 0.01)
				print "FAIL " name ": " times[i] " instead of " alone[name, i]
		}
	}
}
END {
	print rows + 0 " runs, " better + 0 " better, " worse + 0 " worse"
	exit worse > 0 || better == 0 || rows == 0
}' "$work/off" "$work/auto"
