# audit_ctypes.py - ctypes with 32-bit and 64-bit integer BLAS of the same names, and with FFTW
# SPDX-License-Identifier: Apache-2.0
# usage: audit_ctypes.py BLAS BLAS64 FFTW    each a library's name or path
import ctypes
import sys

SMALL, LARGE = 3, 300


def matrix(n, factor):
    return (ctypes.c_double * (n * n))(*((factor * i) % 11 - 5 for i in range(n * n)))


def expected(a, b, n, row, column):
    return sum(a[row + p * n] * b[p + column * n] for p in range(n))


def check(what, n, a, b, c):
    """The corners and the middle tell a wrong width, order or leading dimension."""
    places = [(0, 0), (n - 1, 0), (0, n - 1), (n // 2, n // 3), (n - 1, n - 1)]
    wrong = [place for place in places if c[place[0] + place[1] * n] != expected(a, b, n, *place)]
    print(what, n, 'right' if not wrong else 'wrong at %s' % wrong)


def call_fortran(library, integer, n):
    a, b, c = matrix(n, 3), matrix(n, 7), matrix(n, 1)
    size, one, zero = integer(n), ctypes.c_double(1), ctypes.c_double(0)
    by = ctypes.byref
    library.dgemm_(b'N', b'N', by(size), by(size), by(size), by(one), a, by(size), b, by(size),
                   by(zero), c, by(size),
                   ctypes.c_size_t(1), ctypes.c_size_t(1))
    check('dgemm_ %d bits' % (8 * ctypes.sizeof(integer)), n, a, b, c)


def call_c(library, integer, n):
    a, b, c = matrix(n, 3), matrix(n, 7), matrix(n, 1)
    real = ctypes.c_double
    library.cblas_dgemm.argtypes = [ctypes.c_int] * 3 + [integer] * 3 + [
        real, ctypes.c_void_p, integer, ctypes.c_void_p, integer, real, ctypes.c_void_p, integer]
    library.cblas_dgemm(102, 111, 111, n, n, n, 1, a, n, b, n, 0, c, n)
    check('cblas_dgemm %d bits' % (8 * ctypes.sizeof(integer)), n, a, b, c)


def call_fftw(library, n):
    x = (ctypes.c_double * (2 * n))(*([1, 0] * n))
    library.fftw_plan_dft_1d.restype = ctypes.c_void_p
    for name in ('fftw_execute', 'fftw_destroy_plan'):
        getattr(library, name).argtypes = [ctypes.c_void_p]
    plan = library.fftw_plan_dft_1d(n, x, x, -1, 64)
    library.fftw_execute(plan)
    library.fftw_destroy_plan(plan)
    print('fftw', n, 'right' if abs(x[0] - n) < 1e-9 * n and max(map(abs, x[1:])) < 1e-9 * n else 'wrong')


blas, blas64, fftw = (ctypes.CDLL(name) for name in sys.argv[1:4])
for size in (SMALL, LARGE, SMALL):
    for call in (call_fortran, call_c):
        call(blas, ctypes.c_int32, size)
        call(blas64, ctypes.c_int64, size)
    call_fftw(fftw, 16 * size)
