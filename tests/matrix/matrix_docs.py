#!/usr/bin/env python3
# matrix_docs.py - docs/reliability.md has each situation of the matrix, and names tests that exist
# SPDX-License-Identifier: Apache-2.0
# usage: matrix_docs.py [--update] SOURCE BUILD MATRIX
import pathlib
import re
import subprocess
import sys

BEGIN, END = "<!-- matrix: begin, written by tests/matrix/matrix_docs.py --update -->", "<!-- matrix: end -->"


def list_situations(matrix):
    lines = subprocess.run([matrix, "list"], capture_output=True, text=True, check=True).stdout
    rows = [line.split("\t") for line in lines.splitlines()]
    table = ["| situation | promise | test |", "|---|---|---|"]
    return table + [f"| {name} | {promise} | `matrix.{name}` |" for name, promise in rows]


def list_tests(build):
    text = subprocess.run(["ctest", "--test-dir", build, "-N"], capture_output=True, text=True,
                          check=True).stdout
    return set(re.findall(r"^ *Test *#\d+: (\S+)", text, re.M))


def main(words):
    update = words[:1] == ["--update"]
    source, build, matrix = words[update:]
    page = pathlib.Path(source, "docs", "reliability.md")
    text = page.read_text()
    head, rest = text.split(BEGIN)
    table, tail = rest.split(END)
    wanted = "\n" + "\n".join(list_situations(matrix)) + "\n"
    if update:
        page.write_text(head + BEGIN + wanted + END + tail)
        return 0
    faults = [] if table == wanted else ["the table of situations is old: run with --update"]
    tests = list_tests(build)
    for name in re.findall(r"`([a-z_0-9]+[._][A-Za-z0-9_.*-]+)`", tail):
        pattern = re.escape(name).replace(r"\*", ".*")
        if re.match(r"(matrix|hosts|hostile|reach|audit|security|fuzz|guest|gpu|thread|memcheck|preload|unit|real)[._]", name) \
                and not any(re.fullmatch(pattern, test) for test in tests):
            faults.append(f"there is no test {name}")
    print("\n".join(faults) or f"{page.name} names tests that exist")
    return 1 if faults else 0


sys.exit(main(sys.argv[1:]))
