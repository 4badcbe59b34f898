# report_bar.sh - a bar shows on a terminal how far reading is, and is removed at the end
# SPDX-License-Identifier: Apache-2.0
here=$(dirname "$0")
command -v script >/dev/null ||
	{ echo "skipped: script (Debian: bsdutils), which makes a terminal, is not here"; exit 77; }
awk -v calls=20 -f "$here/report_log.awk" </dev/null >small
cp small large
truncate -s 101M large
show() {
	TERM=$1 NO_COLOR=$2 script -qec "'$GPUSHIM' report $3" typescript </dev/null >terminal
	echo "status $? of $3: $(grep -c 'reading 1' terminal) bars, $(grep -c "$(printf \
		'\033')\\[1m" terminal) bold lines"
}
show xterm '' large | sed -E 's/: [1-9][0-9]* bars/: BARS/'
tr '\r' '\n' <terminal | grep -oE '^\[[#.]{24}\] +[0-9]+ %  reading [0-9]+ MB' | sed 's/.*%/BAR/' |
	uniq
show xterm '' small
show xterm 1 small
show dumb '' small
"$GPUSHIM" report large >report 2>&1
echo "neither in a file: $(grep -c "$(printf '\033')" report)"
