# coverage_shapes.sh - sizes of each argument list: sides, wide integers, batches, FFTW's planners
# SPDX-License-Identifier: Apache-2.0
programs=$(dirname "$GPUSHIM")/tests/coverage
[ -x "$programs/coverage_probe" ] ||
	{ echo "skipped: this build has no library that counts"; exit 77; }
for shapes in shapes planners; do
	"$GPUSHIM" coverage "$programs/coverage_probe" "$shapes" 2>report
	echo "status $?"
	# Not all of these spellings are intercepted by the shim.
	grep -E ' libcoverage_[a-z]+[.]so$' report |
		sed -E 's/ +([^ ]+|< 0.1) +%? +(yes|no \(.\)|- \(.\)) +libcov.*//' | sort
done
