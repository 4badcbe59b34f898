#!/usr/bin/env python3
# wheel.py - packs an installed release as a wheel for pip, always with the same bytes
# SPDX-License-Identifier: Apache-2.0
"""usage: wheel.py STAGE SOURCE VERSION PROCESSOR FOLDER

STAGE has bin, lib and share of a release. In the wheel they lie below the package `gpushim`, as in
a tarball, so that the tool finds the library and the library its site-packages.
"""
import base64
import hashlib
import os
import sys
import time
import zipfile

TAG = "py3-none-manylinux_2_17_{0}.manylinux2014_{0}"
KEPT = ("bin/gpushim", "lib/libgpushim", "share/gpushim/")

ENTRY = '''"""libgpushim: BLAS, LAPACK and FFTW calls of unmodified programs on the GPU"""
# SPDX-License-Identifier: Apache-2.0
import os
import sys


def main():
    """Becomes the tool, which is no Python program."""
    tool = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "gpushim")
    os.execv(tool, [tool] + sys.argv[1:])
'''

# What NVIDIA's wheels are called: one package for each library.
EXTRAS = {
    "cuda12": ("nvidia-cuda-runtime-cu12", "nvidia-cublas-cu12", "nvidia-cufft-cu12",
               "nvidia-cusolver-cu12"),
    "cuda13": ("nvidia-cuda-runtime>=13,<14", "nvidia-cublas>=13,<14", "nvidia-cufft>=12,<13",
               "nvidia-cusolver>=12,<13"),
}


def metadata(source, version):
    lines = ["Metadata-Version: 2.1", "Name: gpushim", "Version: " + version,
             "Summary: Runs the large BLAS, LAPACK and FFTW3 calls of unmodified programs on an NVIDIA GPU",
             "License: Apache-2.0", "Requires-Python: >=3.6",
             "Classifier: Operating System :: POSIX :: Linux",
             "Description-Content-Type: text/markdown"]
    for extra, packages in EXTRAS.items():
        lines.append("Provides-Extra: " + extra)
        for package in packages:
            lines.append('Requires-Dist: {}; extra == "{}"'.format(package, extra))
    with open(os.path.join(source, "docs", "install.md"), encoding="utf-8") as page:
        return "\n".join(lines) + "\n\n" + page.read()


def files(stage):
    for folder, folders, names in os.walk(stage):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            inside = os.path.relpath(path, stage)
            if inside.startswith(KEPT):
                yield "gpushim/" + inside, path


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def main():
    stage, source, version, processor, folder = sys.argv[1:]
    tag = TAG.format(processor)
    info = "gpushim-{}.dist-info/".format(version)
    when = time.gmtime(max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800))[:6]
    record = []
    path = os.path.join(folder, "gpushim-{}-{}.whl".format(version, tag))
    with zipfile.ZipFile(path, "w") as wheel:
        def add(name, data, mode=0o644):
            entry = zipfile.ZipInfo(name, when)
            entry.create_system = 3
            entry.external_attr = (0o100000 | mode) << 16
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
            record.append("{},sha256={},{}".format(name, digest(data), len(data)))

        add("gpushim/__init__.py", ENTRY.encode())
        add("gpushim/__main__.py", b"from gpushim import main\n\nmain()\n")
        for name, file in files(stage):
            with open(file, "rb") as content:
                add(name, content.read(), 0o755 if os.access(file, os.X_OK) else 0o644)
        add(info + "METADATA", metadata(source, version).encode())
        add(info + "WHEEL", ("Wheel-Version: 1.0\nGenerator: gpushim\nRoot-Is-Purelib: false\n"
                             + "".join("Tag: py3-none-{}\n".format(part)
                                       for part in tag.split("-")[2].split("."))).encode())
        add(info + "entry_points.txt", b"[console_scripts]\ngpushim = gpushim:main\n")
        with open(os.path.join(source, "LICENSE"), "rb") as text:
            add(info + "LICENSE", text.read())
        record.append(info + "RECORD,,")
        add(info + "RECORD", ("\n".join(record) + "\n").encode())
    print(path)


if __name__ == "__main__":
    main()
