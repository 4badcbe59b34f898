# rooms.py - reads tests/lint/rooms.table
# SPDX-License-Identifier: Apache-2.0
"""The table of rooms, for the checks that need it. Imported by them, run by nobody."""
import os
import re

NAME = 'tests/lint/rooms.table'
ROW = re.compile(r'(\d+) (\S+)  (\S.*)')
BRACES = re.compile(r'([^\s{]*)\{([^}]*)\}(\S*)')


class Room:
    """A row of the table."""

    def __init__(self, name, rank, holds):
        self.name = name
        self.rank = rank
        self.holds = holds
        self.sees = []


class Rooms:
    """The table: rows by their folder, siblings, files that may use the heap."""

    def __init__(self, root):
        self.rows = {}
        self.siblings = ()
        self.allocates = ()
        self.faults = []
        with open(os.path.join(root, NAME), encoding='utf-8') as file:
            row = None
            for number, line in enumerate(file, 1):
                if line.strip() and not line.startswith('#'):
                    row = self.take(line.rstrip(), row, number)

    def take(self, line, row, number):
        """Reads a line that belongs to row; returns the row of the next one."""
        words = line.split()
        if words[0] == 'sees' and line[0] == ' ' and row is not None:
            row.sees += expand(line)[1:]
        elif words[0] in ('siblings', 'allocates'):
            setattr(self, words[0], tuple(expand(line)[1:]))
        elif ROW.fullmatch(line):
            rank, name, holds = ROW.fullmatch(line).groups()
            if name in self.rows:
                self.faults.append(f'{NAME}:{number}: {name} has a row already')
            row = self.rows[name] = Room(name, int(rank), holds)
        else:
            self.faults.append(f'{NAME}:{number}: neither a row nor a list: {line}')
        return row


def expand(line):
    """The words of a line, where a{b,c} stands for ab and ac."""
    words = []
    for word in line.split():
        match = BRACES.fullmatch(word)
        if match is None:
            words.append(word)
        else:
            words += [match[1] + part + match[3] for part in match[2].split(',')]
    return words
