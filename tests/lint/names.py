#!/usr/bin/env python3
# names.py - functions are named for their file, and a struct of one name is defined once
# SPDX-License-Identifier: Apache-2.0
"""A function of name.c or name.h is name_...; or, if it is external, it may be header_... for the
header that declares it. A function may have the file's own name. A tag of a struct, union or enum
is defined in one file."""
import collections
import re
import sys

from source_tree import PRODUCT, Tree, arguments, code_of, line_of, report, stem_of

TAGS_TOO = ('tests/schedule', 'tests/regret')

# Names that are given from outside: files, functions, and who gives the name.
GIVEN = (
    (r'.*', r'main', 'the C library calls it'),
    (r'.*', r'gpushim_\w+', 'the libraries export these under their own prefix'),
    (r'audit/.*', r'la_\w+', 'the loader calls it in an audit library'),
    (r'shim/describe/.*', r'describe_(f77|cblas)_[A-Z0-9]+',
     'declared by describe_blas.h with the name of a row of shape.def'),
    (r'bench/overhead/noop_library\.c', r'fftw_plan_dft_1d', "FFTW's own name"),
)
# What stands where a name is expected and makes one: `static void NAME(run)(...)`.
MADE_BY_MACRO = re.compile(r'[A-Z][A-Z0-9_]*')

ATTRIBUTE = re.compile(r'__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)')
PREPROCESSOR = re.compile(r'^[ \t]*#(?:[^\n\\]|\\.)*', re.MULTILINE | re.DOTALL)
# A body begins with a brace in the first column; its declarator begins where something else ends.
BODY = re.compile(r'(?:\A|[;}])([^;{}]*?)\n\{', re.DOTALL)
PARENTHESES = re.compile(r'\([^()]*\)')
NAME = re.compile(r'\b([A-Za-z_]\w*)\s*@')
RETURNS_FUNCTION = re.compile(r'\(\s*\*\s*(\w+)\s*\(')
TAG = re.compile(r'\b(struct|union|enum)\s+([A-Za-z_]\w*)\s*\{')


class Function:
    """A function that is defined in a file."""

    def __init__(self, path, line, name, is_static):
        self.path, self.line, self.name, self.is_static = path, line, name, is_static


def name_in(declarator):
    """The name of the function that a declarator declares: what stands before its last parentheses.
    None if it declares no function."""
    text, before = ATTRIBUTE.sub(' ', declarator), None
    returns_function = RETURNS_FUNCTION.search(text)
    if returns_function is not None:
        return returns_function[1]
    while before != text:
        before, text = text, PARENTHESES.sub('@', text)
    names = NAME.findall(text)
    return names[-1] if names else None


def is_given(function):
    """Whether the function has its name from outside."""
    return any(re.fullmatch(path, function.path) and re.fullmatch(name, function.name)
               for path, name, _ in GIVEN)


def functions_of(path, text):
    """Yields the functions that a file defines, but for those whose names macros make."""
    code = PREPROCESSOR.sub(lambda match: '\n' * match[0].count('\n'), code_of(text))
    for match in BODY.finditer(code):
        name = name_in(match[1])
        if name is not None and not MADE_BY_MACRO.fullmatch(name):
            is_static = re.search(r'\bstatic\b', match[1]) is not None
            yield Function(path, line_of(code, match.end()), name, is_static)


def begins_with(name, stem):
    """Whether a function's name is that of a file, or begins with it."""
    return name == stem or name.startswith(stem + '_')


def declared_in(name, headers, code):
    """The header whose stem begins the name and which declares it; None if there is none."""
    words = name.split('_')
    for count in range(len(words), 0, -1):
        for path in headers.get('_'.join(words[:count]), ()):
            if re.search(r'\b' + name + r'\s*[(,;]', code(path)):
                return path
    return None


def check_functions(tree, files):
    """Yields each function that is not named for its file."""
    headers = collections.defaultdict(list)
    for path in files:
        if path.endswith('.h'):
            headers[stem_of(path)].append(path)
    for path in files:
        for function in functions_of(path, tree.read(path)):
            if begins_with(function.name, stem_of(path)) or is_given(function):
                continue
            if function.is_static or declared_in(function.name, headers, tree.read) is None:
                kind = 'static ' if function.is_static else ''
                yield (f'{path}:{function.line}: {kind}function {function.name} does '
                       f'not begin with {stem_of(path)}_')


def check_tags(tree, files):
    """Yields each tag that two files define."""
    places = collections.defaultdict(dict)
    for path in files:
        code = code_of(tree.read(path))
        for match in TAG.finditer(code):
            places[match[1], match[2]].setdefault(path, line_of(code, match.start()))
    for (kind, tag), found in sorted(places.items()):
        if len(found) > 1:
            first, *others = (f'{path}:{line}' for path, line in found.items())
            yield f'{first}: {kind} {tag} is defined in {" and ".join(others)} too'


def main():
    """Returns the exit status."""
    words = arguments(__doc__)
    tree = Tree(words.source)
    files = tree.sources(PRODUCT, ('.c', '.h'))
    findings = list(check_functions(tree, files))
    findings += check_tags(tree, tree.sources(PRODUCT + TAGS_TOO, ('.c', '.h')))
    return report('names', findings,
                  f'functions of {len(files)} files bear its name; tags are defined once',
                  words.counts)


if __name__ == '__main__':
    sys.exit(main())
