#!/usr/bin/env python3
# claims.py - each sentence of the README's first screen has a test that holds it true
# SPDX-License-Identifier: Apache-2.0
"""The first screen ends at the line `<!-- the first screen ends here -->`. Its sentences, rows of
tables and commands have a row each in tests/readme/claims.table: the text as in the README, then an
indented line with the names of tests. `licence` stands for a sentence about the licence. The tests
are those that ctest lists in the folder of LIBRARY, the build; unit tests, which need Criterion,
count as there where the build has none."""
import os
import re
import subprocess
import sys

from source_tree import Tree, arguments, report

PAGE = 'README.md'
NAME = 'tests/readme/claims.table'
END = '<!-- the first screen ends here -->'
MOST_LINES = 45
TEST = re.compile(r'^ *Test +#\d+: (\S+)', re.MULTILINE)
SENTENCE = re.compile(r'.*?[.!?](?=[)*_"]*\s|[)*_"]*$)[)*_"]*|.+', re.DOTALL)


def plain(text):
    """A sentence without line ends and marks of Markdown."""
    text = re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1', text)
    return ' '.join(text.replace('**', '').split())


def paragraphs(lines):
    """Yields each paragraph, item of a list, row of a table and command."""
    text = []
    for line in lines + ['']:
        starts = re.match(r'[*|#<]|\d+\. ', line)
        if not line.strip() or starts or line.startswith('    '):
            if text:
                yield ' '.join(text)
            text = []
        if line.startswith('    '):
            yield re.sub(r'\s+# .*', '', line)
        elif line.strip() and not re.match(r'#|<!--|\|[-:| ]*$', line):
            text.append(re.sub(r'^(\* |\d+\. )', '', line))


def sentences(lines):
    """The sentences of the first screen, in their order."""
    found = []
    for text in paragraphs(lines):
        if text.startswith(('    ', '|')):
            found.append(plain(text))
        else:
            found += [plain(match[0]) for match in SENTENCE.finditer(text) if match[0].strip()]
    return found


def rows_of(text):
    """Pairs of sentence and tests; a comment begins with #."""
    rows, sentence = [], []
    for line in text.splitlines():
        if line.startswith('#') or not line.strip():
            continue
        if line.startswith(' ') and sentence:
            rows.append((plain(' '.join(sentence)), line.split()))
            sentence = []
        elif line.startswith(' ') and rows:
            rows[-1][1].extend(line.split())
        else:
            sentence.append(line)
    if sentence:
        rows.append((plain(' '.join(sentence)), []))
    return rows


def tests_of(library):
    """The names of the build's tests; None without a build."""
    if library is None:
        return None
    command = ['ctest', '--test-dir', os.path.dirname(os.path.abspath(library)), '-N']
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return set(TEST.findall(result.stdout))


def is_listed(name, tests):
    """Whether the build has a test, or lacks what all tests of its kind need."""
    if tests is None or name in tests:
        return True
    return name.startswith('unit_') and not any(test.startswith('unit_') for test in tests)


def check_row(sentence, names, tests):
    """Yields what is wrong with the tests of a sentence."""
    short = sentence[:60]
    if not names:
        yield f'{NAME}: no test is named for "{short}"'
    if names == ['licence']:
        if 'icen' not in sentence:
            yield f'{NAME}: this is not about the licence: "{short}"'
        return
    for name in names:
        if not is_listed(name, tests):
            yield f'{NAME}: there is no test {name}, named for "{short}"'


def main():
    """Returns the exit status."""
    words = arguments(__doc__)
    tree = Tree(words.source)
    lines = tree.read(PAGE).splitlines()
    if lines.count(END) != 1:
        return report('claims', [f'{PAGE}: the line {END} is not there once'], '', words.counts)
    lines = lines[:lines.index(END)]
    said, rows = sentences(lines), rows_of(tree.read(NAME))
    findings = []
    if len(lines) > MOST_LINES:
        findings.append(f'{PAGE}: the first screen has {len(lines)} lines, more than {MOST_LINES}')
    held = [sentence for sentence, _ in rows]
    findings += [f'{PAGE}: no test holds "{text}": give it a row in {NAME}'
                 for text in said if text not in held]
    findings += [f'{NAME}: {PAGE} does not say on its first screen "{text}"'
                 for text in held if text not in said]
    tests = tests_of(words.library)
    for sentence, names in rows:
        findings += check_row(sentence, names, tests)
    return report('claims', findings, f'{len(said)} sentences of the first screen have tests',
                  words.counts)


if __name__ == '__main__':
    sys.exit(main())
