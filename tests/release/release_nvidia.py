#!/usr/bin/env python3
# release_nvidia.py - wheels with the simulated CUDA that are named and laid out as NVIDIA's
# SPDX-License-Identifier: Apache-2.0
"""usage: release_nvidia.py SIMCUDA FOLDER

SIMCUDA has a folder for each major. CUDA 12's wheels have a folder for each library; CUDA 13's
share one. Versions are those of wheels that NVIDIA has published.
"""
import os
import sys
import zipfile

# Wheel, version, folder, library.
WHEELS = {
    "12": (
        ("nvidia_cuda_runtime_cu12", "12.9.79", "cuda_runtime", "libcudart.so.12"),
        ("nvidia_cublas_cu12", "12.9.1.4", "cublas", "libcublas.so.12"),
        ("nvidia_cufft_cu12", "11.4.1.4", "cufft", "libcufft.so.11"),
        ("nvidia_cusolver_cu12", "11.7.5.82", "cusolver", "libcusolver.so.11"),
    ),
    "13": (
        ("nvidia_cuda_runtime", "13.0.96", "cu13", "libcudart.so.13"),
        ("nvidia_cublas", "13.1.0.3", "cu13", "libcublas.so.13"),
        ("nvidia_cufft", "12.0.0.61", "cu13", "libcufft.so.12"),
        ("nvidia_cusolver", "12.0.4.66", "cu13", "libcusolver.so.12"),
    ),
}


def pack(folder, name, version, place, library):
    info = "{}-{}.dist-info/".format(name, version)
    inside = "nvidia/{}/lib/{}".format(place, os.path.basename(library))
    path = os.path.join(folder, "{}-{}-py3-none-any.whl".format(name, version))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as wheel:
        wheel.write(library, inside)
        wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\nName: {}\nVersion: {}\n".format(
            name.replace("_", "-"), version))
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\nGenerator: tests\n"
                       "Root-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(info + "RECORD", "".join(
            "{},,\n".format(file) for file in
            (inside, info + "METADATA", info + "WHEEL", info + "RECORD")))


def main():
    simcuda, folder = sys.argv[1:]
    for major, wheels in WHEELS.items():
        for name, version, place, library in wheels:
            pack(folder, name, version, place, os.path.join(simcuda, major, library))


if __name__ == "__main__":
    main()
