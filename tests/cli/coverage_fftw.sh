# coverage_fftw.sh - planners and executions: the work of a plan is counted at its executions
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
programs=$(dirname "$GPUSHIM")/tests/coverage
[ -x "$programs/coverage_probe" ] ||
	{ echo "skipped: this build has no library that counts"; exit 77; }
exec "$GPUSHIM" coverage "$programs/coverage_probe" fftw
