# explain_colour.sh - colours on a terminal unless they are refused; none for files and pipes
# SPDX-License-Identifier: Apache-2.0
command -v script >/dev/null || { echo "skipped: no script, which makes a terminal"; exit 77; }
tell() {
	if grep -q "$(printf '\033')"; then echo "$1: colours"; else echo "$1: none"; fi
}
show() {
	TERM=$1 NO_COLOR=$2 script -qec "'$GPUSHIM' explain dgemm 4096 4096 4096" /dev/null
}
show xterm '' | tell "a terminal"
show xterm 1 | tell "a terminal and NO_COLOR"
show dumb '' | tell "a dumb terminal"
TERM=xterm "$GPUSHIM" explain dgemm 4096 4096 4096 | tell "a pipe"
