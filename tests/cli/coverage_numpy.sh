# coverage_numpy.sh - Debian's NumPy and SciPy: products, f2py's pointers, times of solve and fft
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
unset COLUMNS
programs=$(dirname "$GPUSHIM")/tests/coverage
[ -x "$programs/coverage_probe" ] ||
	{ echo "skipped: this build has no library that counts"; exit 77; }
/usr/bin/python3 -c 'import numpy' 2>/dev/null ||
	{ echo "skipped: Debian's NumPy is not installed"; exit 77; }
compare=$(dirname "$0")/../coverage/coverage_compare.py
. "$(dirname "$0")/../coverage/agree.sh"
cat >case.py <<'PYTHON'
import time
import numpy as np


def tell(name, start):
    print(name, time.monotonic_ns() - start)


a = np.eye(300) * 300 + np.ones((300, 300))
for i in range(3):
    b = a @ a
x = np.linalg.solve(a, b[:, :7])
assert np.abs(a @ x - b[:, :7]).max() < 1e-6
try:
    from scipy.linalg.blas import dsymm
    dsymm(1.0, a, a)
except ImportError:
    pass
c = np.eye(1200) * 1200 + np.ones((1200, 1200))
start = time.monotonic_ns()
np.linalg.solve(c, c)
tell("calls", start)
# Rows of a length that is a prime: the work is in the library, not in Python's copies.
rows = np.ones((12, 131071)) + 0j
np.fft.fft(rows[:1])
start = time.monotonic_ns()
for i in range(4):
    np.fft.fft(rows)
tell("pocketfft", start)
PYTHON
agree /usr/bin/python3 case.py
echo "status $status"
cat verdict
awk '$1 == "cblas_dgemm" { print $1, $2, $3, $4, $5, $6, $7 }' report
awk '$1 == "dgesv_" { print $1, $2, $3, $4, $5 }' report
grep -q 'pyfftw.interfaces' report || echo "no advice on numpy.fft"
if /usr/bin/python3 -c 'import scipy' 2>/dev/null; then
	grep -qE '^dsymm_ +1 +300 x 300 ' report || echo "SciPy's call of dsymm_ is not counted"
	grep -q 'addresses' report && echo "SciPy's addresses were not all replaced"
fi
awk 'length > 80' report
# A script that waits has no time in calls.
echo 'import numpy, time; time.sleep(1.5)' >idle.py
"$GPUSHIM" coverage --export figures -- /usr/bin/python3 idle.py 2>/dev/null
echo "calls 0" | python3 "$compare" figures
