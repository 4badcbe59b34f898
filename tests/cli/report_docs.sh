# report_docs.sh - the report in docs/tuning.md is what the example's dry run gives, but for the numbers
# SPDX-License-Identifier: Apache-2.0
root=$(dirname "$0")/../..
build=$(dirname "$GPUSHIM")
[ -x "$build/simulation" ] || { echo "skipped: the example is not built"; exit 77; }
# Rows may change places with the times, and sizes and words go with the calls.
shape() {
	sed -E -e 's/[#-]{3,}|[#-]+$/BAR/' -e 's/[0-9][0-9.,]* (ns|us|ms|s)\b/TIME/g' -e 's/[0-9][0-9.,]*/N/g' -e 's/ +/ /g' |
		LC_ALL=C sort
}
"$GPUSHIM" run --policy dry --profile a100 --log log -- "$build/simulation" >output 2>&1
"$GPUSHIM" report log | sed '/^the first thing/,$d' | grep . | shape >is
sed -n '/^## Report/,/^## /p' "$root/docs/tuning.md" | sed -n 's/^    //p' | sed -e '1,/^logs/{/^logs/!d}' \
	-e '/^the first thing/,$d' | grep . | shape >says
if diff says is; then echo "docs/tuning.md says what is printed"; fi
"$GPUSHIM" report log | sed '1,/^the first thing/d' | grep -o 'EPOCHLY_[A-Z_]*=[a-z]*'
