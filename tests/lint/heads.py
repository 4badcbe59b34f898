#!/usr/bin/env python3
# heads.py - the first lines of a file say what it is; no two have one name; the root has no others
# SPDX-License-Identifier: Apache-2.0
"""C sources, shell and Python scripts and CMake modules begin with `name - what it is`, behind a #!
or shellcheck line where there is one, and the SPDX line follows. No two of them have one name.
Structs and enums of the product have tags and no typedefs. In the root of the tree lie the files
of a list and no others: programs that are run there leave theirs."""
import collections
import os
import re
import sys

from source_tree import PRODUCT, SOURCES, Tree, arguments, code_of, line_of, report

C = ('.c', '.h', '.def')
SCRIPTS = ('.sh', '.py', '.cmake')
ROOT = frozenset((
    '.git', '.clang-format', '.clang-tidy', '.gitignore', 'CHANGELOG.md', 'CITATION.cff', 'CMakeLists.txt',
    'CMakePresets.json', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md', 'check.sh',
    'demo.sh'))
LICENCE = 'SPDX-License-Identifier: Apache-2.0'


def check_head(tree, path):
    """Yields what the first lines of a file lack."""
    name = os.path.basename(path)
    lines = tree.read(path).split('\n', 3)[:3]
    if lines[0].startswith(('#!', '# shellcheck ')):
        lines = lines[1:]
    mark = '/*' if path.endswith(C) else '#'
    if not lines[0].startswith(f'{mark} {name} - '):
        yield f"{path}:1: the file does not begin with '{mark} {name} - what it is'"
    if not any(LICENCE in line for line in lines[:2]):
        yield f'{path}:2: no line {LICENCE}'


def check_unique(files):
    """Yields each file name that two folders have."""
    places = collections.defaultdict(list)
    for path in files:
        places[os.path.basename(path)].append(path)
    for name, paths in sorted(places.items()):
        if len(paths) > 1:
            yield f'{paths[0]}: the name {name} is used by {" and ".join(paths[1:])} too'


def check_root(files):
    """Yields each file in the root that has no business there."""
    for path in files:
        if '/' not in path and path not in ROOT:
            yield f'{path}: no file of the root; ROOT in tests/lint/heads.py lists them'


def check_typedefs(tree, files):
    """Yields each typedef of a struct or an enum."""
    for path in files:
        code = code_of(tree.read(path))
        for match in re.finditer(r'\btypedef\s+(?:struct|enum|union)\b[^(;]*[;{]', code):
            yield f'{path}:{line_of(code, match.start())}: structs and enums have tags, no typedefs'


def main():
    """Returns the exit status."""
    words = arguments(__doc__)
    tree = Tree(words.source)
    files = tree.sources(SOURCES, C) + [path for path in tree.files if path.endswith(SCRIPTS)]
    findings = [finding for path in files for finding in check_head(tree, path)]
    findings += check_unique(files)
    findings += check_root(tree.files)
    findings += check_typedefs(tree, tree.sources(PRODUCT, ('.c', '.h')))
    return report('heads', findings, f'{len(files)} files say what they are', words.counts)


if __name__ == '__main__':
    sys.exit(main())
