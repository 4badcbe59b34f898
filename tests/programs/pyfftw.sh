# shellcheck shell=sh
# pyfftw.sh - the tests of numpy.fft, scipy.fft and scipy.fftpack over pyFFTW; to be sourced
# SPDX-License-Identifier: Apache-2.0
#
# The fragment sets $python. pyFFTW does not pass all tests of NumPy: tests that fail without the
# shim must fail with it.

pyfftw_need() {
	for module in numpy scipy pyfftw pytest hypothesis; do
		"$python" -c "import $module" 2>/dev/null || program_skip "$python has no $module"
	done
	numpy=$("$python" -c 'import numpy, os; print(os.path.dirname(numpy.__file__))')
	scipy=$("$python" -c 'import scipy, os; print(os.path.dirname(scipy.__file__))')
	for folder in "$numpy/fft/tests" "$scipy/fft/tests" "$scipy/fftpack/tests"; do
		[ -d "$folder" ] || program_skip "there is no $folder: it came without its tests"
	done
	basic=$scipy/fft/tests/test_numpy.py
	[ -e "$basic" ] || basic=$scipy/fft/tests/test_basic.py
}

case $size in
quick) least=160 ;;
full) least=3500 ;;
esac

# pyfftw_test SETTINGS NAMES FILE...: the tests of these files whose names match. Tests that fork
# are left out: a child forked after CUDA started cannot use it, and these tests expect equal bits.
pyfftw_test() {
	environment=$1 names=$2
	shift 2
	# shellcheck disable=SC2086 # one word per setting
	program_clean PYFFTW_CALLS="$work/calls" PYTHONPATH="$here" PYTHONDONTWRITEBYTECODE=1 \
		$environment \
		"$python" -m pytest -q -p no:cacheprovider -p pyfftw_plugin -rA --tb=line \
		-k "not process and ($names)" "$@" || result=$?
}

# Cached plans are executed on other arrays. Threads must not share pyFFTW's plans.
program() {
	result=0
	rm -f "$work/calls"
	if [ "$size" = quick ]; then
		pyfftw_test '' 'not real_transforms' "$numpy/fft" \
			"$scipy/fft/tests/test_backend.py" "$basic"
	else
		# pyFFTW lacks some arguments of SciPy's cosine and sine transforms; it has those of
		# scipy.fftpack.
		pyfftw_test '' test "$numpy/fft" "$scipy/fft" "$scipy/fftpack" \
			--ignore "$scipy/fft/tests/test_real_transforms.py"
		pyfftw_test 'PYFFTW_PLANNER_EFFORT=FFTW_MEASURE PYFFTW_CACHE=1' 'not ThreadSafe' \
			"$numpy/fft" "$basic" \
			"$scipy/fftpack/tests/test_basic.py"
		pyfftw_test 'PYFFTW_NUM_THREADS=2' test "$numpy/fft" \
			"$scipy/signal/tests/test_spectral.py"
	fi
	return "$result"
}

# The deleted tests pass or fail depending on the plan, on the CPU too: they require zeros within a
# few units in the last place, six decimals in single precision, or the same bits after a round
# trip. Those with threads sometimes fail without the shim, too.
verdicts() {
	sed -n -e 's/ - .*//' -e '/::TestI*R*[Ff][Ff][Tt]n::test_definition\[/d' \
		-e '/::test_fft_with_order\[.*[24]\]$/d' \
		-e '/::TestFFTThreadSafe::/d' \
			-e '/::TestSTFT::test_roundtrip_\(float32\|nola_not_cola\)$/d' \
		-e 's/^\(PASSED\|FAILED\|ERROR\|SKIPPED\|XFAIL\|XPASS\) /&/p' | LC_ALL=C sort
}

executions() {
	LC_ALL=C sort "$work/calls" | uniq -c | awk '{ print $2, $3, $1 }'
}

version() { echo "pyFFTW $("$python" -c 'import pyfftw; print(pyfftw.__version__)')"; }
