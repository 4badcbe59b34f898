# shellcheck shell=sh
# numpy.sh - NumPy's tests of linear algebra; sourced by the fragments of each NumPy
# SPDX-License-Identifier: Apache-2.0
#
# The fragment sets $python. The quick size leaves out long tests: thousands of cases, dozens of
# threads, vectors of 2 GB.

numpy_need() {
	for module in numpy pytest hypothesis; do
		"$python" -c "import $module" 2>/dev/null || program_skip "$python has no $module"
	done
	numpy=$("$python" -c 'import numpy, os; print(os.path.dirname(numpy.__file__))')
	[ -d "$numpy/linalg/tests" ] || program_skip "$numpy came without its tests"
	core=$numpy/_core/tests
	[ -d "$core" ] || core=$numpy/core/tests
}

case $size in
quick) least=500 ;;
full) least=4000 ;;
esac

# Tests that need much memory must not depend on the memory that is free: NumPy uses the value of
# NPY_AVAILABLE_MEM instead.
# numpy_test NAMES FILE...: the tests of these files whose names match.
numpy_test() {
	names=$1
	shift
	program_clean NPY_AVAILABLE_MEM=2GB "$python" -m pytest -q -p no:cacheprovider \
		-rA --tb=short -k "$names" "$@" ||
		result=$?
}

program() {
	result=0
	if [ "$size" = quick ]; then
		numpy_test 'not generalized and not threading' "$numpy/linalg" \
			"$core/test_einsum.py"
		products='dot or Dot or matmul or Matmul or MatMul or Inner or inner'
		numpy_test "($products) and not huge" \
			"$core/test_multiarray.py" "$core/test_numeric.py"
	else
		numpy_test '' "$numpy/linalg" "$numpy/matrixlib" "$numpy/polynomial" \
			"$core/test_einsum.py" \
			"$core/test_multiarray.py" "$core/test_numeric.py" "$core/test_ufunc.py"
	fi
	return "$result"
}

verdicts() {
	sed -n -e 's/ - .*//' -e 's/^\(PASSED\|FAILED\|ERROR\|SKIPPED\|XFAIL\|XPASS\) /&/p' |
		LC_ALL=C sort
}

version() { echo "NumPy $("$python" -c 'import numpy; print(numpy.__version__)')"; }
