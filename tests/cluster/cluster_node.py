# cluster_node.py - a node of simulated GPUs for ranks of MPI, and what the GPUs know of them
# SPDX-License-Identifier: Apache-2.0
"""Ranks under mpirun, mpiexec or srun, and the processes that each simulated GPU counts."""

import json
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

from slurm import Slurm, end_with_parent

SKIPPED = 77
LAUNCHERS = {"mpirun": ("mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"),
             "mpiexec": ("mpiexec.hydra",), "srun": ("srun",)}

# A row of the simulated machine's file (tests/simcuda/sim_node.c), and what stands behind the rows.
ROW = struct.Struct("=iiQ16Q16I")
ROWS = 1024
HIGH = struct.Struct("=16Q")


def reap(child):
    """The first process of a namespace gets all orphans: a step of Slurm waits for their end."""
    while True:
        pid, status = os.wait()
        if pid == child:
            os._exit(os.waitstatus_to_exitcode(status) & 0xff)


def enter_namespaces():
    """Other programs of the machine do not count, and nothing outlives the test. As root only."""
    if is_private() and os.getpid() == 1:
        child = os.fork()
        if child != 0:
            reap(child)
    if os.geteuid() != 0 or is_private():
        return
    wanted = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if subprocess.run([*wanted, "true"], check=False, stderr=subprocess.DEVNULL).returncode != 0:
        return
    os.environ["CLUSTER_INSIDE"] = "yes"
    os.execvp(wanted[0], [*wanted, sys.executable, "-B", *sys.argv])


def is_private():
    """Whether mounts are this test's own."""
    return os.environ.get("CLUSTER_INSIDE") == "yes"


class Node:
    """GPUs that the ranks share, in a folder. started: a program of Slurm was used."""

    def __init__(self, build, cards, memory="4G"):
        self.build = build
        self.folder = tempfile.mkdtemp(prefix="cluster.")
        self.cards, self.memory = cards, memory
        self.slurm = None
        self.failures = []
        os.mkdir(f"{self.folder}/slurm")
        if is_private():
            subprocess.run(["mount", "-t", "tmpfs", "none", "/dev/shm"], check=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.slurm is not None:
            self.slurm.__exit__()
        if is_private():
            left = [name for name in os.listdir("/dev/shm") if name.startswith("gpushim")]
            self.check(not left, f"left in /dev/shm: {left}")
            subprocess.run(["umount", "/dev/shm"], check=True)
        shutil.rmtree(self.folder)

    def check(self, passed, sentence):
        if not passed:
            self.failures.append(sentence)
            print("FAIL", sentence)

    def start_slurm(self):
        if self.slurm is None:
            self.slurm = Slurm(f"{self.folder}/slurm", self.cards)
            self.slurm.__enter__()
        return self.slurm

    def settings(self):
        """The environment of a reader's shell, on a machine with these GPUs."""
        return {
            "PATH": f"{self.build}:{os.environ['PATH']}:/usr/sbin", "LC_ALL": "C",
            "HOME": self.folder, "TMPDIR": self.folder, "OPENBLAS_NUM_THREADS": "1",
            "PMIX_MCA_gds": "hash", "PMIX_MCA_psec": "native",
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
            "EPOCHLY_GPU_CUDA_PATH": f"{self.build}/simcuda",
            "EPOCHLY_GPU_POLICY": "always", "EPOCHLY_GPU_WARMUP": "wait",
            "SIMCUDA_NODE": f"{self.folder}/node", "SIMCUDA_DEVICES": str(self.cards),
            "SIMCUDA_VISIBLE": "1", "SIMCUDA_MEMORY": self.memory}

    def launch(self, command, program, settings=None, shim=True, front=()):
        """`mpirun -n 4` and its like with a program behind it; what it prints. front: before it."""
        words = shlex.split(command)
        environment = dict(self.settings(), **(settings or {}))
        if shim:
            program = ["env", f"LD_PRELOAD={self.build}/libgpushim.so", *program]
        line = [*front, *LAUNCHERS[words[0]], *words[1:], *program]
        if words[0] == "srun":
            return self.start_slurm().run(line, environment, cwd=self.folder)
        return subprocess.run(line, env=environment, cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False, timeout=120,
                              preexec_fn=end_with_parent)

    def seen(self):
        """The GPUs' own account, while all ranks held theirs: the processes on each."""
        with open(f"{self.folder}/node.seen", "rb") as file:
            data = file.read()
        rows = [ROW.unpack_from(data, at) for at in range(0, ROWS * ROW.size, ROW.size)]
        return [{row[0] for row in rows if row[0] and row[19 + card] > 0}
                for card in range(self.cards)]

    def high_bytes(self):
        """The most that all processes together ever held of each GPU, contexts included."""
        with open(f"{self.folder}/node", "rb") as file:
            file.seek(ROWS * ROW.size)
            return HIGH.unpack(file.read(HIGH.size))

    def noted(self, name, ranks):
        """The numbers that the ranks of cluster_rank left in files."""
        values = []
        for rank in range(ranks):
            with open(f"{self.folder}/{name}.{rank}", encoding="utf-8") as file:
                values.append(int(file.read()))
        return values

    def records(self, rank):
        with open(f"{self.folder}/log.{rank}", encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]

    def forget(self):
        """What a run left."""
        for name in os.listdir(self.folder):
            if re.match(r"(log|pid|copiers)\.|node", name):
                os.unlink(f"{self.folder}/{name}")


def read_table(page, begins):
    """The cells of a table of a page: that whose head begins so. Without code marks."""
    rows, inside = [], False
    with open(page, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith(begins):
                inside = True
            elif inside and not line.startswith("|"):
                break
            elif inside and not line.startswith("|-"):
                cells = line.strip().strip("|").split("|")
                rows.append([cell.strip().strip("`") for cell in cells])
    return rows
