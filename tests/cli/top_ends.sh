# top_ends.sh - processes that end, are killed, execute another program, or whose pid is reused
# SPDX-License-Identifier: Apache-2.0
make=$(dirname "$PROBE")/top_make
until_seen() {
	tries=0
	until grep -sq "$1" log || [ $((tries += 1)) -gt 600 ]; do sleep 0.05; done
}
mkdir files
start=$(date +%s%N)
sleep 100 &
killed=$!
sleep 100 &
removed=$!
sleep 100 &
replaced=$!
sleep 100 &
kept=$!
sleep 0 &
dead=$!
wait $dead
"$make" files $killed "$start" killed
"$make" files $removed "$start" removed
"$make" files $replaced "$start" before
"$make" files $kept "$start" kept
"$make" files $dead "$start" dead
"$make" files $$ 1000000000000000000 reused
"$make" files 1 "$start" shrunk forwarded 1000
# The clock was put forward after the process began: the file is older than the process appears to
# be.
mkfifo hold
"$make" map files 1000000000000000000 <hold >mapped &
exec 3>hold
tries=0
until grep -q ready mapped || [ $((tries += 1)) -gt 600 ]; do sleep 0.05; done
"$GPUSHIM" top --folder files --interval 0.1 --count 600 --json >log 2>notes 3>&- &
top=$!
until_seen '"seconds"'
"$make" files 1 "$start" - clear forwarded 3
"$make" files $killed "$start" - forwarded 5
kill -9 $killed
wait $killed
until_seen '"killed","state":"killed"'
rm "files/gpushim-$removed-$start.counters"
until_seen '"removed","state":"ended"'
"$make" files $replaced $((start + 1)) after forwarded 3
until_seen '"before","state":"replaced"'
"$make" files $kept "$start" - forwarded 4 end
until_seen '"kept","state":"ended"'
lines=$(wc -l <log)
until [ "$(wc -l <log)" -gt $((lines + 2)) ]; do sleep 0.05; done
kill $top
wait $top
echo "ended with $?"
echo "seen:"
grep -oE '"program":"[a-z]+","state":"[a-z]+"' log | sort | uniq -c |
	sed -E 's/ +[0-9]+ (.*running)/N \1/'
grep -oE '"program":"[a-z]+","state":"[a-z]+","calls":[1-9][0-9]*' log | sed 's/"state":"[a-z]*",//'
echo "at last:"
tail -n 1 log | sed -E -e 's/"time":"[^"]*","seconds":[0-9.]+/WHEN/' |
	grep -oE 'WHEN|"program":"[a-z]+"|"total".*' | sort
cat notes
exec 3>&-
kill $removed $replaced $kept
