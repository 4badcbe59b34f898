#!/usr/bin/env python3
# cluster_docs.py - the commands, files and figures of docs/cluster.md
# SPDX-License-Identifier: Apache-2.0
#
# usage: cluster_docs.py BUILD PAGE MPICH OPENMPI
#
# Indented lines are commands, run in their order in a home of their own; those behind
# `<!-- file: NAME -->` are a file. ./simulation is cluster_rank. Real: Slurm, Open MPI, MPICH,
# environment modules, the tool. Stand-ins (stand_in.sh): apptainer, docker, the server of MPS; CUDA
# is simulated. --cpu-bind is read by Slurm, but binds nothing without its task plugins.

import json
import os
import re
import shutil
import subprocess
import sys

import slurm
from cluster_node import SKIPPED, Node, enter_namespaces, read_table

CARDS = 4
MODULES = "/usr/share/modules/init/sh"
BLOCKS = "| NB |"
CORES, ORDER = 16, 8192


def read_page(page):
    """Commands, and files by their names."""
    commands, files, name, inside = [], {}, None, False
    with open(page, encoding="utf-8") as lines:
        for line in lines:
            found = re.match(r"<!-- file: (\S+) -->$", line)
            if found:
                name = found.group(1)
                files[name] = ""
                inside = False
            elif line.startswith("    "):
                inside = True
                if name:
                    files[name] += line[4:]
                else:
                    commands.append(line.strip())
            elif inside:
                name, inside = None, False
    return commands, files


class Home:
    """The home of a reader who has installed the tool."""

    def __init__(self, node, programs):
        self.node, self.programs = node, programs
        self.path = f"{node.folder}/home"
        here = os.path.dirname(os.path.abspath(__file__))
        for folder in (".local/bin", ".local/lib", "stand-ins"):
            os.makedirs(f"{self.path}/{folder}")
        os.symlink(f"{node.build}/gpushim", f"{self.path}/.local/bin/gpushim")
        os.symlink(f"{node.build}/libgpushim.so", f"{self.path}/.local/lib/libgpushim.so")
        for name in ("docker", "apptainer", "nvidia-cuda-mps-control"):
            os.symlink(f"{here}/stand_in.sh", f"{self.path}/stand-ins/{name}")
        for name, real in (("mpirun", "mpirun.openmpi"), ("mpiexec", "mpiexec.hydra")):
            os.symlink(shutil.which(real), f"{self.path}/stand-ins/{name}")

    def settings(self):
        found = self.node.settings()
        return dict(found, HOME=self.path, TMPDIR=self.path,
                    OMPI_MCA_rmaps_base_oversubscribe="1",
                    PATH=f"{self.path}/stand-ins:{self.path}/.local/bin:{found['PATH']}",
                    MODULEPATH=f"{self.path}/modulefiles")

    def run(self, command):
        """./simulation is that of the MPI which the command starts."""
        program = f"{self.path}/simulation"
        if os.path.lexists(program):
            os.unlink(program)
        os.symlink(self.programs["openmpi" if "mpirun" in command else "mpich"], program)
        if command.startswith("module "):
            command = f". {MODULES}; {command}"
        return self.node.start_slurm().run(["sh", "-c", command], self.settings(), cwd=self.path)

    def outputs(self):
        """What a job has written, once."""
        text = ""
        for name in os.listdir(self.path):
            if name.startswith("slurm-"):
                with open(f"{self.path}/{name}", encoding="utf-8") as file:
                    text += file.read()
                os.unlink(f"{self.path}/{name}")
        return text


def try_command(home, command):
    node = home.node
    found = home.run(command)
    text = found.stdout + found.stderr + home.outputs()
    allowed = (0, 1, 6) if "gpushim doctor" in command else (0,)
    node.check(found.returncode in allowed, f"{command}: {found.returncode}: {text}")
    if "doctor" not in command and re.search(r"simulation|sbatch", command):
        node.check("ranks, 0 wrong" in text, f"{command}: {text}")
        node.check("wrong result" not in text, f"{command}: {text}")
    if re.search(r"gpushim run|sbatch|SUMMARY", command):
        node.check(re.search(r"^gpushim: ", text, re.MULTILINE), f"no summary: {command}: {text}")
    elif "LD_PRELOAD" in command:
        node.check(os.path.exists(f"{node.folder}/node"), f"no GPU was used: {command}: {text}")
    if os.path.exists(f"{node.folder}/node"):
        os.unlink(f"{node.folder}/node")


def find_speedup(node, profile, ranks, depth):
    found = subprocess.run(
        [f"{node.build}/gpushim", "explain", "dgemm", str(ORDER), str(ORDER), str(depth),
         "--profile", profile, "--threads", str(CORES // ranks), "--sharers", str(ranks),
         "--json"], capture_output=True, text=True, check=True, env=dict(node.settings()))
    return f"{json.loads(found.stdout)['speedup']:.1f}"


def try_blocks(node, page):
    """The table of block sizes is what the tool says."""
    rows = read_table(page, BLOCKS)
    node.check(len(rows) >= 5, f"{BLOCKS} has {len(rows)} rows")
    columns = [(profile, ranks) for profile in ("a100", "h200") for ranks in (1, 2, 4)]
    for depth, *cells in rows:
        told = [find_speedup(node, *column, depth) for column in columns]
        node.check(cells == told, f"NB {depth}: the page has {cells}, the tool {told}")


def missing(programs):
    for name, path in programs.items():
        if not os.path.exists(path):
            return f"cluster_rank is not built for {name} (Debian: lib{name}-dev)"
    program = slurm.missing() or next(
        (name for name in ("mpirun.openmpi", "mpiexec.hydra") if not shutil.which(name)), None)
    return program and f"{program} is not installed"


def main(arguments):
    enter_namespaces()
    build, page, mpich, openmpi = arguments[1:]
    programs = {"mpich": os.path.abspath(mpich), "openmpi": os.path.abspath(openmpi)}
    why = missing(programs)
    if why:
        print("skipped:", why)
        return SKIPPED
    commands, files = read_page(page)
    with Node(os.path.abspath(build), CARDS) as node:
        try_blocks(node, page)
        home = Home(node, programs)
        for name, text in files.items():
            os.makedirs(os.path.dirname(f"{home.path}/{name}"), exist_ok=True)
            with open(f"{home.path}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
        node.check(len(commands) >= 10 and len(files) >= 3, f"{len(commands)} commands")
        for command in commands:
            if command.startswith("module ") and not os.path.exists(MODULES):
                print("left out:", command, "(Debian: environment-modules)")
                continue
            try_command(home, command)
            print("tried", command)
        failures = node.failures
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
