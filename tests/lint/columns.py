#!/usr/bin/env python3
# columns.py - no line of more than 100 columns, but for rows of tables
# SPDX-License-Identifier: Apache-2.0
"""Lines of C, shell, Python, CMake and Markdown have at most 100 columns; a tab goes to the next
multiple of 8. These may be wider: .def files; lines between `clang-format off` and `on`; runs of
four lines and more that are one string each; rows of an array, `{...},` or NAME(...), beside
another such row; tables, code and the targets of links in Markdown; strings and here documents
of scripts, where a line break would change the text; lines of the tests' C that a string makes
wide."""
import re
import sys

from source_tree import SOURCES, Tree, arguments, report

COLUMNS = 100
SCRIPTS = ('.sh', '.py', '.cmake', 'CMakeLists.txt', '.ci/run')
STRINGS_OF_TABLE = 4

OFF, ON = 'clang-format off', 'clang-format on'
STRING = re.compile(r'(?:"(?:\\.|[^"\\])*"|[A-Z][A-Z0-9_]*|\s)+[,;]?\s*\\?')
ROW = re.compile(r'\{.*\}[,}]*;?|([A-Z][A-Z0-9_]*)\(.*\)[,;]?\s*\\?')
HERE = re.compile(r'<<-?\s*[\'"]?(\w+)')
LINK = re.compile(r'\]\([^)]*\)|https?://\S+')


def width(line):
    """The columns that a line takes."""
    return len(line.expandtabs(8)) if '\t' in line else len(line)


def wide_lines(lines):
    """The indices of lines that are too wide."""
    return [index for index, line in enumerate(lines)
            if len(line) > COLUMNS // 8 and width(line) > COLUMNS]


def is_string(line):
    """Whether a line is one string or several."""
    return '"' in line and STRING.fullmatch(line.strip()) is not None


def in_strings(lines, index):
    """Whether a line is in a run of strings: a page's style, an assembler block."""
    first = last = index
    while first > 0 and is_string(lines[first - 1]):
        first -= 1
    while last + 1 < len(lines) and is_string(lines[last + 1]):
        last += 1
    return is_string(lines[index]) and last - first + 1 >= STRINGS_OF_TABLE


def row_kind(line):
    """What a row of a table begins with, None where the line is no row."""
    match = ROW.fullmatch(line.strip())
    return None if match is None else match[1] or '{'


def in_rows(lines, index):
    """Whether a line is a row of a table, beside another row of the same kind."""
    kind = row_kind(lines[index])
    beside = lines[max(index - 1, 0):index] + lines[index + 1:index + 2]
    return kind is not None and any(row_kind(line) == kind for line in beside)


def off_lines(lines):
    """The indices of lines that clang-format is kept from."""
    found, off = set(), False
    for index, line in enumerate(lines):
        off = (off or OFF in line) and ON not in line
        if off:
            found.add(index)
    return found


def check_c(lines):
    """The indices of lines of C that are too wide."""
    wide = wide_lines(lines)
    if not wide:
        return []
    off = off_lines(lines)
    return [index for index in wide if index not in off and not in_strings(lines, index)
            and not in_rows(lines, index)]


def quote_states(line, quote):
    """Which quote is open before each letter of a script's line; quote: before the line."""
    states, escaped = [], False
    comment = quote is None and line.lstrip().startswith('#')
    for letter in line:
        states.append(quote)
        if comment or escaped or letter not in '"\'':
            escaped = letter == '\\' and not escaped and quote != "'"
        elif quote is None:
            quote = letter
        elif quote == letter:
            quote = None
    return states + [quote]


def check_script(lines):
    """The indices of lines of a script that are too wide outside strings and here documents."""
    found, quote, document = [], None, None
    for index, line in enumerate(lines):
        if document is not None:
            document = None if line.strip() == document else document
            continue
        states = quote_states(line, quote)
        quote = states[-1]
        within = sum(width(line[:place + 1]) <= COLUMNS for place in range(len(line)))
        if within < len(line) and states[within] is None:
            found.append(index)
        here = HERE.search(line) if quote is None else None
        document = here[1] if here is not None else None
    return found


def check_test(lines):
    """As check_c, for the tests: their strings are what a program prints or reads."""
    return sorted(set(check_c(lines)) & set(check_script(lines)))


def check_markdown(lines):
    """The indices of lines of Markdown that are too wide."""
    found, fenced = [], False
    for index, line in enumerate(lines):
        if line.lstrip().startswith('```'):
            fenced = not fenced
        elif not fenced and not line.startswith(('|', '    ', '\t')) and \
                width(LINK.sub('', line)) > COLUMNS:
            found.append(index)
    return found


def main():
    """Returns the exit status."""
    words = arguments(__doc__)
    tree = Tree(words.source)
    sources = tree.sources(SOURCES, ('.c', '.h'))
    kinds = (
        (check_c, [path for path in sources if not path.startswith('tests/')]),
        (check_test, [path for path in sources if path.startswith('tests/')]),
        (check_markdown, [path for path in tree.files if path.endswith('.md')]),
        (check_script, [path for path in tree.files if path.endswith(SCRIPTS)]),
    )
    findings = []
    for check, files in kinds:
        for path in files:
            lines = tree.read(path).split('\n')
            findings += [f'{path}:{index + 1}: {width(lines[index])} columns (at most {COLUMNS})'
                         for index in check(lines)]
    count = sum(len(files) for _, files in kinds)
    return report('columns', findings, f'{count} files have lines of at most {COLUMNS} columns',
                  words.counts)


if __name__ == '__main__':
    sys.exit(main())
