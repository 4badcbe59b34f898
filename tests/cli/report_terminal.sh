# report_terminal.sh - logs of two ranks on the terminal: tables, bars, advice
# SPDX-License-Identifier: Apache-2.0
here=$(dirname "$0")
awk -v calls=200 -v pid=10 -f "$here/report_log.awk" </dev/null >rank0.log
awk -v calls=100 -v pid=10 -v object=libsolver.so.2 -f "$here/report_log.awk" </dev/null >rank1.log
"$GPUSHIM" report rank0.log rank1.log
echo "status $?"
"$GPUSHIM" report rank0.log rank1.log | awk 'length > 80 { print "wider than a terminal: " $0 }'
