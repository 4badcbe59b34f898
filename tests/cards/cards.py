#!/usr/bin/env python3
# cards.py - several processes on a machine of four simulated GPUs: who takes which
# SPDX-License-Identifier: Apache-2.0
#
# usage: cards.py BUILD WORKER
#
# Everything happens in a mount namespace of its own, with an empty /dev/shm, so that neither other
# tests nor programs of this machine count. Needs root, else it is skipped.

import json
import os
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
CARDS = 4
LARGE, SMALL = "300", "4"
LEDGER = f"/dev/shm/gpushim-{os.geteuid()}"
FULL = "tmpfs that is full"
failures = []


def check(passed, sentence):
    if not passed:
        failures.append(sentence)
        print("FAIL", sentence)


class Worker:
    """A process with the shim, once it has made its first call."""

    @staticmethod
    def environment(node):
        return {
            "PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": node.folder,
            "OPENBLAS_NUM_THREADS": "1", "LD_PRELOAD": node.shim,
            "EPOCHLY_GPU_CUDA_PATH": node.cuda, "EPOCHLY_GPU_POLICY": "always",
            "EPOCHLY_GPU_WARMUP": "wait", "SIMCUDA_NODE": f"{node.folder}/node",
            "SIMCUDA_DEVICES": str(CARDS), "SIMCUDA_VISIBLE": "1", "SIMCUDA_MEMORY": "512M"}

    def __init__(self, node, order=LARGE, word="", settings=None, wait=True, **options):
        self.log = f"{node.folder}/log.{node.count}"
        node.count += 1
        environment = dict(self.environment(node), EPOCHLY_GPU_LOG=self.log)
        environment.update(settings or {})
        arguments = [node.worker, order] + ([word] if word else [])
        self.process = subprocess.Popen(
            options.pop("under", []) + arguments, env=environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
        if wait:
            self.hear()

    def hear(self):
        line = self.process.stdout.readline()
        check(line == "right\n", f"a worker answers {line!r}")
        return line

    def call(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self.hear()

    def end(self, number=None):
        """Its messages. The number of a signal may end it."""
        if number is not None:
            self.process.send_signal(number)
        _, messages = self.process.communicate()
        wanted = -number if number is not None else 0
        check(self.process.returncode == wanted, f"status {self.process.returncode}: {messages}")
        return re.sub(r"\n         +", " ", messages)

    def devices(self):
        """The GPUs of its calls; None: the CPU."""
        with open(self.log, encoding="utf-8") as lines:
            records = [json.loads(line) for line in lines]
        return {r["device"] if r["target"] == "gpu" else None for r in records}

    def sharers(self):
        """The processes on its GPU that its last call knew of."""
        with open(self.log, encoding="utf-8") as lines:
            return json.loads(lines.readlines()[-1]).get("sharers", 1)

    def device(self):
        found = self.devices()
        check(len(found) == 1, f"a worker uses {found}")
        return found.pop()


class Node:
    """A machine with an empty ledger."""

    def __init__(self, build, worker):
        self.folder = tempfile.mkdtemp()
        os.chmod(self.folder, 0o777)
        self.shim, self.cuda = f"{build}/libgpushim.so", f"{build}/simcuda"
        self.tool = f"{build}/gpushim"
        self.worker = worker
        self.count = 0

    def close(self):
        check(not os.listdir("/dev/shm"), f"left in /dev/shm: {os.listdir('/dev/shm')}")
        for name in os.listdir("/dev/shm"):
            os.unlink(f"/dev/shm/{name}")
        shutil.rmtree(self.folder)


def spread(workers):
    return sorted(worker.device() for worker in workers)


def end(workers):
    for worker in workers:
        messages = worker.end()
        check(messages == "", f"a message that nobody asked for: {messages}")


def case_one_by_one(node):
    """Each takes the GPU with the fewest processes."""
    workers = [Worker(node) for _ in range(2 * CARDS)]
    check([w.device() for w in workers] == [0, 1, 2, 3] * 2, "one after the other")
    check(os.stat(LEDGER).st_mode & 0o7777 == 0o600, "only the user reads the ledger")
    workers[2].end(signal.SIGKILL)
    workers[5].end()
    del workers[5], workers[2]
    more = [Worker(node), Worker(node)]
    check(sorted(w.device() for w in more) == [1, 2], "the places of those that have ended")
    end(workers + more)


def case_at_once(node):
    """Those that start together count each other."""
    workers = [Worker(node, wait=False) for _ in range(2 * CARDS)]
    for worker in workers:
        worker.hear()
    check(spread(workers) == [0, 0, 1, 1, 2, 2, 3, 3], f"at once: {spread(workers)}")
    end(workers)


LAUNCHERS = (("OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"),
             ("MPI_LOCALNRANKS", "MPI_LOCALRANKID"), ("PALS_LOCAL_SIZE", "PALS_LOCAL_RANKID"),
             ("SLURM_STEP_TASKS_PER_NODE", "SLURM_LOCALID"))


def case_ranks(node):
    """A launcher's ranks, in whatever order they start, and more ranks than GPUs."""
    for size, rank in LAUNCHERS:
        workers = [Worker(node, settings={size: "6", rank: str(i), "SLURM_NODEID": "0"})
                   for i in (5, 4, 3, 2, 1, 0)]
        check([w.device() for w in workers] == [1, 0, 3, 2, 1, 0], f"ranks of {rank}")
        end(workers)


def case_one_visible(node):
    """A rank that sees one GPU takes that."""
    workers = [Worker(node, settings={
        "OMPI_COMM_WORLD_LOCAL_SIZE": "4", "OMPI_COMM_WORLD_LOCAL_RANK": str(i),
        "CUDA_VISIBLE_DEVICES": str(i)}) for i in range(4)]
    check(spread(workers) == [0, 0, 0, 0], "each has one")
    # The numbers are the processes' own, and the ledger counts GPUs.
    last = Worker(node, settings={"CUDA_VISIBLE_DEVICES": "3,2"})
    extra = Worker(node, settings={"CUDA_VISIBLE_DEVICES": "3,2"})
    check([last.device(), extra.device()] == [0, 1], "cards, not numbers")
    end(workers + [last, extra])


def case_named(node):
    """The option overrides the choice, and the process counts where it is."""
    first = Worker(node, settings={"EPOCHLY_GPU_DEVICES": "0"})
    again = Worker(node, settings={"EPOCHLY_GPU_DEVICES": "0",
                                   "OMPI_COMM_WORLD_LOCAL_SIZE": "4",
                                   "OMPI_COMM_WORLD_LOCAL_RANK": "3"})
    other = Worker(node)
    # Case and blanks do not matter, as in the words of other options.
    word = Worker(node, settings={"EPOCHLY_GPU_DEVICES": " Auto "})
    check([w.device() for w in (first, again, other, word)] == [0, 0, 1, 2], "named GPUs win")
    end([first, again, other, word])


def case_small_calls(node):
    """A process without a large call has no part in the ledger."""
    worker = Worker(node, order=SMALL, settings={"EPOCHLY_GPU_POLICY": "auto"})
    check(not os.listdir("/dev/shm"), "a small call makes no ledger")
    end([worker])


def case_fork(node):
    """A child's end is not that of its parent."""
    worker = Worker(node, word="fork")
    other = Worker(node)
    check(worker.devices() == {0, None} and other.device() == 1, "the parent still counts")
    check("forked" not in worker.end(), "a fork is no fault")
    end([other])


def held_bytes(node):
    """What each process holds of GPU 0: the rows of the stand-in's machine (sim_node.c)."""
    row = struct.Struct("=iiQ16Q16I")
    with open(f"{node.folder}/node", "rb") as file:
        data = file.read()
    rows = [row.unpack_from(data, at) for at in range(0, len(data) - row.size + 1, row.size)]
    return [r[3] for r in rows if r[0]]


def case_memory(node):
    """Ranks on one GPU stay under 80 % of it together, and none fails."""
    card = 160 << 20
    settings = {"SIMCUDA_DEVICES": "1", "SIMCUDA_MEMORY": str(card),
                "OMPI_COMM_WORLD_LOCAL_SIZE": "4"}
    workers = [Worker(node, order="1500", word="twice", wait=False,
                      settings={"OMPI_COMM_WORLD_LOCAL_RANK": str(i), **settings})
               for i in range(4)]
    for worker in workers:
        worker.hear()
    held = held_bytes(node)
    contexts = 4 * card // 64
    check(len(held) == 4 and sum(held) - contexts <= (card - card // 64) * 0.8,
          f"memory of four ranks: {held}")
    check(spread(workers) == [0, 0, 0, 0], "four ranks on one GPU")
    end(workers)


def case_mpi(node):
    """The ranks of Open MPI."""
    mpirun = shutil.which("mpirun")
    if mpirun is None:
        return
    log = f"{node.folder}/log.%r"
    settings = dict(Worker.environment(node), EPOCHLY_GPU_LOG=log, PMIX_MCA_gds="hash")
    preload = settings.pop("LD_PRELOAD")
    found = subprocess.run(
        [mpirun, "--allow-run-as-root", "--oversubscribe", "-n", "4", "env",
         f"LD_PRELOAD={preload}", node.worker, LARGE], env=settings, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False)
    check(found.returncode == 0 and found.stdout == "right\n" * 4 and found.stderr == "",
          f"mpirun: {found}")
    for rank in range(4):
        with open(f"{node.folder}/log.{rank}", encoding="utf-8") as lines:
            devices = {json.loads(line)["device"] for line in lines}
        check(devices == {rank}, f"rank {rank} of Open MPI is on {devices}")


ROW = struct.Struct("=IiQQQIIQQq")
MARK = 0x324c7367
STAMP = 9  # the field of a row that its check does not cover


def read_rows(path=LEDGER):
    """The rows in use, whose processes may be dead."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return []
    rows = [ROW.unpack_from(data, at) for at in range(0, len(data) - ROW.size + 1, ROW.size)]
    return [row for row in rows if row[0] == MARK]


def expect_rows(workers, calling=()):
    """The ledger has a row of each worker within a second, and no other one of this machine's."""
    wanted = sorted(worker.process.pid for worker in workers)
    for _ in range(200):
        for worker in calling:
            worker.call()
        found = sorted(row[1] for row in read_rows() if os.path.exists(f"/proc/{row[1]}"))
        if found == wanted:
            break
        time.sleep(0.01)
    check(found == wanted, f"rows of {found}, processes {wanted}")


def case_sharers(node):
    """Ranks that a launcher leads to a GPU count, until the ledger shows who uses it."""
    settings = {"SIMCUDA_DEVICES": "1", "OMPI_COMM_WORLD_LOCAL_SIZE": "4"}
    worker = Worker(node, word="twice", settings={"OMPI_COMM_WORLD_LOCAL_RANK": "0", **settings})
    other = Worker(node, settings={"OMPI_COMM_WORLD_LOCAL_RANK": "3", **settings})
    worker.call()
    check(worker.sharers() == 4, f"those that start together: {worker.sharers()}")
    for _ in range(5000):
        if worker.sharers() == 2:
            break
        worker.call()
    check(worker.sharers() == 2, f"those that use it: {worker.sharers()}")
    end([worker, other])


def slow_cards(node):
    """A profile of GPUs on which a small call is worth sharing."""
    path = f"{node.folder}/slow"
    with open(path, "w", encoding="utf-8") as profile:
        profile.write("capability = 7.5\nmultiprocessors = 1\n")
    return path


def traced(worker, path, wanted, calls=1000):
    """Calls until one of them runs on just the wanted GPUs; those of the last one."""
    found = None
    for _ in range(calls):
        start = os.path.getsize(path) if os.path.exists(path) else 0
        worker.call()
        with open(path, encoding="utf-8") as trace:
            trace.seek(start)
            found = {int(device) for line in trace if "kind=kernel" in line
                     for device in re.findall(r" device=(\d+) ", line)}
        if found == wanted:
            break
    return found


def case_spread(node):
    """A process with GPUs to itself shares large calls among them, while they are idle."""
    path = f"{node.folder}/trace"
    slow = {"SIMCUDA_PROFILE": slow_cards(node)}
    worker = Worker(node, order="600", word="twice", settings={"SIMCUDA_TRACE": path, **slow})
    found = traced(worker, path, {0, 1, 2, 3})
    check(found == {0, 1, 2, 3}, f"alone: {found}")
    second = f"{node.folder}/second"
    other = Worker(node, order="600", word="twice", settings={"SIMCUDA_TRACE": second, **slow})
    check(other.device() == 1, "a guest does not count")
    found = traced(other, second, None, calls=60)
    check(found == {1}, f"the others are borrowed already: {found}")
    found = traced(worker, path, {0, 2, 3})
    check(found == {0, 2, 3}, f"beside another one: {found}")
    end([other])
    found = traced(worker, path, {0, 1, 2, 3})
    check(found == {0, 1, 2, 3}, f"alone again: {found}")
    end([worker])


def case_private(node):
    """Ranks that see GPUs of their own share large calls among all of them."""
    slow = {"SIMCUDA_PROFILE": slow_cards(node), "OMPI_COMM_WORLD_LOCAL_SIZE": "2"}
    paths = [f"{node.folder}/rank.{rank}" for rank in range(2)]
    workers = [Worker(node, order="600", word="twice", settings={
        "OMPI_COMM_WORLD_LOCAL_RANK": str(rank), "SIMCUDA_TRACE": paths[rank],
        "CUDA_VISIBLE_DEVICES": f"{2 * rank},{2 * rank + 1}", **slow}) for rank in range(2)]
    # The first one knows of the second with its first use after that has joined.
    for worker, path in zip(workers, paths):
        found = traced(worker, path, {0, 1})
        check(found == {0, 1}, f"private GPUs: {found}")
    end(workers)


def case_private_slurm(node):
    """The same where Slurm says so; and not where both see the same two."""
    path = f"{node.folder}/trace"
    for gpus, wanted in (("4", {0, 1}), ("2", {0})):
        worker = Worker(node, order="600", word="twice", settings={
            "SLURM_STEP_TASKS_PER_NODE": "2", "SLURM_NODEID": "0", "SLURM_LOCALID": "0",
            "SLURM_GPUS_ON_NODE": gpus, "CUDA_VISIBLE_DEVICES": "0,1",
            "SIMCUDA_TRACE": path, "SIMCUDA_PROFILE": slow_cards(node)})
        found = traced(worker, path, wanted if len(wanted) > 1 else None,
                       calls=1000 if len(wanted) > 1 else 20)
        check(found == wanted, f"a step of {gpus} GPUs: {found}")
        end([worker])


def case_again(node):
    """GPUs that others had at the first attempt are taken when these have ended."""
    path = f"{node.folder}/trace"
    others = [Worker(node, settings={"EPOCHLY_GPU_DEVICES": str(i)}) for i in (1, 2, 3)]
    worker = Worker(node, order="600", word="twice",
                    settings={"SIMCUDA_TRACE": path, "SIMCUDA_PROFILE": slow_cards(node)})
    found = traced(worker, path, None, calls=40)
    check(found == {0}, f"all are in use: {found}")
    end(others)
    found = traced(worker, path, {0, 1, 2, 3})
    check(found == {0, 1, 2, 3}, f"all are idle: {found}")
    end([worker])


def case_no_spread(node):
    """Not to GPUs of ranks to come, nor to exclusive ones, nor where the choice is fixed."""
    path = f"{node.folder}/trace"
    for settings, wanted in (
            ({"OMPI_COMM_WORLD_LOCAL_SIZE": "2", "OMPI_COMM_WORLD_LOCAL_RANK": "1"}, {1, 3}),
            ({"OMPI_COMM_WORLD_LOCAL_SIZE": "4", "OMPI_COMM_WORLD_LOCAL_RANK": "2"}, {2}),
            ({"SIMCUDA_COMPUTE_MODE": "exclusive"}, {0}),
            ({"EPOCHLY_GPU_DETERMINISTIC": "1"}, {0})):
        worker = Worker(node, order="600", word="twice",
                        settings={"SIMCUDA_TRACE": path, **settings,
                                  "SIMCUDA_PROFILE": slow_cards(node)})
        found = (traced(worker, path, wanted) if len(wanted) > 1 else
                 traced(worker, path, None, calls=60))
        check(found == wanted, f"{settings}: {found}")
        end([worker])


def case_exclusive(node):
    """GPUs that other users have are passed over without a word."""
    settings = {"SIMCUDA_COMPUTE_MODE": "exclusive"}
    workers = []
    for _ in range(CARDS):
        workers.append(Worker(node, settings=settings))
        # As if each were another user's.
        if os.path.exists(LEDGER):
            os.unlink(LEDGER)
    check(spread(workers) == [0, 1, 2, 3], f"exclusive: {spread(workers)}")
    end(workers)


def case_mps(node):
    """Clients share exclusive GPUs; where the servers take no more, calls stay on the CPU."""
    settings = {"SIMCUDA_COMPUTE_MODE": "exclusive", "SIMCUDA_MPS": "2"}
    workers = [Worker(node, settings=settings) for _ in range(2 * CARDS)]
    check([w.device() for w in workers] == [0, 1, 2, 3] * 2, "clients of MPS")
    last = Worker(node, settings=settings)
    messages = last.end()
    check(last.devices() == {None} and messages.count("takes no more clients") == CARDS and
          "none of 4 GPUs starts" in messages, f"one client too many: {messages}")
    end(workers)


def case_deterministic(node):
    """The choice does not depend on other processes."""
    workers = [Worker(node, settings={"EPOCHLY_GPU_DETERMINISTIC": "1",
                                      "EPOCHLY_GPU_POLICY": "always"}) for _ in range(2)]
    check([w.device() for w in workers] == [0, 0], "deterministic")
    end(workers)


def case_two_users(node):
    """Each counts its own processes; the files do not mix."""
    if not shutil.which("setpriv"):
        return
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    os.chmod("/dev/shm", 0o1777)
    # The stand-in's machine is a file of one user.
    settings = {"SIMCUDA_NODE": ""}
    stranger = Worker(node, under=nobody, settings=settings)
    worker = Worker(node)
    names = sorted(os.listdir("/dev/shm"))
    check(names == ["gpushim-0", "gpushim-65534"], f"two ledgers: {names}")
    check([stranger.device(), worker.device()] == [0, 0], "two users")
    end([stranger, worker])


SENTENCE = re.compile(r"^gpushim: warn: the processes on each GPU cannot be counted \(the file in "
                      r"/dev/shm: [^)]+\); GPU 0 is used, whatever others do; ")


def expect_sentence(worker, why):
    device, messages = worker.device(), worker.end()
    check(device == 0 and messages.count("gpushim:") == 1 and SENTENCE.match(messages),
          f"{why}: GPU {device}, {messages!r}")


def try_place(node, why, name=LEDGER):
    """With something else in the place of the file: a sentence, or the other folder."""
    expect_sentence(Worker(node), why)
    runtime = f"{node.folder}/runtime"
    os.makedirs(runtime, mode=0o700, exist_ok=True)
    workers = [Worker(node, settings={"XDG_RUNTIME_DIR": runtime}) for _ in range(2)]
    check([w.device() for w in workers] == [0, 1], f"{why}: the other folder")
    end(workers)
    check(not os.listdir(runtime), f"{why}: left in the other folder: {os.listdir(runtime)}")
    ranks = Worker(node, settings={"OMPI_COMM_WORLD_LOCAL_SIZE": "2",
                                   "OMPI_COMM_WORLD_LOCAL_RANK": "1"})
    check(ranks.device() == 1, f"{why}: a rank")
    end([ranks])
    check(name is None or os.path.lexists(name), f"{why}: it is still there")


def case_other_things(node):
    """What stands in the place of the ledger is not touched."""
    other = f"{node.folder}/precious"
    with open(other, "w", encoding="utf-8") as file:
        file.write("precious\n")
    os.mkdir(LEDGER)
    try_place(node, "a folder")
    os.rmdir(LEDGER)
    os.mkfifo(LEDGER)
    try_place(node, "a pipe")
    os.unlink(LEDGER)
    os.symlink(other, LEDGER)
    try_place(node, "a link")
    os.unlink(LEDGER)
    with open(LEDGER, "w", encoding="utf-8"):
        os.chown(LEDGER, 65534, 65534)
    try_place(node, "another user's file")
    os.unlink(LEDGER)
    beside = "/dev/shm/beside"
    shutil.copy(other, beside)
    os.link(beside, LEDGER)
    try_place(node, "a second name of a file")
    for name in (other, beside):
        with open(name, encoding="utf-8") as file:
            check(file.read() == "precious\n", f"{name} is changed")
    os.unlink(LEDGER)
    os.unlink(beside)


def case_garbage(node):
    """Rows that are none are written over, however many there are."""
    for size in (1, 63, 64, 4096, 100000, 1 << 20):
        with open(LEDGER, "wb") as file:
            file.write(random.Random(size).randbytes(size))
        os.chmod(LEDGER, 0o666)
        workers = [Worker(node), Worker(node)]
        check([w.device() for w in workers] == [0, 1], f"{size} bytes of garbage")
        check(os.stat(LEDGER).st_mode & 0o7777 == 0o600, "the mode is corrected")
        end(workers)


def case_removed(node):
    """Somebody removes, cuts or empties the file while it is in use."""
    first = Worker(node, word="twice")
    os.unlink(LEDGER)
    second = Worker(node, word="twice")
    os.truncate(LEDGER, 1)
    check([first.device(), second.device()] == [0, 0], "the file was removed")
    # Both are in the new file with their next calls.
    expect_rows([first, second], calling=[first, second])
    third = Worker(node)
    check(third.device() == 1, "the others have come back")
    end([first, second, third])


def case_full(node):
    """A full, absent or read-only /dev/shm."""
    for options in ("size=4k", "size=4k,nr_inodes=1", "ro"):
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", "/dev/shm"], check=True)
        if options == "size=4k":
            with open("/dev/shm/filler", "wb") as file:
                file.write(bytes(4096))
        try_place(node, f"{FULL} ({options})", name=None)
        check(not os.path.exists(LEDGER), f"a file is left: {options}")
        subprocess.run(["umount", "/dev/shm"], check=True)


def case_limits(node):
    """A limit of file sizes is no signal, and no file mask locks the user out."""
    none = Worker(node, settings={"EPOCHLY_GPU_LOG": ""}, preexec_fn=lambda: resource.setrlimit(
        resource.RLIMIT_FSIZE, (0, 0)))
    check("cannot be counted" in none.end(), "a limit of file sizes")
    workers = [Worker(node, umask=0o777, settings={"EPOCHLY_GPU_LOG": ""}), Worker(node)]
    check(workers[1].device() == 1, "a file mask")
    end(workers)


def case_lock(node):
    """A stopped process that holds the lock holds up nobody, and all are counted."""
    with open(LEDGER, "w", encoding="utf-8") as file:
        os.chmod(LEDGER, 0o600)
        subprocess.run(["flock", "--nonblock", str(file.fileno())], check=True,
                       pass_fds=[file.fileno()])
        workers = [Worker(node), Worker(node)]
        check([w.device() for w in workers] == [0, 1], "the lock is held")
        expect_rows(workers)
        end(workers)
    # The one that held the lock is the last one.
    end([Worker(node)])


def case_killed(node):
    """Short processes in any order, some killed at any time: the ledger is right in the end."""
    draw = random.Random(1)
    alive = []
    for _ in range(50):
        alive.append(Worker(node, wait=False))
        if len(alive) < 8:
            continue
        worker = alive.pop(draw.randrange(len(alive)))
        if draw.random() < 0.5:
            worker.process.kill()
        worker.process.communicate()
    for worker in alive:
        worker.process.kill()
        worker.process.communicate()
    workers = [Worker(node) for _ in range(CARDS)]
    check(spread(workers) == [0, 1, 2, 3], f"after the killed: {spread(workers)}")
    end(workers)


def main(arguments, cases):
    if os.environ.get("CARDS_INSIDE") != "yes":
        if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], check=False,
                                               stderr=subprocess.DEVNULL).returncode != 0:
            print("skipped: no permission to mount")
            return SKIPPED
        os.environ["CARDS_INSIDE"] = "yes"
        os.execvp("unshare", ["unshare", "-m", sys.executable, *sys.argv])
    subprocess.run(["mount", "-t", "tmpfs", "none", "/dev/shm"], check=True)
    build, worker, *names = [os.path.abspath(a) for a in arguments[1:3]] + arguments[3:]
    for name, case in cases:
        if not name.startswith("case_") or (names and name[5:] not in names):
            continue
        node = Node(build, worker)
        case(node)
        node.close()
        print("tried", name[5:].replace("_", " "))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv, list(globals().items())))
