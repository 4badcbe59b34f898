#!/usr/bin/env python3
# architecture.py - docs/architecture.md has the table of rooms, and the files that it names exist
# SPDX-License-Identifier: Apache-2.0
"""The table between the markers is that of tests/lint/rooms.table; --update writes it. A name in
backticks with a slash is a file, a folder, a file without its ending, or a pattern with *, from the
root of the tree. A name without a slash but with the ending of a file is one somewhere in the tree.
"""
import fnmatch
import os
import re
import sys

from marked_table import MarkedTable
from rooms import NAME, Rooms, expand
from source_tree import Tree, arguments, line_of, report

PAGE = 'docs/architecture.md'
TABLE = MarkedTable(PAGE, 'rooms', 'tests/lint/architecture.py')

QUOTED = re.compile(r'`([^`\s]+)`')
PATH = re.compile(r'[\w.*{},-]+(/[\w.*{},-]+)*/?')
ENDINGS = ('.c', '.h', '.def', '.in', '.sh', '.py', '.md', '.table', '.cmake', '.conf', '.txt')


def table_of(rooms):
    """The rooms as a table of Markdown."""
    lines = ['| rank | room | holds |', '|--:|---|---|']
    lines += [f'| {room.rank} | `{room.name}` | {room.holds} |' for room in rooms.rows.values()]
    return '\n'.join(lines) + '\n'


def looks_like_path(name):
    """Whether a quoted name is meant to be one of a file or a folder."""
    return PATH.fullmatch(name) is not None and ('/' in name or name.endswith(ENDINGS))


def exists(tree, folders, stems, name):
    """Whether the tree has what a name stands for."""
    name = name.rstrip('/')
    if '*' in name:
        return any(fnmatch.fnmatchcase(path, name) for path in tree.files)
    if '/' not in name and name.endswith(ENDINGS):
        return any(os.path.basename(path) == name for path in tree.files)
    return name in tree.known or name in folders or name in stems


def check_names(tree, page):
    """Yields each name in the page that stands for nothing."""
    stems = {os.path.splitext(path)[0] for path in tree.files}
    folders = {path.rsplit('/', count)[0] for path in tree.files
               for count in range(1, path.count('/') + 1)}
    for match in QUOTED.finditer(page):
        for name in expand(match[1]):
            if looks_like_path(name) and not exists(tree, folders, stems, name):
                yield f'{PAGE}:{line_of(page, match.start())}: there is no {name}'


def main():
    """Returns the exit status."""
    words = arguments(__doc__, update='write the table into the page')
    tree = Tree(words.source)
    page, findings = TABLE.check(tree, table_of(Rooms(tree.root)), NAME, words.update)
    findings += check_names(tree, page)
    return report('architecture', findings, f'{PAGE} has the rooms, and what it names exists',
                  words.counts)


if __name__ == '__main__':
    sys.exit(main())
