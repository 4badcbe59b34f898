# compare_bar.sh - the bar on a terminal; none on a dumb terminal or elsewhere
# SPDX-License-Identifier: Apache-2.0
command -v script >/dev/null ||
	{ echo "skipped: script (Debian: bsdutils), which makes a terminal, is not here"; exit 77; }
script -qec "'$GPUSHIM' compare --runs 7 -- '$PROBE' slower" typescript </dev/null >terminal
echo "status $?"
tr -d '\033' <terminal | tr '\r' '\n' | grep -E '^\[[#.]' |
	sed -E -e 's,\[K,,g' -e 's/[0-9]+\.[0-9]{3}/N/g' -e 's/[0-9.,]+ m?s left/TIME left/'
"$GPUSHIM" compare --runs 2 -- "$PROBE" slower 2>errors >report
wc -c <errors
TERM=dumb script -qec "'$GPUSHIM' compare --runs 1 -- '$PROBE' calls" typescript </dev/null >dumb
if grep -q "$(printf '\033')" dumb; then echo "a bar on a dumb terminal"; fi
grep -c '^exit status' dumb
