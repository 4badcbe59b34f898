# numpy_debian.fp - Debian's NumPy
need() {
	/usr/bin/python3 -c 'import numpy' 2>/dev/null || skip "Debian's NumPy is not installed"
}
program() { start /usr/bin/python3 "$here/numpy_fp.py"; }
