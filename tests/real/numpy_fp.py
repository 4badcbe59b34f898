# numpy_fp.py - products in the floating-point environment that SIGSTKFLT sets
# SPDX-License-Identifier: Apache-2.0
import os
import signal

import numpy as np

def with_element(x, row, column, value):
    x = x.copy()
    x[row, column] = value
    return x


i, j = np.meshgrid(np.arange(1, 138), np.arange(1, 142))
a = np.sin(i + 2.0 * j)
b = np.cos(3.0 * i - j).T.copy()
shows = "%.17g" if os.environ["FP_WAY"] == "upward" else "%.9g"
print("begin", flush=True)
os.kill(os.getpid(), signal.SIGSTKFLT)
for kind in ["f8", "f4", "c16", "c8"]:
    x, y = a.astype(kind), b.astype(kind)
    for turn in range(3):
        z = x @ y
        format = shows if kind in ["f8", "c16"] or shows == "%.17g" else "%.4g"
        print(kind, turn, format % z[3, 5].real, format % z[100, 7].real, flush=True)

# A NaN that is handed on gives no warning; an infinity times zero, and too large a product, do.
if os.environ["FP_WAY"] == "flags":
    for kind in ["f8", "f4", "c16"]:
        x, y = a.astype(kind), b.astype(kind)
        huge = np.finfo(kind).max / 2
        for label, left, right in [
            ("nan", with_element(x, 3, 5, np.nan), y),
            ("invalid", with_element(x, 3, 5, np.inf), with_element(y, 5, 7, 0)),
            ("overflow", with_element(x, 3, 5, huge), with_element(y, 5, 7, huge)),
        ]:
            z = left @ right
            print(kind, label, np.isnan(z).any(), flush=True)
