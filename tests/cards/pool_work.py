# pool_work.py - a pool of Python's, of joblib or of Dask, whose workers multiply and then meet
# SPDX-License-Identifier: Apache-2.0
#
# usage: pool_work.py WAY WORKERS FOLDER
#
# Each worker leaves a file of its number in FOLDER once it has multiplied, and waits for FOLDER/go,
# so that all of them live at the same time.

import os
import sys
import time

import numpy

ORDER, PATIENCE_S = 300, 60


def multiply():
    ones = numpy.ones((ORDER, ORDER))
    return bool((ones @ ones == ORDER).all())


def work(folder):
    right = multiply()
    with open(f"{folder}/{os.getpid()}", "w", encoding="ascii"):
        pass
    end = time.monotonic() + PATIENCE_S
    while not os.path.exists(f"{folder}/go") and time.monotonic() < end:
        time.sleep(0.002)
    return right


def use_processes(method, count, folder):
    import multiprocessing
    with multiprocessing.get_context(method).Pool(count) as pool:
        answers = pool.map(work, [folder] * count, chunksize=1)
        pool.close()
        pool.join()
        return answers


def use_futures(count, folder):
    from concurrent.futures import ProcessPoolExecutor
    with ProcessPoolExecutor(count) as pool:
        return list(pool.map(work, [folder] * count))


def use_respawned(count, folder):
    """One worker for each task."""
    import multiprocessing
    with multiprocessing.get_context("spawn").Pool(count, maxtasksperchild=1) as pool:
        pool.map(multiply_once, range(count), chunksize=1)
        return pool.map(work, [folder] * count, chunksize=1)


def multiply_once(_):
    return multiply()


def use_bare(count, folder):
    """Workers that end by a system call of their own."""
    children = []
    for _ in range(count):
        child = os.fork()
        if child == 0:
            os._exit(0 if work(folder) else 1)
        children.append(child)
    return [os.waitpid(child, 0)[1] == 0 for child in children]


def use_joblib(backend, count, folder):
    import joblib
    return joblib.Parallel(n_jobs=count, backend=backend, batch_size=1)(
        joblib.delayed(work)(folder) for _ in range(count))


def use_dask(count, folder):
    from distributed import Client, LocalCluster
    with LocalCluster(n_workers=count, threads_per_worker=1, processes=True,
                      dashboard_address=None) as cluster, Client(cluster) as client:
        answers = client.run(work, folder)
        return list(answers.values())


def main():
    way, count, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    kind, _, detail = way.partition("-")
    # late: the parent has a GPU itself before it makes its workers.
    if detail == "late":
        assert multiply()
        detail = ""
    if kind in ("fork", "spawn", "forkserver"):
        answers = use_processes(kind, count, folder)
    elif kind == "alone":
        answers = [work(folder)]
    elif kind == "joblib":
        answers = use_joblib(detail, count, folder)
    else:
        answers = {"futures": use_futures, "respawned": use_respawned, "bare": use_bare,
                   "dask": use_dask}[kind](count, folder)
    print("right" if answers == [True] * count else f"wrong: {answers}")


if __name__ == "__main__":
    main()
