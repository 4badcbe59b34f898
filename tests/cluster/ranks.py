#!/usr/bin/env python3
# ranks.py - gpushim run and compare as ranks of a launch: one summary, whatever ranks do
# SPDX-License-Identifier: Apache-2.0
#
# usage: ranks.py BUILD WORKER [LAUNCHER...]
#
# Most cases play the launcher, so that it is known which rank begins, ends or is killed when.

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

failures = []


def check(passed, sentence):
    if not passed:
        failures.append(sentence)
        print("FAIL", sentence)


class Node:
    def __init__(self, build, worker, folder):
        self.tool, self.worker, self.folder = f"{build}/gpushim", worker, folder
        self.launches = 0
        self.environment = {
            "PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": folder, "OPENBLAS_NUM_THREADS": "1",
            "EPOCHLY_GPU_CUDA_PATH": f"{build}/simcuda", "EPOCHLY_GPU_POLICY": "always",
            "EPOCHLY_GPU_WARMUP": "wait", "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PMIX_MCA_gds": "hash"}

    def begin(self):
        self.launches += 1

    def rank(self, rank, ranks, node=None, options=(), program=None):
        """A rank. Its program makes a call and then waits for the end of its input."""
        first, size = node if node is not None else (0, ranks)
        environment = dict(
            self.environment, OMPI_COMM_WORLD_SIZE=str(ranks), OMPI_COMM_WORLD_RANK=str(rank),
            OMPI_COMM_WORLD_LOCAL_SIZE=str(size), OMPI_COMM_WORLD_LOCAL_RANK=str(rank - first),
            PMIX_NAMESPACE=f"ranks-{os.getpid()}-{self.launches}")
        process = subprocess.Popen(
            [self.tool, "run", *options, "--", *(program or [self.worker, "300"])], env=environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            cwd=self.folder)
        if program is None:
            check(process.stdout.readline() == "right\n", f"rank {rank} computes")
        return process

    def ranks(self, ranks, numbers=None, **how):
        self.begin()
        return [self.rank(i, ranks, **how) for i in (numbers or range(ranks))]


def finish(process):
    out, messages = process.communicate(timeout=30)
    check(out == "", f"more on stdout: {out!r}")
    return re.sub(r"\n +", " ", messages)


def close(process):
    process.stdin.close()
    process.stdin = None


def finish_all(ranks):
    for rank in ranks:
        close(rank)
    return [finish(rank) for rank in ranks]


def count_tables(messages):
    return sum(text.count("on the GPU\n") for text in messages)


def check_together(node):
    """The first rank ends first, and prints when the last has ended."""
    ranks = node.ranks(4)
    close(ranks[0])
    messages = [finish(rank) for rank in ranks[1:]]
    check(messages == [""] * 3, f"other ranks are silent: {messages}")
    text = finish(ranks[0])
    check("gpushim: cards_worker, 4 ranks, " in text, f"all together: {text}")
    check(re.search(r": 4 calls, 100 % on the GPU\n", text), f"all together: {text}")
    check(count_tables([text]) == 1 and text.count("gpushim: ") == 1, f"all together: {text}")
    check(all(rank.returncode == 0 for rank in ranks), "all end well")


def check_no_call(node):
    """Its program ends without a call."""
    ranks = node.ranks(2, [0])
    ranks.append(node.rank(1, 2, program=["true"]))
    check(finish(ranks[1]) == "", "a rank without a call is silent")
    text = finish(ranks[0])
    check("gpushim: cards_worker, 2 ranks, " in text, f"no call: {text}")
    check(": 1 call, 100 % on the GPU" in text, f"no call: {text}")


def check_killed_member(node):
    ranks = node.ranks(3)
    ranks[1].kill()
    messages = [finish(ranks[1]), finish(ranks[2]), finish(ranks[0])]
    check(messages[:2] == ["", ""] and "3 ranks, " in messages[2], f"member killed: {messages}")


def check_killed_first(node):
    """The next that ends prints, and no other."""
    ranks = node.ranks(3)
    ranks[0].kill()
    messages = [finish(rank) for rank in ranks]
    check("gpushim: cards_worker, 3 ranks" in messages[1], f"first killed: {messages}")
    check(messages[0] == "" and messages[2] == "", f"first killed: {messages}")


def check_absent(node):
    """A rank that never comes is waited for a second."""
    ranks = node.ranks(3, [1, 2])
    begin = time.monotonic()
    messages = finish_all(ranks)
    took = time.monotonic() - begin
    check(count_tables(messages) == 1, f"absent: {messages}")
    check("cards_worker, 2 of 3 ranks, " in "".join(messages), f"absent: {messages}")
    check("were not started by `gpushim run`" in "".join(messages), f"absent: {messages}")
    check(took < 20, f"absent: {took:.1f} s")


def check_nodes(node):
    """The node of rank 0 prints, and tells that it is one of several. Here both share the host."""
    node.begin()
    first = [node.rank(i, 4, (0, 2)) for i in (0, 1)]
    node.begin()
    second = [node.rank(i, 4, (2, 2)) for i in (2, 3)]
    messages = finish_all(second)
    check(messages == ["", ""], f"the second node: {messages}")
    messages = [finish(rank) for rank in reversed(first)]
    check(messages[0] == "" and "cards_worker, 2 of 4 ranks, " in messages[1], f"{messages}")
    check("gpushim run -- mpirun ... PROGRAM" in messages[1], f"the first node: {messages}")


def check_files(node):
    """One file for all, or one for each rank."""
    for name, wanted in (("all", ["all"]), ("each-%r", ["each-0", "each-1"])):
        ranks = node.ranks(2, options=("--summary", name))
        close(ranks[0])
        messages = [finish(rank) for rank in (ranks[1], ranks[0])]
        check(messages == ["", ""], f"{name}: {messages}")
        found = sorted(file for file in os.listdir(node.folder) if file.startswith(name[:3]))
        check(found == wanted, f"{name}: {found}")
        for file in found:
            with open(f"{node.folder}/{file}", encoding="utf-8") as text:
                line = text.readline()
            check(("2 ranks" in line) == (name == "all"), f"{file}: {line}")


def check_two_launches(node):
    """Launches at the same time do not mix."""
    one = node.ranks(2)
    two = node.ranks(3)
    for ranks in (one, two):
        text = "".join(finish(rank) for rank in reversed(ranks))
        check(f"cards_worker, {len(ranks)} ranks, " in text and count_tables([text]) == 1, text)


def check_compare(node):
    def compare(**settings):
        done = subprocess.run(
            [node.tool, "compare", "--runs", "1", "--warmup-runs", "0", "--", "true"],
            env=dict(node.environment, **settings), capture_output=True, text=True, check=False,
            stdin=subprocess.DEVNULL, timeout=60)
        return done.returncode, done.stdout + re.sub(r"\n +", " ", done.stderr)

    status, text = compare(PMI_SIZE="4", PMI_RANK="2")
    check(status == 3 and text.count("gpushim: ") == 1, f"compare as a rank: {status} {text}")
    check("rank 2 of 4" in text and "gpushim compare -- mpirun" in text, f"as a rank: {text}")
    for settings in ({"PMI_SIZE": "1", "PMI_RANK": "0"},
                     {"SLURM_JOB_ID": "7", "SLURM_PROCID": "0", "SLURM_NTASKS": "4"}):
        status, text = compare(**settings)
        check(status == 0 and "result: " in text, f"compare, {settings}: {status} {text}")


def check_queue(node):
    """A batch system's command gets no shim, and no place of counters that will be gone."""
    with open(f"{node.folder}/sbatch", "w", encoding="ascii") as command:
        command.write("#!/bin/sh\nenv | grep -E '^(LD_PRELOAD|EPOCHLY_GPU_(COUNTERS|SUMMARY))'\n")
        os.fchmod(command.fileno(), 0o755)
    done = subprocess.run([node.tool, "run", "--", f"{node.folder}/sbatch", "job.sh"],
                          env=node.environment, capture_output=True, text=True, check=False)
    check(done.stdout == "" and done.returncode == 1, f"queue: {done.returncode} {done.stdout}")
    check("only queues the job" in done.stderr and done.stderr.count("gpushim: ") == 1,
          f"queue: {done.stderr}")


def check_obstacle(node):
    """An option of the user's that keeps the shim from the ranks is named."""
    with open(f"{node.folder}/srun", "w", encoding="ascii") as command:
        command.write("#!/bin/sh\nunset LD_PRELOAD\nshift 3\nexec \"$@\"\n")
        os.fchmod(command.fileno(), 0o755)
    done = subprocess.run([node.tool, "run", "--", f"{node.folder}/srun", "--export=NONE", "-n",
                           "2", "true"], env=node.environment, capture_output=True, text=True,
                          check=False)
    messages = re.sub(r"\n +", " ", done.stderr)
    check("0 of 2 ranks reported, since --export=NONE keeps LD_PRELOAD" in messages,
          f"obstacle: {messages}")


def check_launcher(node, launcher):
    """A launcher of this machine, in front and behind; with a shell between it and the tool."""
    prefix = [launcher] + (["--oversubscribe"] if "openmpi" in launcher else []) + ["-n", "3"]
    tool = [node.tool, "run", "--"]
    # The input of a rank of Hydra's other than 0 has no end.
    program = ["sh", "-c", "exec \"$@\" </dev/null", "sh", node.worker, "300"]
    for words in (tool + prefix + program, prefix + tool + program,
                  prefix + ["sh", "-c", "\"$@\"; exit", "sh"] + tool + program):
        done = subprocess.run(words, env=node.environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=60, check=False)
        check(done.returncode == 0 and done.stdout == "right\n" * 3,
              f"{words}: {done.returncode} {done.stdout} {done.stderr}")
        check("gpushim: cards_worker, 3 ranks, " in done.stderr, f"{words}: {done.stderr}")
        check(count_tables([done.stderr]) == 1, f"{words}: {done.stderr}")


def main():
    build, worker = sys.argv[1:3]
    folder = tempfile.mkdtemp(prefix="ranks-")
    node = Node(build, worker, folder)
    try:
        check_together(node)
        check_no_call(node)
        check_killed_member(node)
        check_killed_first(node)
        check_absent(node)
        check_nodes(node)
        check_files(node)
        check_two_launches(node)
        check_compare(node)
        check_queue(node)
        check_obstacle(node)
        for launcher in sys.argv[3:]:
            check_launcher(node, launcher)
    finally:
        shutil.rmtree(folder)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
