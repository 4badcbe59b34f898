#!/usr/bin/env python3
# crowd.py - workers of two users that start, end and are killed in any order on four simulated GPUs
# SPDX-License-Identifier: Apache-2.0
#
# usage: crowd.py BUILD WORKER [CASE...]
#
# As cards.py, in a mount namespace of its own.

import os
import random
import shutil
import signal
import subprocess
import sys
import time

import cards
from cards import CARDS, Worker, check

WORKERS, ALIVE_MOST, SEED = 200, 20, 12
SECOND_S = 1.0


def read_life(pid):
    """State and start of a process; None if it is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return fields[0], int(fields[19])


def count_living(path):
    """The living processes of a ledger by GPU, as a process that joins counts them."""
    cards_of = {}
    for _, pid, start, _, card, guest, *_ in cards.read_rows(path):
        life = read_life(pid)
        if life is not None and life[0] not in "ZX" and life[1] == start and not guest:
            cards_of.setdefault(card, []).append(pid)
    return cards_of


class User:
    """One of two, with workers of his own and a machine that is not shared."""

    def __init__(self, node, number):
        self.node, self.number, self.workers = node, number, []
        self.under = [] if number == os.geteuid() else [
            "setpriv", f"--reuid={number}", f"--regid={number}", "--clear-groups"]
        self.settings = {"SIMCUDA_NODE": f"{node.folder}/node.{number}"}
        self.ledger = f"/dev/shm/gpushim-{number}"

    def count(self):
        """Its workers on each GPU, by the GPUs of their calls."""
        used = [0] * CARDS
        for worker in self.workers:
            used[worker.card] += 1
        return used

    def start(self, count):
        """As many at the same time."""
        before = self.count()
        fresh = [Worker(self.node, under=list(self.under), settings=self.settings, wait=False)
                 for _ in range(count)]
        for worker in fresh:
            worker.hear()
            worker.card = worker.device()
        self.workers += fresh
        # Each takes one of the emptiest.
        wanted = before
        for _ in range(count):
            wanted[wanted.index(min(wanted))] += 1
        check(sorted(self.count()) == sorted(wanted),
              f"user {self.number}: {self.count()} and not {wanted}")

    def end(self, draw):
        worker = self.workers.pop(draw.randrange(len(self.workers)))
        way = draw.choice(("exit", "kill", "stop and kill", "terminate"))
        if way == "stop and kill":
            worker.process.send_signal(signal.SIGSTOP)
        worker.end({"exit": None, "terminate": signal.SIGTERM}.get(way, signal.SIGKILL))

    def kill_at_start(self, draw):
        """At any time between its first instruction and its first call."""
        worker = Worker(self.node, under=list(self.under), settings=self.settings, wait=False)
        time.sleep(draw.random() * 0.05)
        worker.process.kill()
        worker.process.communicate()

    def expect_ledger(self):
        end = time.monotonic() + SECOND_S
        wanted = sorted(worker.process.pid for worker in self.workers)
        while True:
            living = count_living(self.ledger)
            found = sorted(pid for pids in living.values() for pid in pids)
            if found == wanted or time.monotonic() > end:
                break
            time.sleep(0.01)
        check(found == wanted, f"user {self.number}: rows of {found}, processes {wanted}")
        used = sorted(count for count in self.count() if count > 0)
        check(sorted(len(pids) for pids in living.values()) == used,
              f"user {self.number}: {living} and not {used}")


def case_crowd(node):
    """Two users at once."""
    if not shutil.which("setpriv"):
        print("skipped: setpriv is not installed")
        return
    os.chmod("/dev/shm", 0o1777)
    draw = random.Random(SEED)
    users = [User(node, os.geteuid()), User(node, 65534)]
    started = 0
    while started < WORKERS:
        user = draw.choice(users)
        count = draw.choice((1, 1, 2, 6))
        if len(user.workers) + count > ALIVE_MOST:
            for _ in range(draw.randrange(1, len(user.workers))):
                user.end(draw)
        elif draw.random() < 0.2:
            user.kill_at_start(draw)
            started += 1
        else:
            user.start(count)
            started += count
        user.expect_ledger()
    for user in users:
        while len(user.workers) > 1:
            user.end(draw)
            user.expect_ledger()
        user.workers.pop().end()
    check(not os.listdir("/dev/shm"), f"left in /dev/shm: {os.listdir('/dev/shm')}")


def case_all_killed(node):
    """Where the last one is killed a file stays, which the next run removes."""
    workers = [Worker(node) for _ in range(CARDS)]
    for worker in workers:
        worker.end(signal.SIGKILL)
    check(os.listdir("/dev/shm") == ["gpushim-0"], "nothing removes it yet")
    check(os.path.getsize(cards.LEDGER) <= 4096, "of 4 KiB")
    subprocess.run([node.tool, "run", "--quiet", "--", "true"], check=True)


if __name__ == "__main__":
    sys.exit(cards.main(sys.argv, list(globals().items())))
