# coverage_refused.sh - nothing to run or to count, a folder with garbage, libgpushim.so preloaded
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
steady=$(dirname "$0")/coverage_steady.awk
programs=$(dirname "$GPUSHIM")/tests/coverage
[ -x "$programs/coverage_probe" ] ||
	{ echo "skipped: this build has no library that counts"; exit 77; }
try() {
	"$GPUSHIM" coverage "$@"
	echo "status $?"
}
{
try
try --
try --policy always true
try ./nowhere
echo 'echo text' >text
try -- ./text
try -- true
try -- sh -c 'echo "a script"; exit 4'
try -- "$programs/coverage_probe" nothing
LD_PRELOAD="$(dirname "$GPUSHIM")/libgpushim.so" EPOCHLY_GPU_SUMMARY=stderr "$GPUSHIM" coverage -- \
	"$programs/coverage_probe" single
echo "status $?"
try --export /nowhere/file -- true
# shellcheck disable=SC2016 # the inner shell expands it
try -- sh -c 'test -d "$GPUSHIM_COVERAGE_FOLDER" && echo garbage >"$GPUSHIM_COVERAGE_FOLDER/gpushim-1-1.coverage"'
} 2>&1 | awk -f "$steady"
