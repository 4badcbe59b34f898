# package.py - Spack's recipe of libgpushim
# SPDX-License-Identifier: Apache-2.0
"""Put this folder below packages/ of a repository of your own (`spack repo create`), then
`spack dev-build -d SOURCE gpushim@0.1.0`, or `spack install` once a url has been set here."""
from spack.package import *


class Gpushim(CMakePackage):
    """Runs the large BLAS, LAPACK and FFTW3 calls of unmodified programs on an NVIDIA GPU."""

    license("Apache-2.0")

    version("0.1.0")

    depends_on("c", type="build")
    depends_on("cmake@3.22:", type="build")

    conflicts("platform=darwin")
    conflicts("platform=windows")

    def cmake_args(self):
        """The tests and the example need OpenBLAS and FFTW; the shim needs neither."""
        return [
            self.define("GPUSHIM_TESTS", False),
            self.define("GPUSHIM_LEAVE_OUT", "examples"),
        ]
