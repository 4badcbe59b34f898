#!/usr/bin/env python3
# purity.py - policy/ takes data and returns data: no clock, no environment, no output, no loader
# SPDX-License-Identifier: Apache-2.0
"""Two checks of the files of policy/: their system headers are of the list below, and none of the
functions below is named, called or not. The files that rooms.table names may use the heap. Comments
and strings do not count, nor do members of structs that bear such a name."""
import re
import sys

from rooms import NAME, Rooms
from source_tree import Tree, arguments, code_of, line_of, report

HEADERS = ('complex.h', 'ctype.h', 'float.h', 'inttypes.h', 'limits.h', 'math.h', 'stdalign.h',
           'stdarg.h', 'stdatomic.h', 'stdbool.h', 'stddef.h', 'stdint.h', 'stdio.h', 'stdlib.h',
           'string.h')
HEAP = ('malloc calloc realloc reallocarray free aligned_alloc posix_memalign memalign valloc '
        'pvalloc strdup strndup asprintf vasprintf alloca mmap munmap brk sbrk getline getdelim '
        'open_memstream').split()
IMPURE = {
    'clock': 'time clock clock_gettime clock_getres gettimeofday localtime gmtime mktime ctime '
             'strftime nanosleep clock_nanosleep sleep usleep timespec_get',
    'environment': 'getenv secure_getenv setenv unsetenv putenv environ setlocale localeconv '
                   'sysconf getpid getppid gettid getuid uname gethostname getcwd chdir '
                   'sched_getaffinity',
    'output or input': 'printf fprintf vprintf vfprintf dprintf vdprintf puts fputs fputc putc '
                       'putchar perror scanf fscanf gets fgets fgetc getc getchar fopen fdopen '
                       'freopen fclose fread fwrite fflush fseek ftell stdin stdout stderr open '
                       'openat creat close read pread readv write pwrite writev lseek stat fstat '
                       'lstat access unlink rename remove opendir readdir ioctl fcntl pipe socket '
                       'syscall',
    'loader': 'dlopen dlmopen dlsym dlvsym dlclose dlerror dladdr dl_iterate_phdr',
    'thread or process': 'pthread_\\w+ thrd_\\w+ mtx_\\w+ cnd_\\w+ sem_\\w+ fork vfork exec\\w+ '
                         'posix_spawn system popen wait waitpid kill raise signal sigaction abort '
                         'exit _exit atexit quick_exit',
    'chance': 'rand srand rand_r random srandom drand48 lrand48 mrand48 getrandom getentropy',
}
# Words that are names of variables and members more often than of functions: only calls count.
WORDS = ('time clock access close open read write remove rename wait kill signal raise '
         'exit system random pipe stat sleep environ').split()


def pattern_of(names):
    """Finds these names in code, not as a member of a struct."""
    alternatives = []
    for name in names:
        alternatives.append(name + r'(?=\s*\()' if name in WORDS else name)
    return re.compile(r'(?<![\w.])(?<!->)\b(' + '|'.join(alternatives) + r')\b(?!\s*:)')


def check_headers(path, text):
    """Yields each system header that is not of the list."""
    for match in re.finditer(r'^[ \t]*#[ \t]*include[ \t]*<([^>]+)>', text, re.MULTILINE):
        if match[1] not in HEADERS:
            yield f'{path}:{line_of(text, match.start())}: policy/ must not include <{match[1]}>'


def check_names(path, code, patterns):
    """Yields each name of a function that policy/ must not use."""
    for kind, pattern in patterns.items():
        for match in pattern.finditer(code):
            yield f'{path}:{line_of(code, match.start())}: policy/ must not use {match[1]} ({kind})'


def main():
    """Returns the exit status."""
    words = arguments(__doc__)
    tree = Tree(words.source)
    impure = {kind: pattern_of(names.split()) for kind, names in IMPURE.items()}
    heap = {f'heap, which {NAME} gives to other files': pattern_of(HEAP)}
    allocates = Rooms(tree.root).allocates
    findings = [f'{NAME}: {path} may use the heap, and there is no such file in policy/'
                for path in allocates if path not in tree.known or not path.startswith('policy/')]
    files = tree.sources(('policy',), ('.c', '.h', '.def'))
    for path in files:
        text = tree.read(path)
        code = code_of(text)
        findings += check_headers(path, text)
        findings += check_names(path, code, impure)
        if path not in allocates:
            findings += check_names(path, code, heap)
    return report('purity', findings,
                  f'{len(files)} files of policy/ take data and return data; '
                  f'{len(allocates)} of them use the heap', words.counts)


if __name__ == '__main__':
    sys.exit(main())
