# coverage_time.sh - times of routines are those of the program's own clock, whatever it does
# SPDX-License-Identifier: Apache-2.0
programs=$(dirname "$GPUSHIM")/tests/coverage
compare=$(dirname "$0")/../coverage/coverage_compare.py
. "$(dirname "$0")/../coverage/agree.sh"
[ -x "$programs/coverage_clock" ] ||
	{ echo "skipped: this build has no library that counts"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: no python3, which reads the JSON"; exit 77; }
for way in each nested threads jump killed fork sampled profiler interrupted idle signal short; do
	agree "$programs/coverage_clock" "$way"
	echo "$way: status $status"
	cat verdict
	grep -o 'the program handles SIGURG' report
done
