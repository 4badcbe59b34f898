#!/usr/bin/env python3
# openings.py - only the files of openings.table open files, folders and libraries
# SPDX-License-Identifier: Apache-2.0
"""Each call of a function below, in a file of the product, needs a row of openings.table that names
the function for that file."""
import fnmatch
import os
import re
import sys

from source_tree import Tree, arguments, code_of, line_of, report

TABLE = os.path.join('tests', 'lint', 'openings.table')
ROOMS = ('policy', 'shim', 'audit', 'measure', 'page', 'cli')
OPENINGS = re.compile(r'(?<![\w.])(?<!->)(open|open64|openat|openat2|creat|fopen|fopen64|freopen|'
                      r'tmpfile|tmpnam|tempnam|mktemp|mkstemps?|mkostemps?|mkdtemp|opendir|scandir|'
                      r'ftw|nftw|shm_open|memfd_create|dlopen|dlmopen|getauxval|secure_getenv)'
                      r'\s*\(')


def read_rows(root):
    """The patterns of files, each with the functions that it allows."""
    rows = []
    with open(os.path.join(root, TABLE), encoding='utf-8') as file:
        for line in file:
            columns = re.split(r'\s{2,}', line.split('#')[0].strip())
            if len(columns) == 3:
                rows.append((columns[0], columns[1].split()))
    return rows


def main():
    """Returns the exit status."""
    words = arguments(__doc__)
    tree = Tree(words.source)
    rows = read_rows(tree.root)
    findings, count = [], 0
    for path in tree.sources(ROOMS, ('.c', '.h', '.def')):
        code = code_of(tree.read(path))
        allowed = {name for pattern, names in rows if fnmatch.fnmatch(path, pattern)
                   for name in names}
        for match in OPENINGS.finditer(code):
            count += 1
            if match[1] not in allowed:
                findings.append(f'{path}:{line_of(code, match.start())}: {TABLE} gives this file '
                                f'no {match[1]}; shim/base/input_file.h opens files safely')
    return report('openings', findings, f'{count} openings of files, folders and libraries are '
                  f'those of {TABLE}', words.counts)


if __name__ == '__main__':
    sys.exit(main())
