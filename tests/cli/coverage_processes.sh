# coverage_processes.sh - forks, programs that execute others, threads, and a killed program
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
steady=$(dirname "$0")/coverage_steady.awk
programs=$(dirname "$GPUSHIM")/tests/coverage
[ -x "$programs/coverage_probe" ] ||
	{ echo "skipped: this build has no library that counts"; exit 77; }
for way in fork exec threads killed; do
	"$GPUSHIM" coverage -- "$programs/coverage_probe" "$way"
	echo "status $?"
done 2>&1 | awk -f "$steady"
# The tool run by the tool: one library counts, and the inner tool gets the folder.
"$GPUSHIM" coverage -- "$GPUSHIM" coverage -- "$programs/coverage_probe" single 2>&1 |
	awk -f "$steady"
