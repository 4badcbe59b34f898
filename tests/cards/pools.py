#!/usr/bin/env python3
# pools.py - pools of workers, by fork, by spawn and as programs, on four simulated GPUs
# SPDX-License-Identifier: Apache-2.0
#
# usage: pools.py BUILD WORKER [CASE...]
#
# Each pool's workers multiply, leave a file, and wait until this program has looked at where they
# are. As cards.py, in a mount namespace of its own.

import os
import shutil
import struct
import subprocess
import sys
import time

import cards
from cards import CARDS, Worker, check

HERE = os.path.dirname(os.path.abspath(__file__))
# Debian's Python, whose NumPy uses Debian's BLAS.
PYTHON = "/usr/bin/python3"
PATIENCE_S = 60
SIM_ROW = struct.Struct("=iiQ16Q16I")
FORKED = " forked after CUDA had started ran on the CPU"


def need(condition, what):
    if not condition:
        print(f"skipped: {what} is not installed")
    return condition


def has_module(*names):
    command = "; ".join(f"import {name}" for name in ("numpy",) + names)
    return os.path.exists(PYTHON) and subprocess.run(
        [PYTHON, "-c", command], stderr=subprocess.DEVNULL, check=False).returncode == 0


class Pool:
    """A program with workers, which have met."""

    tried = 0

    def __init__(self, node, arguments, workers, run=True, settings=None):
        Pool.tried += 1
        self.folder = f"{node.folder}/meet"
        shutil.rmtree(self.folder, ignore_errors=True)
        os.mkdir(self.folder)
        self.node = node
        environment = dict(Worker.environment(node), OMP_NUM_THREADS="1", **(settings or {}))
        if run:
            del environment["LD_PRELOAD"]
            arguments = [node.tool, "run", "--"] + arguments
        self.process = subprocess.Popen(
            [self.folder if word == "@FOLDER@" else word for word in arguments], env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + PATIENCE_S
        while (len(os.listdir(self.folder)) < workers and self.process.poll() is None and
               time.monotonic() < end):
            time.sleep(0.005)
        self.pids = [int(name) for name in os.listdir(self.folder) if name.isdigit()]
        check(len(self.pids) == workers, f"{len(self.pids)} of {workers} workers have met")

    def spread(self):
        """The workers on each GPU, as the simulated machine sees them."""
        with open(f"{self.node.folder}/node", "rb") as file:
            data = file.read()
        held = [0] * CARDS
        for at in range(0, len(data) - SIM_ROW.size + 1, SIM_ROW.size):
            row = SIM_ROW.unpack_from(data, at)
            if row[0] in self.pids:
                for card in range(CARDS):
                    held[card] += row[3 + card] > 0
        return held

    def end(self):
        """What the tool says."""
        with open(f"{self.folder}/go", "w", encoding="ascii"):
            pass
        answers, messages = self.process.communicate()
        check(self.process.returncode == 0 and answers.split() == ["right"],
              f"status {self.process.returncode}: {answers}{messages}")
        return " ".join(messages.split())


def try_python(node, way, workers, wanted, **options):
    """wanted: the workers on each GPU; None: they stay on the CPU."""
    pool = Pool(node, [PYTHON, f"{HERE}/pool_work.py", way, str(workers), "@FOLDER@"], workers,
                **options)
    found = pool.spread()
    check(found == (wanted or [0] * CARDS), f"{way}: {found}")
    if wanted:
        rows = [row for row in cards.read_rows() if row[1] in pool.pids]
        check(len(rows) == workers, f"{way}: {len(rows)} of {workers} in the ledger")
    messages = pool.end()
    told = f"{workers} calls of {workers} processes that were{FORKED}"
    check(messages.count(FORKED) == (not wanted) and (wanted or told in messages),
          f"{way}: {messages}")


EVEN, EACH = [2, 2, 2, 2], [1, 1, 1, 1]


def case_fork(node):
    """A parent without a GPU bars none, and one with a GPU is told."""
    if need(has_module(), "NumPy"):
        try_python(node, "fork", 2 * CARDS, EVEN)
        try_python(node, "fork-late", CARDS, None)


def case_own_summary(node):
    """The parent's own summary, where its workers end without one."""
    if need(has_module(), "NumPy"):
        try_without_run(node, "fork-late", None)


def nightly_own_summary(node):
    if need(has_module(), "NumPy"):
        try_without_run(node, "bare-late", None)
        try_without_run(node, "fork", EACH)


def try_without_run(node, way, wanted):
    """Workers that end by _exit leave the file, which the next run removes."""
    try_python(node, way, CARDS, wanted, run=False, settings={"EPOCHLY_GPU_SUMMARY": "stderr"})
    subprocess.run([node.tool, "run", "--quiet", "--", "true"], check=True,
                   env=Worker.environment(node))


def case_spawn(node):
    if need(has_module(), "NumPy"):
        # The parent is on the first.
        try_python(node, "spawn-late", CARDS, EACH)


def case_forkserver(node):
    """The server has no part in the ledger."""
    if not need(has_module(), "NumPy"):
        return
    try_python(node, "forkserver", CARDS, EACH)


def case_r(node):
    """Forked workers of R's, before and after the first large call, and new programs."""
    if not need(shutil.which("Rscript"), "R"):
        return
    for way, wanted in (("mclapply", EACH), ("psock", EACH), ("mclapply-late", None)):
        pool = Pool(node, ["Rscript", "--vanilla", f"{HERE}/pool_work.R", way, str(CARDS),
                           "@FOLDER@"], CARDS)
        found = pool.spread()
        check(found == (wanted or [0] * CARDS), f"R's {way}: {found}")
        check((FORKED in pool.end()) == (not wanted), f"R's {way}: what is told")


def nightly_futures(node):
    if need(has_module(), "NumPy"):
        try_python(node, "futures", 2 * CARDS, EVEN)
        try_python(node, "futures-late", CARDS, None)


def nightly_bare(node):
    if need(has_module(), "NumPy"):
        try_python(node, "bare", CARDS, EACH)


def nightly_respawned(node):
    if need(has_module(), "NumPy"):
        try_python(node, "respawned", CARDS, EACH)


def nightly_forkserver_late(node):
    if need(has_module(), "NumPy"):
        try_python(node, "forkserver-late", CARDS, EACH)


def nightly_joblib(node):
    if not need(has_module("joblib"), "joblib"):
        return
    try_python(node, "joblib-loky", CARDS, EACH)
    try_python(node, "joblib-multiprocessing", CARDS, EACH)


def nightly_dask(node):
    if need(has_module("distributed"), "Dask (python3-distributed)"):
        try_python(node, "dask", CARDS, EACH)


def nightly_octave(node):
    """Workers of Octave's package parallel, which are programs of their own."""
    octave = shutil.which("octave-cli")
    found = octave and subprocess.run([octave, "--eval", "pkg load parallel"], check=False,
                                      capture_output=True).returncode == 0
    if not need(found, "Octave's package parallel"):
        return
    for way, wanted in (("parcellfun", [1, 1, 0, 0]), ("parcellfun-late", [0, 1, 1, 0])):
        pool = Pool(node, [octave, "-q", "--no-init-file", "--path", HERE,
                           f"{HERE}/pool_work.m", way, "2", "@FOLDER@"], 2)
        check(pool.spread() == wanted, f"Octave's {way}: {pool.spread()}")
        check(FORKED not in pool.end(), f"Octave's {way}: what is told")


def nightly_programs(node):
    """Programs beside each other: xargs -P and GNU parallel."""
    if not need(has_module(), "NumPy"):
        return
    count, job = 2 * CARDS, f"{PYTHON} {HERE}/pool_work.py alone 1 @FOLDER@"
    for name, command in (
            ("xargs", f"seq {count} | xargs -P {count} -n 1 {job} > @FOLDER@.out"),
            ("parallel", f"seq {count} | parallel -j {count} {job} > @FOLDER@.out")):
        if not need(shutil.which(name), name):
            continue
        folder = f"{node.folder}/meet"
        command = command.replace("@FOLDER@", folder)
        pool = Pool(node, ["sh", "-c", f"{command}; sort -u {folder}.out"], count,
                    settings={"SHELL": "/bin/sh"})
        check(pool.spread() == EVEN, f"{name}: {pool.spread()}")
        pool.end()


def main(arguments):
    # nightly: a word in front of the cases' names.
    nightly = arguments[3:4] == ["nightly"]
    start = "nightly_" if nightly else "case_"
    found = [("case_" + name[len(start):], case) for name, case in globals().items()
             if name.startswith(start)]
    status = cards.main(arguments[:3] + arguments[3 + nightly:], found)
    return status if Pool.tried > 0 or status != 0 else cards.SKIPPED


if __name__ == "__main__":
    sys.exit(main(sys.argv))
