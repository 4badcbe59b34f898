#!/usr/bin/env python3
# self_test.py - the checks can fail: each finds the one fault that a copy of the tree is given
# SPDX-License-Identifier: Apache-2.0
"""Copies the source tree. Each check has to pass on the copy. Then each fault is planted by itself:
the check has to fail with a line that it did not print before and that holds the fault's words. A
check must accept what only looks like a fault."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

from planted_faults import FAULTS, INNOCENT

CHECKS = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77
EXTRA_EXPORT = 'void dgemm_(void) {}\nvoid helper(void) {}\n'
LATER_SYMBOL = '''
#include <string.h>
__asm__(".symver later, memcpy@GLIBC_2.14");
extern void *later(void *, const void *, unsigned long);
void *f(void *p) { return later(p, p, 1); }
'''
PROGRAMS_NAME = '''
#include <unistd.h>
int f(void) { return getpid(); }
'''
HEAD = '/* {name} - planted */\n/* SPDX-License-Identifier: Apache-2.0 */\n'
class Planted:
    """Files of a tree with a fault, taken back at the end."""

    def __init__(self, root, changes):
        self.root, self.changes, self.before, self.folders = root, changes, {}, []

    def __enter__(self):
        for path, change in self.changes.items():
            self.plant(os.path.join(self.root, path), change)
        return self

    def plant(self, path, change):
        """Writes a file, or changes it."""
        folder = os.path.dirname(path)
        if not os.path.isdir(folder):
            os.mkdir(folder)
            self.folders.append(folder)
        text = None
        if os.path.exists(path):
            with open(path, encoding='utf-8') as file:
                text = file.read()
        self.before[path] = text
        with open(path, 'w', encoding='utf-8') as file:
            file.write(changed(text, change, os.path.basename(path)))

    def __exit__(self, *_):
        for path, text in self.before.items():
            if text is None:
                os.remove(path)
            else:
                with open(path, 'w', encoding='utf-8') as file:
                    file.write(text)
        for folder in self.folders:
            os.rmdir(folder)


def changed(text, change, name):
    """The text of a file after a change; None stands for a file that is not there."""
    if isinstance(change, tuple):
        if change[0] not in text:
            sys.exit(f'self_test: {name} has no {change[0]!r}: this fault cannot be planted')
        return text.replace(change[0], change[1], 1)
    if text is None:
        text = HEAD.format(name=name) if name.endswith(('.c', '.h')) else ''
    return text + change


class SelfTest:
    """Runs the checks on a copy of the tree and counts what came out."""

    def __init__(self, words, work):
        self.source, self.library, self.work = words.source, words.library, work
        self.tree = os.path.join(work, 'tree')
        self.passed, self.failed, self.skipped = 0, [], set()
        self.before = {}

    def run(self, check, *more):
        """Runs a check on the copy: its exit status, and the lines that it prints."""
        script = os.path.join(CHECKS, check)
        command = [script + '.sh'] if os.path.exists(script + '.sh') else \
            [sys.executable, '-B', '-S', script + '.py']
        result = subprocess.run(command + [self.tree, *(more or (self.library,))], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if result.returncode == SKIPPED:
            self.skipped.add(check)
        return result.returncode, result.stdout.splitlines()

    def expect(self, holds, sentence, lines=()):
        """Counts an expectation; tells of one that does not hold."""
        if holds:
            self.passed += 1
            return
        self.failed.append(sentence)
        print(f'FAIL {sentence}')
        for line in list(lines)[:20]:
            print(f'     {line}')

    def check_untouched(self, check):
        """Runs a check on the copy as it is, once."""
        if check not in self.before:
            status, self.before[check] = self.run(check, *self.format_files(check, {}))
            self.expect(status in (0, SKIPPED), f'{check} fails on the untouched tree',
                        self.before[check])
        return self.before[check]

    def format_files(self, check, changes):
        """What clang-format looks at: the whole tree takes it seconds."""
        paths = [path for path in changes if path.endswith(('.c', '.h'))] or ['shim/gate/gate.c']
        return [self.library, *paths] if check == 'format' else []

    def find_fault(self, check, what, words, changes):
        """Plants a fault, which the check has to tell of."""
        before = self.check_untouched(check)
        if check in self.skipped:
            return
        with Planted(self.tree, changes):
            status, lines = self.run(check, *self.format_files(check, changes))
        told = any(words in line for line in lines if line not in before)
        self.expect(status not in (0, SKIPPED) and told, f'{check} does not find {what}', lines)

    def find_nothing(self, check, what, changes):
        """Plants what is no fault, of which the check must not speak."""
        before = self.check_untouched(check)
        with Planted(self.tree, changes):
            lines = self.run(check)[1]
        more = [line for line in lines if line not in before and 'planted' in line]
        self.expect(not more, f'{check} takes {what} for a fault', more)

    def refuse_library(self, check, words, code, edit=lambda data: data):
        """Compiles a library with a fault, which the check has to find."""
        library = os.path.join(self.work, check + '.so')
        compiler = os.environ.get('CC', 'cc')
        subprocess.run([compiler, '-shared', '-fPIC', '-o', library, '-x', 'c', '-'],
                       input=code, text=True, check=True)
        with open(library, 'rb') as file:
            data = edit(file.read())
        with open(library, 'wb') as file:
            file.write(data)
        status, lines = self.run(check, library)
        told = any(words in line for line in lines)
        self.expect(status not in (0, SKIPPED) and told, f'{check} does not tell of {words}', lines)

    def refuse_source(self):
        """Gives clang-tidy a null dereference."""
        path = os.path.join(self.work, 'fault.c')
        with open(path, 'w', encoding='utf-8') as file:
            file.write('int fault(int *p);\n'
                       'int fault(int *p) { if (p == 0) return *p; return 0; }\n')
        with open(os.path.join(self.work, 'compile_commands.json'), 'w', encoding='utf-8') as file:
            json.dump([{'directory': self.work, 'command': 'cc -c fault.c', 'file': path}], file,
                      indent=0)
        shutil.copy(os.path.join(self.source, '.clang-tidy'), self.work)
        status, lines = self.run('tidy', os.path.join(self.work, 'library.so'), path)
        told = any('null pointer' in line for line in lines)
        self.expect(status != 0 and told, 'tidy accepts a null dereference', lines)

    def run_all(self):
        """All faults, one after the other."""
        for fault in FAULTS:
            self.find_fault(*fault)
        for innocent in INNOCENT:
            self.find_nothing(*innocent)
        self.refuse_library('exports', '> helper', EXTRA_EXPORT)
        self.refuse_library('symbol_versions', 'GLIBC_2.99', LATER_SYMBOL,
                            lambda data: data.replace(b'GLIBC_2.14', b'GLIBC_2.99'))
        self.refuse_library('undefined', 'a program may define getpid', PROGRAMS_NAME)
        self.refuse_source()


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('source', help='the root of the source tree')
    parser.add_argument('library', help='libgpushim.so')
    return parser.parse_args()


def main():
    """Returns the exit status."""
    with tempfile.TemporaryDirectory() as work:
        test = SelfTest(parse_arguments(), work)
        shutil.copytree(test.source, test.tree, symlinks=True,
                        ignore=shutil.ignore_patterns('.git', 'build', '__pycache__'))
        test.run_all()
    if test.skipped:
        print(f'self_test: skipped: {", ".join(sorted(test.skipped))}')
    print(f'self_test: {test.passed} passed, {len(test.failed)} failed')
    return 1 if test.failed else 0


if __name__ == '__main__':
    sys.exit(main())
