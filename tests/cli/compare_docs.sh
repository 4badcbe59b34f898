# compare_docs.sh - the report that docs/tuning.md shows has the lines of a real one
# SPDX-License-Identifier: Apache-2.0
docs=$(dirname "$0")/../../docs/tuning.md
# The head of each line: what differs between programs and machines is behind it.
shape() {
	sed -E -e '/ (drifts|falls into|has [0-9]+ runs?) /d' -e 's/^(result|output|exit status|decisions|prediction).*/\1/' \
		-e 's/^(shim off|shim on|on \/ off|time of each run|  cpu|  \(the calls).*/\1/' -e 's/^ +every call.*/        cause/' \
		-e 's/^[0-9]+ pairs.*/PAIRS/' -e 's/^.{22}\|.*/STRIP/' -e 's/^ +(median.*)/\1/' |
			uniq
}
sed -n '/^    \$ gpushim compare/,/^$/s/^    //p' "$docs" | sed 1d | shape >shown
"$GPUSHIM" compare -- "$PROBE" calls >report
shape <report >real
diff shown real && cat real
