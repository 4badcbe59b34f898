# compare_docs.sh - the report that docs/tuning.md shows has the lines of a real one
# SPDX-License-Identifier: Apache-2.0
docs=$(dirname "$0")/../../docs/tuning.md
# The head of each line: what differs between programs and machines is behind it.
shape() {
	sed -E -e '/^ {30}/d' -e '/ (drifts|falls into|has [0-9]+ runs?) /d' -e 's/^(result|output|exit status|decisions|here: CPU).*/\1/' \
		-e '/^  (included|the program): ?/d' -e 's/^  ([0-9]+|none) of .*|^  no call is.*/  CALLS/' \
		-e 's/^(shim off|shim on|on \/ off|distribution of the times|  cpu).*/\1/' -e 's,^ {8}[a-z].*,        cause,' \
		-e 's/^[0-9]+ pairs.*/PAIRS/' -e 's/^.{14}\|.*/STRIP/' -e 's/^ +(least.*)/\1/' \
		-e 's/^ +[0-9.]+ [mu]?s +[0-9.]+ [mu]?s$/AXIS/' -e '/^  a run of .* is hardly more/,/^  shim the/d' |
			uniq
}
sed -n '/^    \$ gpushim compare/,/^$/s/^    //p' "$docs" | sed 1d | shape >shown
# The plot is of the characters of UTF-8.
LC_ALL=C.UTF-8 "$GPUSHIM" compare -- "$PROBE" calls >report
shape <report >real
diff shown real && cat real
