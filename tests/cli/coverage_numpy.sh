# coverage_numpy.sh - Debian's NumPy and SciPy: products, solve, f2py's pointers, pocketfft
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
programs=$(dirname "$GPUSHIM")/tests/coverage
[ -x "$programs/coverage_probe" ] ||
	{ echo "skipped: this build has no library that counts"; exit 77; }
/usr/bin/python3 -c 'import numpy' 2>/dev/null ||
	{ echo "skipped: Debian's NumPy is not installed"; exit 77; }
cat >case.py <<'PYTHON'
import numpy as np
a = np.eye(300) * 300 + np.ones((300, 300))
for i in range(3):
    b = a @ a
x = np.linalg.solve(a, b[:, :7])
np.fft.fft(a)
print(int(round(np.abs(a @ x - b[:, :7]).max())))
try:
    from scipy.linalg.blas import dsymm
    dsymm(1.0, a, a)
except ImportError:
    pass
PYTHON
"$GPUSHIM" coverage -- /usr/bin/python3 case.py 2>report
echo "status $?"
awk '$1 == "cblas_dgemm" || $1 == "dgesv_" { print $1, $2, $3, $4, $5 }' report
grep -o '_pocketfft[a-z_]*.so: .*' report | sed -E 's/^_pocketfft[a-z_]*/POCKETFFT/' | sort -u
if /usr/bin/python3 -c 'import scipy' 2>/dev/null; then
	grep -qE '^dsymm_ +1 +300 x 300 ' report || echo "SciPy's call of dsymm_ is not counted"
	grep -q 'addresses' report && echo "SciPy's addresses were not all replaced"
fi
grep -c 'the shim can take' report
