# wheels_program.py - NumPy's and SciPy's wheels and a module on the system's BLAS in one process
# SPDX-License-Identifier: Apache-2.0
# usage: wheels_program.py MODULE
import ctypes
import sys

import numpy as np
import scipy.linalg
from scipy.linalg import blas

SIZE = 33
module = ctypes.CDLL(sys.argv[1])


def whole(seed, columns=SIZE):
    """Small whole numbers, whose products are exact; by columns, as BLAS has them."""
    i, j = np.indices((SIZE, columns))
    return np.asfortranarray((i * 7 + j * 3 + seed) % 5 - 2.0)


def show(label, x):
    x = np.concatenate([np.real(x).ravel(), np.imag(x).ravel()]) + 0.0
    print(label, " ".join("%.17g" % v for v in x))


def pointer(x):
    return x.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


def call_module(a, b):
    c = np.zeros((SIZE, SIZE), order="F")
    module.wheels_multiply(SIZE, pointer(a), pointer(b), pointer(c))
    show("module dgemm", c)
    module.wheels_update(SIZE, pointer(a), pointer(c))
    show("module dsyrk", c)


def call_numpy(a, b):
    show("numpy dgemm", np.matmul(a, b))
    show("numpy sgemm", a.astype("f4") @ b.astype("f4"))
    show("numpy zgemm", (a + 1j * b) @ (b - 1j * a))
    show("numpy dsyrk", a @ a.T)


def call_scipy(a, b):
    z, w = np.asfortranarray(a + 1j * b), np.asfortranarray(b - 2j * a)
    unit = np.asfortranarray(np.eye(SIZE) + np.diag(np.ones(SIZE - 1), -1))
    show("scipy dgemm", blas.dgemm(2.0, a, b, trans_b=True))
    show("scipy dsyrk", blas.dsyrk(1.0, a, c=b, beta=-1.0, lower=True))
    show("scipy dtrsm", blas.dtrsm(1.0, unit, b, lower=True, diag=1))
    show("scipy dtrmm", blas.dtrmm(-1.0, unit, b, side=1, lower=True))
    show("scipy zher2k", blas.zher2k(1 + 1j, z, w))
    show("scipy zhemm", blas.zhemm(1j, z, w, lower=True))
    show("scipy csymm", blas.csymm(1.0, z.astype("c8"), w.astype("c8")))
    # LAPACK's dtrtrs does its work inside the library.
    show("scipy dtrtrs", scipy.linalg.solve_triangular(unit, b, lower=True, unit_diagonal=True))


for turn in range(2):
    call_module(whole(turn), whole(turn + 1))
    call_numpy(whole(turn), whole(turn + 1))
    call_scipy(whole(turn), whole(turn + 1))
