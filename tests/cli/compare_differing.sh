# compare_differing.sh - the first place where outputs differ; whole numbers; small differences
# SPDX-License-Identifier: Apache-2.0
for way in differ whole nearly status; do
	echo "== $way"
	"$GPUSHIM" compare --runs=1 --ignore-failure -- "$PROBE" "$way" >report 2>errors
	echo "status $?"
	grep -A 3 -E '^(output|exit)' report |
		sed '/^  cpu/d' | grep -vE '^(decisions|result|--)' | uniq
	cat errors
done
"$GPUSHIM" compare --runs=1 --tolerance=1 -- "$PROBE" differ >/dev/null
echo "status $?"
