# compare_columns.sh - reports and messages are at most 80 columns wide, in either character set
# SPDX-License-Identifier: Apache-2.0
unset COLUMNS
widest() {
	"$GPUSHIM" compare "$@" >report 2>messages
	echo "status $?"
	for file in report messages; do
		[ "$(LC_ALL=C.UTF-8 wc -L <$file)" -le 80 ] || cat $file
	done
}
for LC_ALL in C C.UTF-8; do
	export LC_ALL
	echo "== $LC_ALL"
	widest --runs 6 --policy never -- "$PROBE" calls
	widest --runs 2 --try policy=never --try only=another,policy=always,verify=0.1 \
		-- "$PROBE" calls
	widest --runs 2 -- sh -c 'echo $$; date; (sleep 1 &); cat "$0"; echo "$LD_PRELOAD"' "$0"
	widest --runs 2 -- sh -c "seq 1000000 | tr '\n' ' '; echo \$LD_PRELOAD"
	widest --runs 2 --ignore-failure -- sh -c '[ -z "$LD_PRELOAD" ] || exit 4'
	widest --runs 2 -- sh -c '[ -z "$LD_PRELOAD" ] || exit 4'
	widest --runs 2 --prepare 'exit 3' -- true
done
