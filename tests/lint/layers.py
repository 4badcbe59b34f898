#!/usr/bin/env python3
# layers.py - every include stays in its folder or points to a lower rank, as rooms.table allows
# SPDX-License-Identifier: Apache-2.0
"""Checks tests/lint/rooms.table: each folder of sources has a row and each row a folder; what a
room sees has a lower rank and is no sibling; and every include is one that the table allows."""
import sys

from rooms import NAME, Rooms
from source_tree import PRODUCT, Tree, arguments, report, room_of

ENDINGS = ('.c', '.h', '.def', '.in')
# Beside the product: bars of ctest that stand on its inner rooms.
COVERED = PRODUCT + ('examples', 'tests/schedule', 'tests/regret', 'tests/driver')


def sibling_of(rooms, name):
    """The sibling that a room is or lies in, None where there is none."""
    return next((sibling for sibling in rooms.siblings
                 if name == sibling or name.startswith(sibling + '/')), None)


def check_row(rooms, room):
    """Yields what is wrong in a row by itself."""
    for name in room.sees:
        seen = rooms.rows.get(name)
        if seen is None:
            yield f'{NAME}: {room.name} sees {name}, which has no row'
        elif seen.rank >= room.rank:
            yield f'{NAME}: {room.name} (rank {room.rank}) sees {name} (rank {seen.rank})'
        elif sibling_of(rooms, name) not in (None, sibling_of(rooms, room.name)) and \
                sibling_of(rooms, room.name) is not None:
            yield f'{NAME}: {room.name} sees {name}, and they are siblings'


def check_table(rooms, folders):
    """Yields what is wrong in the table, beside the folders that there are."""
    yield from rooms.faults
    for name, room in rooms.rows.items():
        if name not in folders:
            yield f'{NAME}: {name} has a row, and no such folder has sources'
        yield from check_row(rooms, room)
    for folder in sorted(folders - set(rooms.rows)):
        yield f'{folder}: the folder has sources and no row in {NAME}'


def check_includes(tree, rooms, files, used):
    """Yields each include that the table does not allow; adds to used what it allows."""
    for path in files:
        room = rooms.rows.get(room_of(path))
        if room is None:
            continue
        for line, target in tree.includes(path):
            seen = room_of(target)
            if seen in room.sees:
                used.add((room.name, seen))
            elif seen != room.name:
                rank = rooms.rows[seen].rank if seen in rooms.rows else 'none'
                yield (f'{path}:{line}: {room.name} (rank {room.rank}) must not include {target} '
                       f'(rank {rank})')


def main():
    """Returns the exit status."""
    words = arguments(__doc__, unused='also print what rows allow and no include needs')
    tree = Tree(words.source)
    rooms = Rooms(tree.root)
    files = tree.sources(COVERED, ENDINGS)
    used = set()
    findings = list(check_table(rooms, {room_of(path) for path in files}))
    findings += check_includes(tree, rooms, files, used)
    if words.unused:
        for room in rooms.rows.values():
            for name in room.sees:
                if (room.name, name) not in used:
                    print(f'{NAME}: no include of {room.name} needs that it sees {name}')
    return report('layers', findings,
                  f'{len(files)} files of {len(rooms.rows)} rooms include what their rows allow',
                  words.counts)


if __name__ == '__main__':
    sys.exit(main())
