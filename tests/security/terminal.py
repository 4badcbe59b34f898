#!/usr/bin/env python3
# terminal.py - a program in the background of a terminal with TOSTOP is not stopped by a message
# SPDX-License-Identifier: Apache-2.0
"""usage: terminal.py LIBRARY PROGRAM    PROGRAM ends with status 42 and writes to stdout only"""
import fcntl
import os
import pty
import signal
import sys
import termios


def run_in_background(terminal, library, program, variables):
    """In a process group that is not the terminal's foreground; returns the wait status."""
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.dup2(terminal, 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.execve(program, [program], {'LD_PRELOAD': library, 'OPENBLAS_NUM_THREADS': '1',
                                       'EPOCHLY_GPU_POLICY': 'never', 'HOME': '/', **variables})
    return os.waitpid(child, os.WUNTRACED)[1], child


def lead_session(name, library, program):
    """The leader of a session whose terminal this is, in its foreground; returns a status."""
    os.setsid()
    terminal = os.open(name, os.O_RDWR)
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    state = termios.tcgetattr(terminal)
    state[3] |= termios.TOSTOP
    termios.tcsetattr(terminal, termios.TCSANOW, state)
    failed = 0
    for variables in ({'EPOCHLY_GPU_POLICY': 'perhaps'}, {'EPOCHLY_GPU_SUMMARY': 'stderr'},
                      {'EPOCHLY_GPU_LOG': name, 'EPOCHLY_GPU_LOG_LEVEL': 'call'}):
        status, child = run_in_background(terminal, library, program, variables)
        if os.WIFSTOPPED(status):
            os.kill(child, signal.SIGKILL)
        if not os.WIFEXITED(status) or os.WEXITSTATUS(status) != 42:
            print(f'FAIL {variables}: wait status {status}', flush=True)
            failed = 1
        else:
            print(f'ok   {variables}', flush=True)
    return failed


def main():
    """Returns the exit status."""
    library, program = (os.path.realpath(word) for word in sys.argv[1:3])
    signal.alarm(60)
    master, slave = pty.openpty()
    leader = os.fork()
    if leader == 0:
        os.close(master)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        os._exit(lead_session(os.ttyname(slave), library, program))
    os.close(slave)
    try:
        while os.read(master, 65536):
            pass
    except OSError:
        pass  # the last one closed the terminal
    return os.waitstatus_to_exitcode(os.waitpid(leader, 0)[1])


if __name__ == '__main__':
    sys.exit(main())
