# top_screen.sh - the alternate screen and the cursor are restored however the tool ends
# SPDX-License-Identifier: Apache-2.0
command -v script >/dev/null ||
	{ echo "skipped: script (Debian: bsdutils), which makes a terminal, is not here"; exit 77; }
make=$(dirname "$PROBE")/top_make
export TERM=xterm
escape=$(printf '\033')
start=$(date +%s%N)
mkdir files
mkfifo keys hold
"$make" crowd files 30 <hold >crowd &
exec 4>hold
until grep -q ready crowd; do sleep 0.05; done
"$make" files 1 "$start" /opt/bin/a-program-with-a-long-name memory 512000000 1230000000
cat >inside <<'E2'
exec 2>/dev/null
stty cols "$1" rows "$2"
stty -a >before
sh -c 'echo $$ >pid; exec "$GPUSHIM" top --folder files --interval 0.1'
echo "$?" >status
stty -a >after
E2
# The keys come from a pipe that stays open, because a closed pipe would mean the end of the
# terminal.
open_terminal() {
	rm -f pid status before after
	: >screen
	script -qfec "sh inside $*" screen <keys >/dev/null 2>&1 &
	terminal=$!
	exec 3>keys
	tries=0
	until [ "$(grep -oF "$escape[H" screen | wc -l)" -ge 2 ] ||
		[ $((tries += 1)) -gt 600 ]; do sleep 0.05; done
}
close_terminal() {
	tries=0
	until [ -s after ] || [ $((tries += 1)) -gt 600 ]; do sleep 0.05; done
	[ -s after ] || kill -9 "$(cat pid)"
	exec 3>&-
	wait $terminal
	echo "$1: status $(cat status)"
	cmp before after && echo "  the terminal is as it was"
	tr -d '\r' <screen | grep -oE "$escape\[(\?1049|\?25)[hl]" | tr -d "$escape" |
		paste -s -d ' ' | sed 's/^/  /'
}
pages() {
	grep -v '^Script' screen | tr -d '\r' |
		sed -e "s/$escape\[H/\n/g" -e "s/$escape\[?*[0-9]*[a-zA-Z]//g"
}
open_terminal 80 24
printf q >&3
close_terminal "q"
pages | grep -E 'running|pid|a-pro|more|total' | sort -u |
	sed -E -e 's/[0-9]{2}:[0-9]{2}:[0-9]{2}/CLOCK/' -e 's/last [0-9.]+ s/SINCE/' \
	-e 's/^ *[0-9]+ a/PID a/' | sort -u
echo "  widest: $(pages | awk 'length > most { most = length } END { print (most <= 80 ? "fits" : most) }')"
echo "  lines of a page: $(pages | awk '/running/ { lines = 0 } { lines++ } /total/ { print lines; exit }')"
grep -qF "$escape[1m" screen && echo "  coloured"
open_terminal 40 6
kill -TERM "$(cat pid)"
close_terminal "SIGTERM, a small terminal"
pages |
	awk 'length > most { most = length } END { print "  widest:", (most <= 40 ? "fits" : most) }'
export NO_COLOR=1
open_terminal 80 24
kill -WINCH "$(cat pid)"
kill -HUP "$(cat pid)"
close_terminal "another size, SIGHUP"
grep -qE "$escape\[[0-9]+m" screen || echo "  no colours"
open_terminal 80 24
kill -TSTP "$(cat pid)"
tries=0
until grep -qF "$escape[?1049l" screen || [ $((tries += 1)) -gt 600 ]; do sleep 0.05; done
kill -CONT "$(cat pid)"
until [ "$(grep -oF "$escape[?1049h" screen | wc -l)" -ge 2 ] ||
	[ $((tries += 1)) -gt 600 ]; do sleep 0.05; done
printf q >&3
close_terminal "stopped and continued"
export TERM=dumb
script -qec "'$GPUSHIM' top --folder files --interval 0.1 --count 2" screen </dev/null |
	grep -c running
exec 4>&-
wait
grep -qE "$escape\[.[0-9]" screen || echo "a dumb terminal: no escapes"
