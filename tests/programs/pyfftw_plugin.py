# pyfftw_plugin.py - a pytest plugin: numpy.fft, scipy.fft and scipy.fftpack use pyFFTW, counted
# SPDX-License-Identifier: Apache-2.0
#
# PYFFTW_CALLS names a file. Each execution appends a line "SYMBOL KIND"; KIND is eligible, or the
# reason why the GPU has no form of it. PYFFTW_CACHE=1 caches plans, which are then executed on
# other arrays.
import importlib
import importlib.util
import math
import os

import numpy
import numpy.fft
import pyfftw
import pyfftw.builders._utils
import pyfftw.interfaces
import pyfftw.interfaces.numpy_fft
import pyfftw.interfaces.scipy_fft
import pyfftw.interfaces.scipy_fftpack
import pytest
import scipy.fft
import scipy.fftpack

CALLS = os.open(os.environ["PYFFTW_CALLS"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
PREFIXES = {"f": "fftwf", "F": "fftwf", "d": "fftw", "D": "fftw", "g": "fftwl", "G": "fftwl"}


def symbol_of(plan):
    complex_in, complex_out = plan.input_dtype.kind == "c", plan.output_dtype.kind == "c"
    form = {(True, True): "dft", (False, True): "dft_r2c", (True, False): "dft_c2r",
            (False, False): "r2r"}
    return PREFIXES[plan.input_dtype.char] + "_execute_" + form[complex_in, complex_out]


# The sizes are those of the real side, which is the longer one. The order of the reasons is the
# order in which the shim checks them.
def kind_of(plan):
    shape = max(plan.input_shape, plan.output_shape, key=math.prod)
    lengths = [shape[axis] for axis in set(axis % len(shape) for axis in plan.axes)]
    if plan.input_dtype.char not in "fFdD":
        return "unsupported_precision"
    if plan.input_dtype.kind == plan.output_dtype.kind == "f":
        return "real_to_real"
    if len(lengths) > 3:
        return "unsupported_rank"
    return "eligible" if math.prod(lengths) > 1 else "no_transform"


# Recorded after the call, because a call that raises has executed nothing.
def counted(call):
    def call_and_note(self, *arguments, **named):
        result = call(self, *arguments, **named)
        os.write(CALLS, f"{symbol_of(self)} {kind_of(self)}\n".encode())
        return result

    return call_and_note


class CountedFFTW(pyfftw.FFTW):
    __call__ = counted(pyfftw.FFTW.__call__)


def replace(module, interface, names):
    for name in names:
        if hasattr(module, name):
            setattr(module, name, getattr(interface, name))


# SciPy's own transforms: the module's name since 1.18, and the one before.
def find_own_fft():
    for name in ("scipy.fft._duccfft", "scipy.fft._pocketfft"):
        if importlib.util.find_spec(name) is not None:
            return importlib.import_module(name)
    raise ImportError("neither scipy.fft._duccfft nor scipy.fft._pocketfft")


def pytest_configure():
    pyfftw.FFTW = CountedFFTW
    wrapper = pyfftw.builders._utils._FFTWWrapper
    wrapper.__call__ = counted(wrapper.__call__)
    if os.environ.get("PYFFTW_CACHE") == "1":
        pyfftw.interfaces.cache.enable()
    scipy_fft = pyfftw.interfaces.scipy_fft
    names = [function.__name__ for function in scipy_fft._implemented]
    replace(numpy.fft, pyfftw.interfaces.numpy_fft, pyfftw.interfaces.numpy_fft.__all__)
    replace(scipy.fftpack, pyfftw.interfaces.scipy_fftpack, pyfftw.interfaces.scipy_fftpack.__all__)
    replace(find_own_fft(), scipy_fft, names)
    scipy.fft.set_global_backend(scipy_fft)


# Some tests are close to their error bounds: a fixed seed gives both runs the same numbers.
@pytest.fixture(autouse=True)
def same_numbers():
    numpy.random.seed(1)
