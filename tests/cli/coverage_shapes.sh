# coverage_shapes.sh - sizes of each argument list: sides, wide integers, batches, FFTW's planners
# SPDX-License-Identifier: Apache-2.0
programs=$(dirname "$GPUSHIM")/tests/coverage
[ -x "$programs/coverage_probe" ] ||
	{ echo "skipped: this build has no library that counts"; exit 77; }
for shapes in shapes planners; do
	"$GPUSHIM" coverage --export figures "$programs/coverage_probe" "$shapes" 2>report
	echo "status $?"
	# Not all of these spellings are intercepted by the shim.
	sed -nE 's/.*"routine":"([^"]*)".*"calls":([0-9]+),"largest":\[([0-9,]*)\],"flops":([0-9]+),.*/\1 \2 calls, \3: \4 flops/p' \
		figures | LC_ALL=C sort
done
