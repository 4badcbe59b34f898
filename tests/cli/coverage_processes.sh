# coverage_processes.sh - forks, programs that become others, threads, and a program that is killed
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
programs=$(dirname "$GPUSHIM")/tests/coverage
[ -x "$programs/coverage_probe" ] ||
	{ echo "skipped: this build has no library that counts"; exit 77; }
for way in fork exec threads killed; do
	"$GPUSHIM" coverage -- "$programs/coverage_probe" "$way"
	echo "status $?"
done
# The tool in the tool: one library that counts, and the inner one has the folder.
"$GPUSHIM" coverage -- "$GPUSHIM" coverage -- "$programs/coverage_probe" single
