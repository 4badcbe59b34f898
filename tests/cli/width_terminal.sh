# width_terminal.sh - on a terminal of 80 columns, in colours, no line is wider; a narrow one works
# SPDX-License-Identifier: Apache-2.0
command -v script >/dev/null ||
	{ echo "skipped: script (Debian: bsdutils), which makes a terminal, is not here"; exit 77; }
here=$(dirname "$0")
. "$here/width_commands.inc"
unset COLUMNS NO_COLOR
export TERM=xterm
width_prepare
# The words of a command in a terminal of so many columns; other statuses are no regular end.
show() {
	columns=$1
	shift
	printf '%s\n' "stty cols $columns rows 50" "$(printf "'%s' " "$@")" 'printf "\nstatus %d\n" $?' >inside
	script -qec 'sh inside' typescript </dev/null 2>&1 | tr '\r' '\n'
}
measure() {
	name=$1
	shift
	show 80 "$@" >output
	fit 80 <output | sed "s|^|$name: |"
	grep -q '^status [0-36]$' output || echo "$name: $(tail -n 1 output)"
	[ "$name" != explain ] || grep -q "$(printf '\033\[1m')" output || echo "$name: no colours"
}
width_each measure
narrow() {
	name=$1
	shift
	show 40 "$@" >output
	grep -q '^status [0-36]$' output || echo "$name: $(tail -n 1 output)"
	case $name in help* | 'show options' | 'show reasons' | top | 'a '*) fit 40 <output | sed "s|^|$name: |" ;; esac
}
width_each narrow
echo measured
