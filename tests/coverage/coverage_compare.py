#!/usr/bin/env python3
# coverage_compare.py - compares the figures of `gpushim coverage` with a program's own clock
# SPDX-License-Identifier: Apache-2.0
#
# usage: coverage_compare.py FIGURES <CLOCK
# FIGURES: of --export; CLOCK: lines "NAME LOW [HIGH]" in nanoseconds. NAME is a routine, with - for
# a blank, a word of a library that computes past all calls, or one of: calls, all of BLAS, LAPACK
# and FFTW; taken, those that the shim can take; threads, the latter summed over the threads. Shares
# of the program's time may differ by 10 points.
import json
import sys

POINTS = 10


def find(figures, name):
    """The time that coverage has for a name."""
    if name == "calls":
        return figures["taken"]["wall_ns"] + figures["other"]["wall_ns"]
    if name == "taken":
        return figures["taken"]["wall_ns"]
    if name == "threads":
        return figures["taken"]["thread_ns"]
    rows = figures["routines"]
    found = [row["wall_ns"] for row in rows if row["routine"].replace(" ", "-") == name]
    found += [row["wall_ns"] for row in figures["outside"] if name in row["name"]]
    return sum(found)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        figures = json.load(file)
    whole = figures["wall_ns"]
    for line in sys.stdin:
        name, *times = line.split()
        clock = [float(time) for time in times]
        measured, margin = find(figures, name), POINTS / 100 * whole
        if name == "threads":
            margin = POINTS / 100 * clock[0]
        if clock[0] - margin <= measured <= clock[-1] + margin:
            print(name, "agrees")
        else:
            print(f"{name}: {measured / 1e9:.4f} by coverage, {clock[0] / 1e9:.4f} by the clock, "
                  f"of {whole / 1e9:.4f} seconds")
    for row in figures["routines"]:
        if row["routine"].startswith("dsyevd"):
            print("dsyevd_", row["calls"], "call")


main()
