# whole_messages.sed - each message of the shim in one line: nine blanks continue the line before
# SPDX-License-Identifier: Apache-2.0
:join
$!N
s/^\(gpushim: [a-z]*: .*\)\n         \([^ ]\)/\1 \2/
tjoin
P
D
