#!/usr/bin/env python3
# cluster_limits.py - ranks leave a fifth of a GPU free, and share the processors of a node
# SPDX-License-Identifier: Apache-2.0
#
# usage: cluster_limits.py BUILD OPENMPI WIDE_MASK memory|threads
#
# memory: four ranks compute matrices that together nearly fill their simulated GPU of 4 GB. What
# they held at most is the GPU's own account.
# threads: eight ranks with an affinity mask of 16 processors, which wide_mask makes them believe.
# Their copy threads are counted in /proc. Needs root, for the number of processors that libc reads.

import os
import shutil
import subprocess
import sys

from cluster_node import SKIPPED, Node, enter_namespaces, is_private

CARD = 4 << 30
ONLINE = "/sys/devices/system/cpu/online"


def launch(node, ranks, program, order, depth, settings):
    found = node.launch(f"mpirun -n {ranks}", [*program, node.folder, str(order), str(depth)],
                        settings)
    node.check((found.returncode, found.stdout, found.stderr) ==
               (0, f"{ranks} ranks, 0 wrong\n", ""), f"{ranks} ranks: {found}")
    return found.returncode == 0


def try_memory(node, program):
    """A result has 0.88 GB; a rank may hold 0.86 GB. A GPU that is hardly used would show nothing."""
    settings = {"EPOCHLY_GPU_LOG": f"{node.folder}/log.%r"}
    if not launch(node, 4, program, 10500, 64, settings):
        return
    held = node.high_bytes()[0]
    print(f"{held / CARD:.1%} of the GPU's memory at most")
    node.check(held < 0.8 * CARD, f"{held} of {CARD} bytes were held")
    node.check(held > 0.2 * CARD, f"only {held} of {CARD} bytes were held")
    for rank in range(4):
        targets = {record["target"] for record in node.records(rank)}
        node.check(targets == {"gpu"}, f"rank {rank} computes on {targets}")


def count_copiers(node, ranks, wide):
    """The threads that copy, with the rank's own, which copies too."""
    launch(node, ranks, wide, 1500, 1500, {"SIMCUDA_DEVICES": "1"})
    return [count + 1 for count in node.noted("copiers", ranks)]


def count_copiers_alone(node, wide):
    """Threads begin where jobs wait for them, fewer on a busy machine: the most of some runs."""
    most = 0
    for _ in range(6):
        most = max(most, *count_copiers(node, 1, wide))
        if most > 8:
            break
    return most


def try_threads(node, program, mask):
    online = f"{node.folder}/online"
    with open(online, "w", encoding="utf-8") as file:
        file.write("0-15\n")
    subprocess.run(["mount", "--bind", online, ONLINE], check=True)
    wide = [mask, "16", *program]
    alone, together = count_copiers_alone(node, wide), count_copiers(node, 8, wide)
    subprocess.run(["umount", ONLINE], check=True)
    print(f"alone {alone}, together {together}")
    node.check(8 < alone <= 16, f"a rank alone has {alone} of 16 processors")
    node.check(sum(together) <= 16, f"eight ranks have {together}")


def find_refusal(what, mask):
    if not shutil.which("mpirun.openmpi"):
        return "mpirun.openmpi is not installed"
    if what != "threads":
        return None
    if not is_private():
        return "no permission to mount"
    if subprocess.run([mask, "16", "true"], check=False).returncode != 0:
        return "the kernel hands system calls to no other process"
    return None


def main(arguments):
    enter_namespaces()
    build, openmpi, mask, what = arguments[1:]
    program, mask = [os.path.abspath(openmpi)], os.path.abspath(mask)
    why = find_refusal(what, mask)
    if why:
        print("skipped:", why)
        return SKIPPED
    with Node(os.path.abspath(build), 1, memory=str(CARD)) as node:
        if what == "memory":
            try_memory(node, program)
        else:
            try_threads(node, program, mask)
        failures = node.failures
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
