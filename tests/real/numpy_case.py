# numpy_case.py - products of all four types, printed in full precision
# SPDX-License-Identifier: Apache-2.0
import numpy as np


def show(label, kind, x):
    x = np.concatenate([np.real(x).ravel(), np.imag(x).ravel()])
    print(label, kind, " ".join("%.17g" % v for v in x))


i, j = np.meshgrid(np.arange(1, 38), np.arange(1, 42))
a = np.sin(i + 2.0 * j)
b = np.cos(3.0 * i - j).T.copy()
show("dgemm", "double", a @ b)
show("dgemm_t", "double", a.T @ (a + 1))
show("sgemm", "single", a.astype("f4") @ b.astype("f4"))
show("zgemm", "double", (a + 1j * a**2) @ (b - 1j * b))
show("cgemm", "single", (a + 1j * a**2).astype("c8") @ (b - 1j * b).astype("c8"))
show("dot", "double", np.dot(b, a))
