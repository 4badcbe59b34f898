# coverage_reach.sh - calls past any preload, addresses kept as data, routines linked statically
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
programs=$(dirname "$GPUSHIM")/tests/coverage
[ -x "$programs/coverage_probe" ] ||
	{ echo "skipped: this build has no library that counts"; exit 77; }
steady=$(dirname "$0")/coverage_steady.awk
{
	export COVERAGE_MODULE="$programs/libcoverage_module.so"
	for way in dlsym namespace reload; do
		"$GPUSHIM" coverage -- "$programs/coverage_probe" "$way"
		echo "status $?"
	done
	"$GPUSHIM" coverage -- "$programs/coverage_probe_symbolic" blas
	echo "status $?"
	"$GPUSHIM" coverage -- "$programs/coverage_inside"
	echo "status $?"
	"$GPUSHIM" coverage -- "$programs/coverage_static"
	echo "status $?"
} 2>&1 | awk -f "$steady"
