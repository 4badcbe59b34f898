# slurm.py - a Slurm of one node in a folder: its daemons, started and ended by the test
# SPDX-License-Identifier: Apache-2.0
"""with Slurm(folder, gpus=4) as slurm: slurm.run(["srun", "-n", "4", ...])"""

import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time

NEEDED = ("slurmctld", "slurmd", "srun", "sbatch", "sinfo", "munged")
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"
START_S, TIMEOUT_S = 60, 120
PR_SET_PDEATHSIG = 1

# proctrack, task and accounting plugins are those that need no privilege and no control groups;
# the processors of the node are invented (config_overrides), and so are its GPUs (links to
# /dev/null). Programs of MPICH find each other by PMI2.
CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SwitchType=switch/none
MpiDefault=pmi2
ReturnToService=2
GresTypes=gpu
NodeName={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=16 Sockets=2 CoresPerSocket=8 \
ThreadsPerCore=1 RealMemory=1000 Gres=gpu:{gpus}
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def missing():
    """The first program that is not installed, or None."""
    return next((name for name in NEEDED if shutil.which(name, path=PATH) is None), None)


def end_with_parent():
    """In a child: it does not outlive this process, whatever ends that."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def end_steps(setting):
    """Processes with this variable: steps that outlive their daemons, and ask for them for ever."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                found = setting.encode() in file.read().split(b"\0")
            if found and int(pid) != os.getpid():
                os.kill(int(pid), signal.SIGKILL)
        except OSError:
            pass


def find_ports(count):
    """Ports that nobody listens on."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Slurm:
    """Its daemons are children of this process, in the foreground."""

    def __init__(self, folder, gpus):
        self.folder, self.gpus = folder, gpus
        self.daemons = []
        self.environment = {"SLURM_CONF": f"{folder}/slurm.conf"}

    def write(self, name, text, mode=0o644):
        with open(f"{self.folder}/{name}", "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(f"{self.folder}/{name}", mode)

    def configure(self):
        host = socket.gethostname().split(".")[0]
        os.chmod(self.folder, 0o755)
        for name in ("state", "spool"):
            os.mkdir(f"{self.folder}/{name}")
        for number in range(self.gpus):
            os.symlink("/dev/null", f"{self.folder}/gpu{number}")
        self.write("slurm.conf", CONFIGURATION.format(
            host=host, user=pwd.getpwuid(os.geteuid()).pw_name, folder=self.folder,
            gpus=self.gpus, ports=find_ports(2)))
        self.write("gres.conf", "AutoDetect=off\nName=gpu "
                                f"File={self.folder}/gpu[0-{self.gpus - 1}]\n")
        self.write("cgroup.conf", "CgroupPlugin=cgroup/v1\n")
        self.write("munge.key", os.urandom(512).hex(), 0o400)

    def start(self, *command):
        with open(f"{self.folder}/{os.path.basename(command[0])}.out", "w",
                  encoding="utf-8") as out:
            self.daemons.append(subprocess.Popen(
                command, env={"PATH": PATH, "LC_ALL": "C", **self.environment},
                stdin=subprocess.DEVNULL, stdout=out, stderr=out, preexec_fn=end_with_parent))

    def wait_for(self, what, ready):
        end = time.monotonic() + START_S
        while not ready():
            dead = [daemon.args[0] for daemon in self.daemons if daemon.poll() is not None]
            if dead or time.monotonic() > end:
                raise RuntimeError(f"{what} is not ready; ended: {dead}\n{self.messages()}")
            time.sleep(0.05)

    def messages(self):
        """The last lines of what the daemons say."""
        text = ""
        for name in ("munged.out", "slurmctld.log", "slurmd.out", "slurmd.log"):
            if os.path.exists(f"{self.folder}/{name}"):
                with open(f"{self.folder}/{name}", encoding="utf-8", errors="replace") as file:
                    text += f"-- {name}\n" + "".join(file.readlines()[-10:])
        return text

    def is_idle(self):
        found = self.run(["sinfo", "--noheader", "--format=%T"])
        return found.stdout.strip() == "idle"

    def __enter__(self):
        try:
            self.configure()
            # --force: the owner of a folder above may be another one than the user.
            self.start("munged", "--foreground", "--force", f"--key-file={self.folder}/munge.key",
                       f"--socket={self.folder}/munge.socket",
                       f"--pid-file={self.folder}/munged.pid",
                       f"--log-file={self.folder}/munged.log",
                       f"--seed-file={self.folder}/munged.seed", "--num-threads=1")
            self.wait_for("munged", lambda: os.path.exists(f"{self.folder}/munge.socket"))
            self.start("slurmctld", "-D")
            self.start("slurmd", "-D")
            self.wait_for("the node", self.is_idle)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.kill()
            daemon.wait()
        self.daemons = []
        end_steps(f"SLURM_CONF={self.folder}/slurm.conf")

    def run(self, command, environment=None, **options):
        """A program of Slurm, in its environment and that given."""
        return subprocess.run(command, capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL, preexec_fn=end_with_parent,
                              timeout=TIMEOUT_S,
                              env={"PATH": PATH, "LC_ALL": "C", **self.environment,
                                   **(environment or {})}, **options)
