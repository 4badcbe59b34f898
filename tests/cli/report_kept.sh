# report_kept.sh - bytes sent to the GPU, and those that it had, in each form of the report
# SPDX-License-Identifier: Apache-2.0
here=$(dirname "$0")
awk -v calls=40 -f "$here/report_log.awk" </dev/null >plain.log
# The first of each pair of calls sends both operands, the second one of them.
awk '/"target":"gpu"/ { kept = n++ % 2 ? ",\"kept\":2000000" : ""
	sub(/,"elapsed_ns"/, ",\"sent\":" (kept == "" ? 4000000 : 2000000) kept "&") } { print }
	END { print n > "calls" }' plain.log >kept.log
echo "$(cat calls) calls on the GPU"
for log in plain kept; do
	"$GPUSHIM" report --html $log.html $log.log >$log.report
	echo "status $? of $log: $(grep -c '^sent to it' $log.report) lines, $(grep -c \
		'stayed on the GPU' $log.html) sections"
done
grep '^sent to it' kept.report
# A call that came back to the CPU has sent its operands too.
awk '/"target":"cpu"/ && !n++ { sub(/,"elapsed_ns"/, ",\"sent\":4000000&") } { print }' \
	kept.log >back.log
"$GPUSHIM" report back.log | grep '^sent to it'
"$GPUSHIM" report --json kept.log | grep -oE '"(sent|kept)_bytes":[0-9.e+]+' | sort | uniq -c |
	sed 's/^ *//'
sed -n '/stayed on the GPU/,/<\/section>/p' kept.html | sed 's/<[^>]*>/ /g' | grep -oE '[0-9.]+ (MB|%)' |
	sort | uniq -c | sed 's/^ *//'
