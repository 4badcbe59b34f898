# shellcheck shell=sh
# scipy.sh - SciPy's tests of linear algebra; sourced by the fragments of each SciPy
# SPDX-License-Identifier: Apache-2.0
#
# The fragment sets $python. The quick size runs solvers, inverses and Cholesky factorisations, but
# not the longest two tests of least squares. Tests of arrays of 17 GB are skipped, however much
# memory is free: SciPy uses the value of SCIPY_AVAILABLE_MEM instead.

scipy_need() {
	for module in numpy scipy pytest hypothesis; do
		"$python" -c "import $module" 2>/dev/null || program_skip "$python has no $module"
	done
	linalg=$("$python" -c 'import scipy.linalg, os; print(os.path.dirname(scipy.linalg.__file__))')
	[ -d "$linalg/tests" ] || program_skip "this SciPy came without its tests"
}

case $size in
quick) least=140 ;;
full) least=2500 ;;
esac

program() {
	if [ "$size" = quick ]; then
		set -- -k 'not exact' "$linalg/tests/test_basic.py" \
			"$linalg/tests/test_decomp_cholesky.py"
	else
		set -- "$linalg/tests"
	fi
	program_clean NPY_AVAILABLE_MEM=2GB SCIPY_AVAILABLE_MEM=2GB "$python" -m pytest -q \
		-p no:cacheprovider -rA --tb=short "$@"
}

# A pencil without full rank has eigenvalues 0/0, which rounding decides: SciPy expects the test of
# them to fail on most libraries (its issue 2254), whatever it does here.
verdicts() {
	sed -n -e 's/ - .*//' -e 's/^X[A-Z]* \(.*::TestEig::test_singular\).*/XFAIL \1/' \
		-e '/^\(PASSED\|FAILED\|ERROR\|SKIPPED\|XFAIL\|XPASS\) /p' | LC_ALL=C sort
}

version() { echo "SciPy $("$python" -c 'import scipy; print(scipy.__version__)')"; }
