# top_left_out.sh - files that are no counters, or not to be trusted, are left out and reported
# SPDX-License-Identifier: Apache-2.0
make=$(dirname "$PROBE")/top_make
mkdir files
start=$(date +%s%N)
file() {
	echo "files/gpushim-$1-$start.counters"
}
"$make" files $$ "$start" sound
"$make" files 11 "$start" short
truncate -s 5000 "$(file 11)"
: >"$(file 12)"
truncate -s 10M "$(file 13)"
"$make" files 14 "$start" other version 2
yes | head -c 1000000 >"$(file 15)"
mkdir "$(file 16)"
mkfifo "$(file 17)"
ln -s "gpushim-$$-$start.counters" "$(file 18)"
ln -s /dev/zero "$(file 19)"
cp "$(file $$)" "$(file 20)"
cp "$(file $$)" files/gpushim-x.counters
cp "$(file $$)" files/other.counters
ln -s . files/gpushim-run-1-AAAAAA
"$GPUSHIM" top --folder files --interval 0.1 --json >log 2>notes
echo "status $?"
grep -oE '"program":"[^"]*"|"left_out":[0-9]+' log
sed -E "s/'gpushim-[0-9x]+(-[0-9]+)?\.counters'/'FILE'/" notes
