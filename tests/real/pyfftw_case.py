# pyfftw_case.py - transforms in both precisions, printed in full precision
# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pyfftw


def show(label, kind, x):
    x = np.concatenate([np.real(x).ravel(), np.imag(x).ravel()])
    print(label, kind, " ".join("%.17g" % v for v in x))


t = np.arange(60.0)
z = np.exp(0.3j * t) + 0.1 * t
show("fft", "double", pyfftw.interfaces.numpy_fft.fft(z))
show("ifft", "double", pyfftw.interfaces.numpy_fft.ifft(z))
show("rfft", "double", pyfftw.interfaces.numpy_fft.rfft(z.real))
show("fft2", "double", pyfftw.interfaces.numpy_fft.fft2(z.reshape(6, 10)))
show("fft_single", "single", pyfftw.interfaces.numpy_fft.fft(z.astype("c8")))
