#!/usr/bin/env python3
# cluster_cards.py - ranks under real launchers take the GPUs that docs/cluster.md says
# SPDX-License-Identifier: Apache-2.0
#
# usage: cluster_cards.py BUILD PAGE MPICH OPENMPI [LAUNCHER...]
#
# Each row of the page's table is a command: it is run with cluster_rank behind it, built for MPICH
# (mpiexec, srun) or Open MPI (mpirun), on four simulated GPUs. Which GPU a rank takes, and how many
# share it, is compared with the simulated GPUs' own account of their processes; the number of
# sharers that decisions knew of (sharers, in the log) with the same account; the output with that
# of a run without the shim. `gpushim run` in front of each launcher adds up the calls of its ranks.
# LAUNCHER: only these, one row each; by default all rows.
# Real: Slurm, the launchers, MPI, the ranks. Simulated: CUDA and the GPUs.

import os
import re
import shutil
import sys

import slurm
from cluster_node import SKIPPED, Node, enter_namespaces, read_table

CARDS = 4
ORDER, DEPTH = "300", "300"
HEAD = "| command | the rank sees |"


def check_rank(node, command, rank, pid, wanted, seen):
    """One rank is where the table says, and its decisions count those that are there."""
    there = [card for card in range(CARDS) if pid in seen[card]]
    node.check(there == [wanted], f"{command}: rank {rank} is on {there}, not {wanted}")
    if not there:
        return
    sharers = len(seen[there[0]])
    known = [record.get("sharers", 1) for record in node.records(rank)
             if record["target"] == "gpu"]
    node.check(len(known) == 3 and set(known) == {sharers},
               f"{command}: rank {rank} reckons with {known}, but {sharers} use the GPU")


def try_row(node, row, programs):
    command, _, cards, sharers = row
    wanted = [int(card) for card in cards.split()]
    program = [programs["openmpi" if command.startswith("mpirun") else "mpich"], node.folder,
               ORDER, DEPTH]
    plain = node.launch(command, program, shim=False)
    node.forget()
    found = node.launch(command, program, {"EPOCHLY_GPU_LOG": f"{node.folder}/log.%r"})
    messages = re.sub(r"^srun: job \d+ .*\n", "", found.stderr, flags=re.MULTILINE)
    node.check((found.returncode, found.stdout, messages) ==
               (0, f"{len(wanted)} ranks, 0 wrong\n", ""), f"{command}: {found}")
    node.check(found.stdout == plain.stdout, f"{command}: without the shim: {plain}")
    if found.returncode != 0:
        return
    seen = node.seen()
    pids = node.noted("pid", len(wanted))
    for rank, card in enumerate(wanted):
        check_rank(node, command, rank, pids[rank], card, seen)
    counts = sorted({len(processes) for processes in seen if processes})
    node.check(counts == [int(sharers)], f"{command}: {counts} processes on a GPU, not {sharers}")
    node.forget()
    print("tried", command)


def try_summary(node, command, programs):
    """run in front of the launcher adds up the calls of all ranks."""
    ranks = int(command.split()[2])
    program = [programs["openmpi" if command.startswith("mpirun") else "mpich"]]
    found = node.launch(command, program, shim=False, front=[f"{node.build}/gpushim", "run", "--"])
    wanted = rf"^gpushim: [^:]*\b{ranks}\s+ranks\b[^:]*:\s+{3 * ranks}\s+calls,\s+100\s+%\s+on\s+the\s+GPU$"
    node.check(found.returncode == 0 and found.stdout == f"{ranks} ranks, 0 wrong\n" and
               re.search(wanted, found.stderr, re.MULTILINE), f"run -- {command}: {found}")
    node.forget()
    print("tried gpushim run --", command)


def missing(launcher, programs):
    """Why a launcher cannot be tried, or None."""
    name = "openmpi" if launcher == "mpirun" else "mpich"
    if not os.path.exists(programs[name]):
        return f"cluster_rank is not built for {name} (Debian: lib{name}-dev)"
    wanted = {"mpirun": "mpirun.openmpi", "mpiexec": "mpiexec.hydra"}.get(launcher)
    if wanted is not None:
        return None if shutil.which(wanted) else f"{wanted} is not installed"
    program = slurm.missing()
    return f"{program} is not installed (Debian: slurmctld slurmd slurm-client munge)" if (
        program) else None


def main(arguments):
    enter_namespaces()
    build, page, mpich, openmpi, *only = arguments[1:]
    programs = {"mpich": os.path.abspath(mpich), "openmpi": os.path.abspath(openmpi)}
    rows = read_table(page, HEAD)
    tried = 0
    with Node(os.path.abspath(build), CARDS) as node:
        node.check(len(rows) >= 9, f"{page} has {len(rows)} rows")
        for launcher in ("mpirun", "mpiexec", "srun"):
            if only and launcher not in only:
                continue
            why = missing(launcher, programs)
            if why:
                print("left out:", launcher, why)
                continue
            chosen = [row for row in rows if row[0].startswith(f"{launcher} ")]
            for row in chosen[:1] if only else chosen:
                try_row(node, row, programs)
                tried += 1
            try_summary(node, chosen[0][0], programs)
        failures = node.failures
    if failures:
        return 1
    if not tried:
        print("skipped: no launcher is there")
        return SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
