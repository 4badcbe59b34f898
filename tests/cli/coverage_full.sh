# coverage_full.sh - no room for the counts: the program runs as always, and the loss is reported
# SPDX-License-Identifier: Apache-2.0
programs=$(dirname "$GPUSHIM")/tests/coverage
library=$(dirname "$GPUSHIM")/libgpushim-coverage.so
[ -x "$programs/coverage_probe" ] ||
	{ echo "skipped: this build has no library that counts"; exit 77; }
grep -q gcda "$library" &&
	{ echo "skipped: an instrumented library writes files of its own"; exit 77; }
(
	ulimit -f 1
	"$GPUSHIM" coverage -- "$programs/coverage_probe" single
	echo "status $?"
) 2>&1 | sed -E -e 's/process [0-9]+/process PID/' -e 's/gpushim-[0-9-]+/gpushim-NUMBERS/'
