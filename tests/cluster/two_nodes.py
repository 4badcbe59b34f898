#!/usr/bin/env python3
# two_nodes.py - Open MPI on two nodes, with an agent that drops the environment: what run counts
# SPDX-License-Identifier: Apache-2.0
#
# usage: two_nodes.py BUILD WORKER MPIRUN
#
# A node is a namespace of its own for network, host name and shared memory. The agent enters the
# second one with an empty environment, as a remote shell does. Needs root, else it is skipped.

import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
RANKS = 4
SETTING = "1;2, 3%"
failures = []


def check(passed, sentence):
    if not passed:
        failures.append(sentence)
        print("FAIL", sentence)


def quietly(*words):
    return subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


class Nodes:
    def __init__(self, build, worker, mpirun, folder):
        self.tool, self.worker, self.mpirun = f"{build}/gpushim", worker, mpirun
        self.folder, self.home = folder, f"{folder}/home"
        self.net = [f"gpushim-{os.getpid()}-{i}" for i in (1, 2)]
        os.mkdir(self.home)
        self.base = {
            "PATH": "/usr/bin:/bin:/usr/sbin", "LC_ALL": "C", "HOME": self.home,
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "PMIX_MCA_gds": "hash"}
        self.settings = {
            "EPOCHLY_GPU_CUDA_PATH": f"{build}/simcuda", "EPOCHLY_GPU_POLICY": "always",
            "EPOCHLY_GPU_WARMUP": "wait", "OPENBLAS_NUM_THREADS": "1"}
        self.write_agent("shared", "")
        self.write_agent("apart", f"mount -t tmpfs none '{self.home}' &&")

    def write_agent(self, name, first):
        """Open MPI calls it with the host and a command. The host name makes it another node."""
        base = " ".join(f"{key}='{value}'" for key, value in self.base.items())
        with open(f"{self.folder}/{name}", "w", encoding="ascii") as agent:
            agent.write(
                "#!/bin/sh\nshift\n"
                f"exec env -i {base} nsenter --net=/run/netns/{self.net[1]} "
                "unshare --uts --ipc --mount "
                f"sh -c \"hostname node-2; {first} $*\"\n")
            os.fchmod(agent.fileno(), 0o755)

    def begin(self):
        """False where the kernel gives no such nodes."""
        first, second = self.net
        made = quietly("ip", "netns", "add", first) and quietly("ip", "netns", "add", second)
        made = made and quietly("ip", "link", "add", "gpushim1", "netns", first, "type", "veth",
                                "peer", "name", "gpushim2", "netns", second)
        for number, name in enumerate(self.net, 1):
            device = f"gpushim{number}"
            made = made and quietly("ip", "-n", name, "addr", "add", f"10.77.0.{number}/24",
                                    "dev", device)
            made = made and quietly("ip", "-n", name, "link", "set", "lo", "up")
            made = made and quietly("ip", "-n", name, "link", "set", device, "up")
        return made

    def end(self):
        for name in self.net:
            quietly("ip", "netns", "del", name)

    def launch(self, agent, words, **settings):
        """The lines of stdout in order, stderr, and the status."""
        environment = dict(self.base, **self.settings,
                           OMPI_MCA_plm_rsh_agent=f"{self.folder}/{agent}")
        environment.update(settings)
        enter = ["nsenter", f"--net=/run/netns/{self.net[0]}", "unshare", "--uts", "sh", "-c",
                 "hostname node-1; exec \"$@\"", "sh"]
        done = subprocess.run(enter + words, env=environment, capture_output=True, text=True,
                              cwd=self.folder, stdin=subprocess.DEVNULL, timeout=60, check=False)
        return sorted(done.stdout.splitlines()), re.sub(r"\n +", " ", done.stderr), done.returncode

    def words(self, *program):
        return [self.mpirun, "--host", "10.77.0.1:2,10.77.0.2:2", "-n", str(RANKS), *program]

    def run(self, agent, words, **settings):
        return self.launch(agent, [self.tool, "run", "--"] + words, **settings)

    def offloaded(self):
        """How many logs tell of a call on the GPU. They are removed."""
        count = 0
        for rank in range(RANKS):
            path = f"{self.folder}/log-{rank}"
            if os.path.exists(path):
                with open(path, encoding="utf-8") as log:
                    count += '"target":"gpu"' in log.read()
                os.unlink(path)
        return count


def check_run(nodes, agent, ranks, sentence):
    """All ranks offload; so many are counted."""
    log = f"{nodes.folder}/log-%r"
    out, messages, status = nodes.run(agent, nodes.words(nodes.worker, "300"),
                                      EPOCHLY_GPU_LOG=log)
    check(status == 0 and out == ["right"] * RANKS, f"{agent}: {status} {out}: {messages}")
    check(f"gpushim: cards_worker, {ranks}, " in messages, f"{agent}: {messages}")
    check("100 % on the GPU" in messages, f"{agent}: {messages}")
    check(messages.count("gpushim: ") == 1 + bool(sentence), f"{agent}: {messages}")
    check(sentence in messages, f"{agent}: {messages}")
    offloaded = nodes.offloaded()
    check(offloaded == RANKS, f"{agent}: {offloaded} ranks offload")


def check_cases(nodes):
    job = f"or their node does not see {nodes.home}/.cache/gpushim/job-"
    check_run(nodes, "shared", "4 ranks", "")
    check_run(nodes, "apart", "2 of 4 ranks", job)
    # A launcher that run does not see, in a script: the other node's ranks have no shim.
    out, messages, _ = nodes.run("shared", ["sh", "-c", "\"$@\"", "sh"] +
                                 nodes.words(nodes.worker, "300"))
    check(out == ["right"] * RANKS and "worker, 2 of 4 ranks, " in messages, f"script: {messages}")
    check("gpushim: 2 of 4 ranks reported" in messages, f"script: {messages}")
    # Ranks without a call are no missing ranks. The user's variables reach them too.
    out, messages, _ = nodes.run("shared", nodes.words("printenv", "SETTING"),
                                 OMPI_MCA_mca_base_env_list="SETTING", SETTING=SETTING)
    check(out == [SETTING] * RANKS, f"no call: {out}: {messages}")
    check(messages == "gpushim: no intercepted routine was called\n", f"no call: {messages}")
    # Nor has any rank the shim that takes it away.
    _, messages, _ = nodes.run("shared", nodes.words("env", "-u", "LD_PRELOAD", "sleep", "0"))
    check("gpushim: 0 of 4 ranks reported" in messages, f"taken away: {messages}")
    left = os.listdir(f"{nodes.home}/.cache/gpushim")
    check(not left, f"left behind: {left}")


def main():
    build, worker, mpirun = sys.argv[1:]
    if os.geteuid() != 0:
        print("skipped: only root makes namespaces of the network")
        return SKIPPED
    missing = [tool for tool in ("ip", "nsenter", "unshare") if shutil.which(tool) is None]
    if missing:
        print("skipped: not installed:", ", ".join(missing))
        return SKIPPED
    folder = tempfile.mkdtemp(prefix="two-nodes-")
    nodes = Nodes(build, worker, mpirun, folder)
    try:
        if not nodes.begin():
            print("skipped: the kernel gives no namespaces of the network")
            return SKIPPED
        check_cases(nodes)
    finally:
        nodes.end()
        shutil.rmtree(folder)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
