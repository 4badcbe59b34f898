#!/usr/bin/env python3
# programs.py - docs/programs.md has the table of the programs that tests/programs runs
# SPDX-License-Identifier: Apache-2.0
"""A row is a NAME.program: what its first line says it runs, and what the last recorded run saw
(tests/programs/results.table, written by tests/programs/record.sh). --update writes the table."""
import os
import re
import sys

from marked_table import MarkedTable
from source_tree import Tree, arguments, report

FOLDER = 'tests/programs/'
RESULTS = FOLDER + 'results.table'
TABLE = MarkedTable('docs/programs.md', 'programs', 'tests/lint/programs.py')
VERDICTS = {'passed': 'same results', 'failed': 'results differ'}


class Outcome:
    """A row of the recorded results."""

    def __init__(self, line):
        self.program, self.version, self.system, tests, self.word, calls = \
            (part.strip() for part in line.split('|'))
        self.tests = int(tests)
        words = calls.split()
        self.calls = sorted((int(count), symbol) for symbol, count in zip(words[::2], words[1::2]))
        self.calls.reverse()


def results_of(tree):
    """The recorded results by program; what is wrong with them."""
    rows, findings = {}, []
    for number, line in enumerate(tree.read(RESULTS).splitlines(), 1):
        if line.startswith('#') or not line.strip():
            continue
        try:
            row = Outcome(line)
        except ValueError:
            findings.append(f'{RESULTS}:{number}: this is no row')
            continue
        if FOLDER + row.program + '.program' not in tree.known:
            findings.append(f'{RESULTS}:{number}: there is no program {row.program}')
        if not row.version or row.word not in VERDICTS or not row.calls:
            findings.append(f'{RESULTS}:{number}: a version, an outcome or the calls are missing')
        rows[row.program] = row
    return rows, findings


def title_of(tree, path):
    """What a program's first line says."""
    match = re.match(r'# \S+ - (.*)', tree.read(path))
    return match[1] if match else '-'


def grouped(number):
    """12,345"""
    return f'{number:,}'


def row_of(tree, path, rows):
    """The row of a program."""
    name = os.path.basename(path).split('.')[0]
    row = rows.get(name)
    cells = ['not recorded', title_of(tree, path), '-', '-', '-']
    if row is not None:
        calls = ', '.join(f'`{symbol}` {grouped(count)}' for count, symbol in row.calls)
        cells = [row.version, title_of(tree, path), grouped(row.tests),
                 VERDICTS.get(row.word, row.word), calls]
    return '| ' + ' | '.join(cells) + f' | `{name}` |'


def table_of(tree, rows):
    """The table, and the systems of its rows below it."""
    lines = ['| program | what it runs | checks | verdict | calls on the simulated GPU | test |',
             '|---|---|--:|---|---|---|']
    lines += sorted((row_of(tree, path, rows) for path in tree.files
                     if path.startswith(FOLDER) and path.endswith('.program')), key=str.lower)
    systems = sorted({row.system for row in rows.values()})
    return '\n'.join(lines) + '\n\nRecorded on ' + ' and '.join(systems) + '.\n'


def main():
    """Returns the exit status."""
    words = arguments(__doc__, update='write the table into the page')
    tree = Tree(words.source)
    rows, findings = results_of(tree)
    findings += TABLE.check(tree, table_of(tree, rows), RESULTS, words.update)[1]
    return report('programs', findings, f'{TABLE.page} has the programs of {FOLDER}', words.counts)


if __name__ == '__main__':
    sys.exit(main())
