# width_plain.sh - without a terminal no line is wider than 80 columns, or than COLUMNS
# SPDX-License-Identifier: Apache-2.0
here=$(dirname "$0")
. "$here/width_commands.inc"
unset COLUMNS
export NO_COLOR=1
width_prepare
measure() {
	name=$1
	shift
	"$@" >output 2>&1
	fit 80 <output | sed "s|^|$name: |"
	grep -q . output || echo "$name: no output"
	if grep -q "$(printf '\033')" output; then echo "$name: an escape sequence"; fi
}
width_each measure
LC_ALL=C.UTF-8 measure "compare in UTF-8" "$GPUSHIM" compare --runs 2 --profile a100 -- \
	"$PROBE" calls
# Other widths: the text of help and messages follows; odd values count as none.
"$GPUSHIM" help run >usual
for columns in 0 -5 1e9999 eighty '' 19 80x24; do
	COLUMNS=$columns "$GPUSHIM" help run | cmp - usual
done
for columns in 20 40 60 100 1e9; do
	COLUMNS=$columns "$GPUSHIM" help run >output || echo "status $?"
	fit "$(echo "$columns" | sed 's/1e9/100/')" <output
	for command in 'explain dgemm 4096' 'report rank0.log' 'tune rank0.log' doctor \
		'coverage true' 'top --folder files --interval 100ms' 'show routines'; do
		# shellcheck disable=SC2086 # words of a command
		COLUMNS=$columns "$GPUSHIM" $command >output 2>&1
		[ $? -le 1 ] || echo "$command: failed at COLUMNS=$columns"
	done
done
COLUMNS=40 "$GPUSHIM" top --folder files --interval 100ms 2>&1 | fit 40
COLUMNS=40 "$GPUSHIM" run --policy often -- true 2>&1 | fit 40
echo measured
