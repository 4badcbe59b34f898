#!/usr/bin/env python3
# attacks.py - processes that are stopped or killed at bad moments, and those of other namespaces
# SPDX-License-Identifier: Apache-2.0
#
# usage: attacks.py BUILD WORKER [CASE...]
#
# As cards.py, in a mount namespace of its own.

import os
import signal
import subprocess
import sys
import time

import cards
from cards import LEDGER, MARK, ROW, STAMP, Worker, check, end, expect_rows, expect_sentence

# A child that shares /dev/shm, but sees none of this machine's processes.
CONTAINER = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
HOLDER = ("import fcntl, sys, time; file = open(sys.argv[1], 'r+b'); "
          "fcntl.flock(file, fcntl.LOCK_EX); print('held', flush=True); time.sleep(600)")


class Holder:
    """A process that has the ledger's lock."""

    def __init__(self):
        self.process = subprocess.Popen([sys.executable, "-c", HOLDER, LEDGER],
                                        stdout=subprocess.PIPE, text=True)
        check(self.process.stdout.readline() == "held\n", "the lock is held")

    def kill(self):
        self.process.kill()
        self.process.communicate()


def age_rows(seconds):
    """As if the last use of each GPU had been so long ago."""
    with open(LEDGER, "r+b") as file:
        data = bytearray(file.read())
        for at in range(0, len(data) - ROW.size + 1, ROW.size):
            row = list(ROW.unpack_from(data, at))
            if row[0] == MARK:
                row[STAMP] -= seconds * 10**9
                ROW.pack_into(data, at, *row)
        file.seek(0)
        file.write(data)


def case_lock_of_the_stopped(node):
    """SIGSTOP with the lock: others wait for a fifth of a second, and count each other."""
    first = Worker(node)
    holder = Holder()
    holder.process.send_signal(signal.SIGSTOP)
    begin = time.monotonic()
    second = Worker(node, settings={"EPOCHLY_GPU_TRACE": f"{node.folder}/trace"})
    check(time.monotonic() - begin < 5, "nobody waits for ever")
    third = Worker(node)
    check([w.device() for w in (first, second, third)] == [0, 1, 2], "three GPUs")
    expect_rows([first, second, third])
    # Those that end leave the file to it.
    end([first, second])
    expect_rows([third])
    holder.kill()
    end([third])


def case_lock_of_the_killed(node):
    """SIGKILL with the lock: the kernel gives it back."""
    first = Worker(node)
    Holder().kill()
    workers = [first] + [Worker(node, wait=False) for _ in range(7)]
    for worker in workers[1:]:
        worker.hear()
    check(cards.spread(workers) == [0, 0, 1, 1, 2, 2, 3, 3], f"spread {cards.spread(workers)}")
    end(workers)


def case_removed_by_the_stopped(node):
    """One that was stopped as it was about to remove the file does so too late."""
    first = Worker(node, word="twice")
    os.unlink(LEDGER)
    expect_rows([first], calling=[first])
    other = Worker(node)
    check(other.device() == 1, "the first one is counted again")
    end([first, other])


def can_make(words):
    return subprocess.run(words + ["true"], stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def case_containers(node):
    """Processes with the same number in spaces of their own, and rows that are taken."""
    if not can_make(CONTAINER):
        print("skipped: no permission for a space of process numbers")
        return
    inside = [Worker(node, word="twice", under=list(CONTAINER)) for _ in range(2)]
    outside = Worker(node, word="twice")
    check([w.device() for w in inside + [outside]] == [0, 1, 2], "three count each other")
    rows = cards.read_rows()
    check(len(rows) == 3 and rows[0][1] == rows[1][1], f"the same number: {rows}")
    # After a minute without a call, nobody outside knows whether they live.
    age_rows(61)
    spare = Worker(node)
    check(spare.device() == 0 and len(cards.read_rows()) == 4, "they no longer count")
    end([spare])
    age_rows(7200)
    taker = Worker(node)
    rows_then = cards.read_rows()
    check(len(rows_then) == 3 and taker.process.pid in [row[1] for row in rows_then],
          f"a row is taken: {rows_then}")
    deadline = time.monotonic() + 10
    while len(cards.read_rows()) < 4 and time.monotonic() < deadline:
        for worker in inside + [outside]:
            worker.call()
    pids = sorted(row[1] for row in cards.read_rows())
    check(pids == sorted([rows[1][1]] * 2 + [outside.process.pid, taker.process.pid]),
          f"all have rows: {pids}")
    last = Worker(node)
    check(last.device() == 3, "all count")
    # Those outside end first: the file is left to those that may live.
    end([outside, taker, last])
    check(os.path.exists(LEDGER), "it is not removed behind those inside")
    end(inside)


def case_user_namespaces(node):
    """A user who is root in a namespace of his own: at worst there is a sentence."""
    inside = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "unshare", "-U", "-r"]
    if not can_make(inside):
        print("skipped: no permission for a namespace of users")
        return
    os.chmod("/dev/shm", 0o1777)
    settings = {"SIMCUDA_NODE": "", "EPOCHLY_GPU_LOG": f"{node.folder}/log.inside"}
    root = Worker(node)
    guest = Worker(node, under=list(inside), settings=settings)
    check("cannot be counted" in guest.end(), "root's ledger is not his")
    check(len(cards.read_rows()) == 1, "nor changed")
    end([root])
    guest = Worker(node, under=list(inside), settings=settings)
    expect_sentence(Worker(node), "a ledger of another user's root")
    end([guest])


def case_relative_folder(node):
    """XDG_RUNTIME_DIR has to be an absolute path to a folder of the user's."""
    os.mkdir(LEDGER)
    for folder in ("", "here", "./", f"{node.folder}/none", "/proc/self"):
        worker = Worker(node, cwd=node.folder, settings={"XDG_RUNTIME_DIR": folder})
        expect_sentence(worker, f"XDG_RUNTIME_DIR={folder}")
        check(not os.path.exists(f"{node.folder}/gpushim-0"), "nothing in the working directory")
    os.rmdir(LEDGER)


def case_no_programs(node):
    """A /dev/shm that runs no programs is as good."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "noexec,nosuid,nodev,mode=1777", "none",
                    "/dev/shm"], check=True)
    workers = [Worker(node), Worker(node)]
    check([w.device() for w in workers] == [0, 1], "noexec")
    end(workers)
    check(not os.listdir("/dev/shm"), "nothing is left")
    subprocess.run(["umount", "/dev/shm"], check=True)


def case_idle_parent(node):
    """Where each GPU has a process, a new one joins one that idles."""
    workers = [Worker(node, word="twice") for _ in range(4)]
    age_rows(20)
    stamps = [row[STAMP] for row in cards.read_rows()]
    deadline = time.monotonic() + 10
    # All but the second use theirs again.
    while (sum(row[STAMP] == old for row, old in zip(cards.read_rows(), stamps)) > 1 and
           time.monotonic() < deadline):
        for worker in workers[:1] + workers[2:]:
            worker.call()
    workers.append(Worker(node))
    check([w.device() for w in workers] == [0, 1, 2, 3, 1], "the idle one's GPU")
    end(workers)


def case_changed_clock(node):
    """Rows of the future, as where the clock was set back: this machine's still count."""
    first, second = Worker(node, word="twice"), Worker(node)
    age_rows(-3600)
    third = Worker(node)
    check([w.device() for w in (first, second, third)] == [0, 1, 2], "the clock was set back")
    age_rows(7200)
    fourth = Worker(node)
    check(fourth.device() == 3, "the clock was set forward")
    end([first, second, third, fourth])


if __name__ == "__main__":
    sys.exit(cards.main(sys.argv, list(globals().items())))
