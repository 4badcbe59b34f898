# top_kept.sh - bytes sent to the GPU and bytes that were there are those of the interval
# SPDX-License-Identifier: Apache-2.0
make=$(dirname "$PROBE")/top_make
until_seen() {
	tries=0
	until grep -sq "$1" "$2" || [ $((tries += 1)) -gt 600 ]; do sleep 0.05; done
}
traffic() {
	grep -oE '"(sent|kept)_bytes":[1-9][0-9]*' "$1" | sort | uniq -c | sed 's/^ *//'
}
mkdir files
start=$(date +%s%N)
"$make" files $$ "$start" /opt/bin/simulation traffic 9000 1000
"$GPUSHIM" top --folder files --interval 0.1 --count 600 --json >log &
json=$!
"$GPUSHIM" top --folder files --interval 0.1 --count 600 >page &
text=$!
until_seen running log
until_seen running page
"$make" files $$ "$start" - traffic 100 300
until_seen '"kept_bytes":[1-9]' log
until_seen 'operands' page
lines=$(wc -l <log)
until [ "$(wc -l <log)" -gt $((lines + 1)) ]; do sleep 0.05; done
"$make" files $$ "$start" - traffic 50 0 end
until_seen '"sent_bytes":50' log
kill $json $text
wait $json $text
echo "process and total, of one interval each:"
traffic log
echo "in the header:"
grep -o '[0-9.]* % of the operands were there' page
