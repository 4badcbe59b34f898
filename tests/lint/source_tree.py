# source_tree.py - what the checks of sources share: the files of a tree, C without its comments
# SPDX-License-Identifier: Apache-2.0
"""Files of a source tree, and C text as the checks need it. Imported by the checks, run by nobody.

Paths are relative to the root of the tree and have no leading "./".
"""
import argparse
import collections
import os
import re

# Folders of C sources: the product, and what is checked beside it.
PRODUCT = ('policy', 'shim', 'cli', 'audit', 'measure', 'page', 'bench')
SOURCES = PRODUCT + ('examples', 'tests')

# Left out of every walk. Folders whose name begins with a dot are left out too, but for .ci.
NOT_SOURCE = ('build', '__pycache__')

COMMENT_OR_STRING = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)


class Tree:
    """The files of a source tree; each is read once."""

    def __init__(self, root):
        self.root = root
        self.files = sorted(walk(root))
        self.known = set(self.files)
        self.texts = {}

    def read(self, path):
        """The text of a file."""
        if path not in self.texts:
            with open(os.path.join(self.root, path), encoding='utf-8', errors='replace') as file:
                self.texts[path] = file.read()
        return self.texts[path]

    def sources(self, folders, endings):
        """Paths under these folders whose names end in one of these."""
        below = tuple(folder + '/' for folder in folders)
        return [path for path in self.files if path.startswith(below) and path.endswith(endings)]

    def includes(self, path):
        """Pairs of line number and file, for each quoted include that names a file of the tree."""
        text = self.read(path)
        found = []
        for match in INCLUDE.finditer(text):
            target = self.resolve(path, match[1])
            if target is not None:
                found.append((text.count('\n', 0, match.start()) + 1, target))
        return found

    def resolve(self, path, name):
        """The file that an include in path names: from the root, else beside path."""
        beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
        return next((file for file in (name, beside) if file in self.known), None)


def walk(root):
    """Yields every file of the tree."""
    for folder, below, names in os.walk(root):
        below[:] = [name for name in below
                    if name == '.ci' or not name.startswith('.') and name not in NOT_SOURCE]
        inside = os.path.relpath(folder, root)
        for name in names:
            yield name if inside == '.' else inside + '/' + name


def blank(match):
    """Stands for a comment or a string: its quotes and its line ends."""
    text = match[0]
    lines = '\n' * text.count('\n')
    return ' ' + lines if text.startswith('/') else text[0] + lines + text[0]


def code_of(text):
    """C text without comments and without what strings hold; lines keep their numbers."""
    return COMMENT_OR_STRING.sub(blank, text)


def line_of(text, position):
    """The number of the line of a position."""
    return text.count('\n', 0, position) + 1


def stem_of(path):
    """A file's name without its folder and its ending."""
    return os.path.basename(path).split('.')[0]


def room_of(path):
    """A file's folder."""
    return os.path.dirname(path)


def arguments(text, **flags):
    """Parses the command line of a check: flags by name and help, SOURCE, and the library that
    ctest gives to every check."""
    parser = argparse.ArgumentParser(description=text,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--counts', action='store_true', help='print findings per folder only')
    for name, meaning in flags.items():
        parser.add_argument('--' + name, action='store_true', help=meaning)
    parser.add_argument('source', help='the root of the source tree')
    parser.add_argument('library', nargs='?', help='not used')
    return parser.parse_args()


def report(check, findings, passed, counts=False):
    """Prints the findings, each of which begins with a path, or what holds where there are none;
    counts: only how many each folder has. Returns the exit status."""
    if counts:
        folders = collections.Counter(room_of(re.split('[: ]', text, maxsplit=1)[0])
                                      for text in findings)
        for folder, count in sorted(folders.items()):
            print(f'{count:6} {folder or "."}')
    else:
        for finding in findings:
            print(finding)
    if findings:
        print(f'{check}: {len(findings)} finding{"" if len(findings) == 1 else "s"}')
        return 1
    print(f'{check}: {passed}')
    return 0
