# report_json.sh - the sums as one line of JSON; each grouping adds up to the whole
# SPDX-License-Identifier: Apache-2.0
here=$(dirname "$0")
awk -v calls=200 -v pid=10 -f "$here/report_log.awk" </dev/null >rank0.log
awk -v calls=100 -v pid=11 -v object=libsolver.so.2 -f "$here/report_log.awk" </dev/null >rank1.log
"$GPUSHIM" report --json rank0.log rank1.log >report
echo "status $?, $(wc -l <report) line"
tr '{[' '\n\n' <report | grep -v '^0\|^[0-9].*\]$' |
	sed -E 's/"elapsed_ns".*"regret_ns":[0-9.e+]+//'
# Compares the sums of the whole with those of each grouping.
grep -oE '"(cells|symbols|objects|processes)":\[[^]]*\]' report | while read -r group; do
	echo "${group%%:*} $(echo "$group" | grep -oE '"calls":[0-9]+' | awk -F: '{ sum += $2 } END { print sum }') calls"
done
awk '{ sub(/.*"moments":\[/, ""); sub(/\]\].*/, ""); gsub(/\[|\]/, " "); while (match($0, /[0-9.e+]+,[0-9.e+]+,[0-9.e+]+,[0-9.e+]+/)) {
	split(substr($0, RSTART, RLENGTH), part, ","); calls += part[1] + part[3]; $0 = substr($0, RSTART + RLENGTH) } }
	END { print "timeline " calls " calls" }' report
# A path may be invalid UTF-8; the JSON that contains it must be valid.
odd=$(printf 'a\377\303\244"\\\001.log')
cp rank1.log "$odd"
"$GPUSHIM" report --json "$odd" >report
grep -oE '"path":"[^,]*' report
iconv -f UTF-8 -t UTF-8 report >/dev/null && echo "all of it is UTF-8"
