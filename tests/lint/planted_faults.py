# planted_faults.py - a fault for each thing that the checks of sources find, and what is none
# SPDX-License-Identifier: Apache-2.0
"""The data of self_test.py."""

LONG = 'x' * 101

# The check, what the fault is, words of the line that tells of it, and what is planted: for each
# path the text that is added at the end of the file, or a pair, of which the second text replaces
# the first. A new .c or .h file gets its two lines of head.
FAULTS = (
    ('layers', 'an include upwards in policy', 'policy/text/planted.c:3',
     {'policy/text/planted.c': '#include "policy/call/planted.h"\n', 'policy/call/planted.h': ''}),
    ('layers', 'an include upwards in the GPU rooms', 'shim/execute/gpu/cuda/planted.c:3',
     {'shim/execute/gpu/cuda/planted.c': '#include "shim/execute/gpu/device/planted.h"\n',
      'shim/execute/gpu/device/planted.h': ''}),
    ('layers', 'policy that includes the shim', 'policy/decide/planted.c:3',
     {'policy/decide/planted.c': '#include "shim/base/planted.h"\n', 'shim/base/planted.h': ''}),
    ('layers', 'an include of a sibling', 'shim/describe/planted.c:3',
     {'shim/describe/planted.c': '#include "shim/record/planted.h"\n',
      'shim/record/planted.h': ''}),
    ('layers', 'a page that knows the shim', 'page/planted.c:3',
     {'page/planted.c': '#include "shim/base/planted.h"\n', 'shim/base/planted.h': ''}),
    ('layers', 'a command that includes another one', 'cli/top/planted.c:3',
     {'cli/top/planted.c': '#include "cli/tune/planted.h"\n', 'cli/tune/planted.h': ''}),
    ('layers', 'an include of a test', 'measure/planted.c:3',
     {'measure/planted.c': '#include "tests/driver/planted.h"\n', 'tests/driver/planted.h': ''}),
    ('layers', 'a folder without a row', 'policy/planted: the folder',
     {'policy/planted/planted.c': ''}),
    ('layers', 'a row without a folder', 'shim/planted has a row',
     {'tests/lint/rooms.table': '9 shim/planted  planted\n'}),
    ('layers', 'a row that sees a higher rank', 'policy/text (rank 0) sees shim/gate',
     {'tests/lint/rooms.table':
          ('0 policy/text  ', '0 policy/text  planted\n  sees shim/gate\n#')}),
    ('layers', 'a row that sees a sibling', 'sees shim/record, and they are siblings',
     {'tests/lint/rooms.table': '99 shim/describe/planted  planted\n  sees shim/record\n',
      'shim/describe/planted/planted.c': ''}),
    ('layers', 'two rows for one folder', 'policy/text has a row already',
     {'tests/lint/rooms.table': '0 policy/text  planted\n'}),
    ('circles', 'a circle of three files', 'policy/text/planted_a is in a circle of 3 files',
     {'policy/text/planted_a.h': '#include "policy/text/planted_b.h"\n',
      'policy/text/planted_b.c': '#include "policy/text/planted_c.h"\n',
      'policy/text/planted_b.h': '',
      'policy/text/planted_c.h': '#include "policy/text/planted_a.h"\n'}),
    ('purity', 'a realloc in policy', 'policy/text/planted.c:4: policy/ must not use realloc',
     {'policy/text/planted.c':
          '#include <stdlib.h>\nvoid *planted(void *p) { return realloc(p, 8); }\n'}),
    ('purity', 'the address of malloc', 'policy/text/planted.c:3: policy/ must not use malloc',
     {'policy/text/planted.c': 'void *(*planted)(unsigned long) = malloc;\n'}),
    ('purity', 'a clock in policy', 'policy/plan/planted.h:3: policy/ must not use clock_gettime',
     {'policy/plan/planted.h': 'static int planted(void) { return clock_gettime(0, 0); }\n'}),
    ('purity', 'a look at the environment',
     'policy/plan/planted.c:3: policy/ must not use secure_getenv',
     {'policy/plan/planted.c': 'int planted = secure_getenv("A") != 0;\n'}),
    ('purity', 'a header for files', 'policy/plan/planted.c:3: policy/ must not include <fcntl.h>',
     {'policy/plan/planted.c': '#include <fcntl.h>\n'}),
    ('purity', 'a file that may use the heap and is not there', 'policy/plan/planted.c may use',
     {'tests/lint/rooms.table': ('allocates policy', 'allocates policy/plan/planted.c policy')}),
    ('openings', 'an open of its own', 'shim/settings/planted.c:3: tests/lint/openings.table',
     {'shim/settings/planted.c': 'int planted(const char *p) { return open(p, 0); }\n'}),
    ('openings', 'a fopen of its own', 'cli/report/planted.c:3: tests/lint/openings.table',
     {'cli/report/planted.c': 'void *planted(const char *p) { return fopen(p, "re"); }\n'}),
    ('openings', 'a second question for raised privileges', 'gives this file no getauxval',
     {'shim/route/planted.c': 'int planted(void) { return getauxval(23) != 0; }\n'}),
    ('names', 'a static without its prefix', 'static function find_it does not',
     {'shim/gate/planted.c': 'static int find_it(void)\n{\n\treturn 0;\n}\n'}),
    ('names', 'a function that no header declares', 'function find_all does not',
     {'cli/log/planted.c':
          'struct planted *find_all(const char *(*find)(int), int a)\n{\n\treturn 0;\n}\n'}),
    ('names', 'a struct that two files define', 'struct planted is defined in',
     {'policy/text/planted.c': 'struct planted {\n\tint a;\n};\n',
      'tests/regret/planted_too.c': 'struct planted {\n\tint b;\n};\n'}),
    ('heads', 'a file without its head', 'shim/gate/gate.c:1',
     {'shim/gate/gate.c': ('/* gate.c - ', '/* ')}),
    ('heads', 'a script without its licence', 'tests/lint/planted.sh:2',
     {'tests/lint/planted.sh': '#!/bin/sh\n# planted.sh - planted\nexit 0\n'}),
    ('heads', 'a file name that is used twice', 'the name planted.h is used by',
     {'policy/text/planted.h': '', 'tests/unit/planted.h': ''}),
    ('heads', 'a typedef of a struct', 'policy/text/planted.h:3: structs',
     {'policy/text/planted.h': 'typedef struct planted {\n\tint a;\n} planted;\n'}),
    ('sizes', 'a file of 600 lines', 'policy/text/planted.c: 602 lines',
     {'policy/text/planted.c': '/* */\n' * 600}),
    ('sizes', 'a function of 61 lines', 'policy/text/planted.c:4: function of 61 lines',
     {'policy/text/planted.c': 'int planted(void)\n{\n' + '\t;\n' * 61 + '}\n'}),
    ('sizes', 'a macro of 13 lines', 'policy/text/planted.c:3: macro of 13 lines',
     {'policy/text/planted.c': '#define PLANTED \\\n' + '\t; \\\n' * 12 + '\t;\n'}),
    ('sizes', 'a folder of 41 files', 'policy/planted/: 41 files',
     {f'policy/planted/planted_{number}.h': '' for number in range(41)}),
    ('columns', 'a line of C of 101 columns', 'policy/text/planted.c:3: 101 columns',
     {'policy/text/planted.c': '\tint ' + 'x' * 88 + ';\n'}),
    ('columns', 'a comment of 101 columns', 'policy/text/planted.h:3: 107 columns',
     {'policy/text/planted.h': f'/* {LONG} */\n'}),
    ('columns', 'a wide line of Markdown', 'docs/planted.md:1: 101 columns',
     {'docs/planted.md': LONG + '\n'}),
    ('columns', 'a wide line of shell', 'tests/lint/planted.sh:3: 106 columns',
     {'tests/lint/planted.sh': f'#!/bin/sh\n# planted.sh - planted\necho {LONG}\n'}),
    ('architecture', 'a file that is not there', 'there is no shim/planted.c',
     {'docs/architecture.md': '`shim/planted.c`\n'}),
    ('architecture', 'a file without its folder that is not there', 'there is no planted.c',
     {'docs/architecture.md': 'See `planted.c`.\n'}),
    ('architecture', 'a table of other rooms', 'the table of rooms is not that of',
     {'tests/lint/rooms.table': '9 shim/planted  planted\n'}),
    ('architecture', 'a page without its markers', 'the markers are missing',
     {'docs/architecture.md': ('<!-- rooms: end -->', '')}),
    ('no_stdout', 'a puts', 'puts("x")',
     {'shim/gate/planted.c': 'static void planted(void)\n{\n\tputs("x");\n}\n'}),
    ('format', 'a badly formatted line', 'shim/gate/planted.c:3',
     {'shim/gate/planted.c': 'int   planted ;\n'}),
    ('config', 'a sample config of other defaults', 'does not agree',
     {'config/gpushim.conf': '# planted = 1\n'}),
    ('undefined', 'a row that libc has no function for', 'libc has no function planted',
     {'shim/libc/libc.def': 'LIBC(planted)\n'}),
    ('undefined', 'a row that is there twice', 'has these twice',
     {'shim/libc/libc.def': 'LIBC(write)\n'}),
    ('undefined', 'a name without a reason', 'a program may define __environ',
     {'tests/lint/undefined.table': ('shim __environ', 'other __environ')}),
    ('config', 'a variable that no option has', 'EPOCHLY_GPU_PLANTED is no variable',
     {'docs/planted.md': 'Set EPOCHLY_GPU_PLANTED.\n'}),
)

# What a check must not find.
INNOCENT = (
    ('layers', 'an include that stays in its room',
     {'policy/text/planted.c': '#include "policy/text/planted.h"\n', 'policy/text/planted.h': ''}),
    ('circles', 'a header that its file includes, and two files that include one',
     {'policy/text/planted.c': '#include "policy/text/planted.h"\n'
                               '#include "policy/text/planted_b.h"\n',
      'policy/text/planted.h': '#include "policy/text/planted_b.h"\n',
      'policy/text/planted_b.h': ''}),
    ('openings', 'names in comments, strings and structs, and longer names',
     {'shim/route/planted.c': '/* open(1) */\nconst char *planted = "fopen(1)";\n'
                              'void planted_run(struct planted *p) { p->open(1); }\n'
                              'int planted_sum(void) { return sink_open(1); }\n'}),
    ('purity', 'names in comments, strings and structs',
     {'policy/text/planted.c': '/* malloc(1) */ // getenv("A")\n'
                               'const char *planted = "printf(1) /* ";\n'
                               'int open, time;\n'
                               'void planted_run(struct planted *p) { p->read(1); }\n'}),
    ('names', 'functions of the file, of its header, and made by macros',
     {'policy/text/planted.h': 'int planted_find(void);\n',
      'policy/text/planted_b.c': '#define PLANTED(name) planted_##name\n'
                                 'int planted_find(void)\n{\n\treturn 0;\n}\n'
                                 'static int planted_b_find(void)\n{\n\treturn 0;\n}\n'
                                 'int PLANTED(run)(void)\n{\n\treturn 0;\n}\n'}),
    ('columns', 'rows of tables, and links',
     {'policy/text/planted.c': 'static const struct planted planted[] = {\n'
                               f'\t{{"{LONG}", 1}},\n\t{{"{LONG}", 2}},\n}};\n'
                               f'const char planted_style[] =\n' + f'\t"{LONG}"\n' * 4 + '\t"";\n',
      'docs/planted.md': f'| {LONG} |\n\n    {LONG}\n\n```\n{LONG}\n```\n\n[a](https://{LONG})\n'}),
    ('architecture', 'names that are there, patterns, and words that are no files',
     {'docs/architecture.md': '`shim/route/`, `shim/route/route`, `policy/*/call.h`,\n'
                              '`shim/gate/{gate,gate_open}.c`, `route.c`, `struct call`\n'}),
)
