#!/usr/bin/env python3
# lines_reached.py - which lines of shim/ and policy/ the tests have executed
# SPDX-License-Identifier: Apache-2.0
# usage: lines_reached.py SOURCE BUILD LEAST
#
# BUILD is a build with GPUSHIM_COVERAGE whose tests have run. Prints the share of each room and the
# lines that were not reached, and fails if less than LEAST percent of all were.
import collections
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile


def read_object(data, folder):
    subprocess.run(["gcov", "--json-format", "--object-directory", str(data.parent), str(data)],
                   cwd=folder, capture_output=True, check=False)
    for name in pathlib.Path(folder).glob("*.gcov.json.gz"):
        yield json.loads(gzip.decompress(name.read_bytes()))
        name.unlink()


def add_counts(counts, report, source, build):
    for file in report["files"]:
        path = pathlib.Path(report["current_working_directory"], file["file"]).resolve()
        if not path.is_relative_to(source) or path.is_relative_to(build):
            continue
        name = str(path.relative_to(source))
        if name.startswith(("shim/", "policy/")):
            for line in file["lines"]:
                counts[name][line["line_number"]] += line["count"]


def collect(source, build):
    counts = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as folder:
        for data in sorted(build.rglob("*.gcda")):
            for report in read_object(data, folder):
                add_counts(counts, report, source, build)
    return counts


def join_ranges(lines):
    ranges = []
    for line in sorted(lines):
        if ranges and ranges[-1][1] == line - 1:
            ranges[-1][1] = line
        else:
            ranges.append([line, line])
    return " ".join(f"{first}-{last}" if first < last else str(first) for first, last in ranges)


def main(words):
    source, build = (pathlib.Path(word).resolve() for word in words[:2])
    counts = collect(source, build)
    rooms = collections.defaultdict(lambda: [0, 0])
    for name, lines in counts.items():
        for place in (str(pathlib.Path(name).parent), "all"):
            rooms[place][0] += sum(count > 0 for count in lines.values())
            rooms[place][1] += len(lines)
    for name, lines in sorted(counts.items()):
        missed = [line for line, count in lines.items() if count == 0]
        if missed:
            print(f"{name}: {join_ranges(missed)}")
    for room, (reached, lines) in sorted(rooms.items()):
        print(f"{100 * reached / lines:6.1f} % of {lines:6} lines  {room}")
    reached, lines = rooms["all"]
    return 0 if lines > 0 and 100 * reached >= float(words[2]) * lines else 1


sys.exit(main(sys.argv[1:]))
