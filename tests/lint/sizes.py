#!/usr/bin/env python3
# sizes.py - bounds of files, functions, macro bodies and folders
# SPDX-License-Identifier: Apache-2.0
"""A .c or .h file has at most 500 lines, a function 60, the body of a macro 12 (but for the
assembler of entry_jump.h), a folder of the product 40 files."""
import collections
import re
import sys

from source_tree import SOURCES, Tree, arguments, report, room_of

LINES_OF_FILE = 500
LINES_OF_FUNCTION = 60
LINES_OF_MACRO = 12
FILES_OF_FOLDER = 40
# Each of these is one file per test, recording or day.
LARGE_FOLDERS = re.compile(r'tests(/.*)?|bench/(traces|results)')


def check_functions(path, lines):
    """Yields each function that is too long: from a brace in the first column to the next one."""
    start = None
    for number, line in enumerate(lines, 1):
        if line.startswith('{'):
            start = number
        elif line.startswith('}') and start is not None:
            inside, begin, start = number - start - 1, start, None
            if inside > LINES_OF_FUNCTION:
                yield f'{path}:{begin}: function of {inside} lines (at most {LINES_OF_FUNCTION})'


def check_macros(path, lines):
    """Yields each macro whose body is too long."""
    if path.endswith('/entry_jump.h'):
        return
    start = None
    for number, line in enumerate(lines, 1):
        if line.endswith('\\'):
            start = start or number
        elif start is not None:
            inside, begin, start = number - start, start, None
            if inside > LINES_OF_MACRO:
                yield f'{path}:{begin}: macro of {inside} lines (at most {LINES_OF_MACRO})'


def check_file(path, text):
    """Yields what is too long in a file."""
    lines = text.split('\n')
    count = text.count('\n')
    if count > LINES_OF_FILE:
        yield f'{path}: {count} lines (at most {LINES_OF_FILE})'
    yield from check_functions(path, lines)
    yield from check_macros(path, lines)


def check_folders(tree):
    """Yields each folder with too many files."""
    for folder, count in collections.Counter(map(room_of, tree.files)).items():
        if count > FILES_OF_FOLDER and not LARGE_FOLDERS.fullmatch(folder):
            yield f'{folder or "."}/: {count} files (at most {FILES_OF_FOLDER})'


def main():
    """Returns the exit status."""
    words = arguments(__doc__)
    tree = Tree(words.source)
    files = tree.sources(SOURCES, ('.c', '.h'))
    findings = [finding for path in files for finding in check_file(path, tree.read(path))]
    findings += check_folders(tree)
    return report('sizes', findings, 'files, functions, macros and folders keep their bounds',
                  words.counts)


if __name__ == '__main__':
    sys.exit(main())
