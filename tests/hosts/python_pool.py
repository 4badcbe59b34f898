# python_pool.py - workers of multiprocessing, by fork, spawn or forkserver; ended and terminated
# SPDX-License-Identifier: Apache-2.0
import multiprocessing
import sys

try:
    import numpy
except ImportError:
    print("NumPy is not installed")
    sys.exit(77)


def work(n):
    a = numpy.add.outer(numpy.arange(n), numpy.ones(n))
    return float((a @ a).sum()), float((a.astype("f4") @ a.T.astype("f4")).sum())


def main():
    context = multiprocessing.get_context(sys.argv[1])
    print(work(24))
    with context.Pool(3) as pool:  # leaving it terminates the workers
        print(pool.map(work, [3, 24, 48, 7, 31]))
    process = context.Process(target=work, args=(24,))
    process.start()
    process.join()
    print(process.exitcode, work(48))


if __name__ == "__main__":
    main()
