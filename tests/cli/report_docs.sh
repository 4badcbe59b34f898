# report_docs.sh - report, log and summary in the docs equal the example's dry run but for numbers
# SPDX-License-Identifier: Apache-2.0
root=$(dirname "$0")/../..
build=$(dirname "$GPUSHIM")
[ -x "$build/simulation" ] || { echo "skipped: the example is not built"; exit 77; }
# The order of rows depends on times; sizes and words depend on the calls. How soon CUDA starts
# depends on times too.
shape() {
	sed -E -e '/start_not_paid|setup_not_paid|warming_up|included:/d' \
		-e '/savings expected so far|CUDA is still starting/d' \
		-e 's/^(host|date) .*/\1/' -e 's/[#-]{3,}|[#-]+$/BAR/' \
		-e 's/^  ([0-9]+|none) of .*/  CALLS/' \
		-e 's/[0-9][0-9.,]* (ns|us|ms|s)\b/TIME/g' \
		-e 's/[0-9][0-9.,]*/N/g' -e 's/ +/ /g' |
		LC_ALL=C sort
}
"$GPUSHIM" run --policy dry --profile a100 --log log -- "$build/simulation" >output 2>&1
"$GPUSHIM" report log | sed '/^the first thing/,$d' | grep . | shape >is
sed -n '/^## Report/,/^## /p' "$root/docs/tuning.md" | sed -n 's/^    //p' |
	sed -e '1,/^here/{/^here/!d}' \
	-e '/^the first thing/,$d' | grep . | shape >says
if diff says is; then echo "docs/tuning.md says what is printed"; fi
"$GPUSHIM" report log | sed '1,/^the first thing/d' | grep -o 'EPOCHLY_[A-Z_]*=[a-z]*'
# The summary in README.md comes from the same run. The log line in the manual comes from its log:
# its keys are those in the table below it.
numbers() {
	sed -E -e '/start_not_paid|setup_not_paid|warming_up|included:/d' \
		-e 's/pid [0-9]+/pid PID/' -e 's/[0-9][0-9.,]*( [kMG]?B| (ns|us|ms|s)\b)?/N/g' \
		-e 's/ +/ /g'
}
keys() {
	grep -o '"[a-z_]*":' | tr -d '":' | sed -E '/^(m|n|k|n0|n1|howmany)$/d'
}
sed -n '/^    \$ gpushim run/,/^[A-Z]/s/^    //p' "$root/README.md" | sed 1d | numbers |
	grep . >says
sed -n '/^gpushim: simulation/,$p' output | numbers | grep . >is
if diff says is; then echo "README.md says what is printed"; fi
sed -n '/^## Log/,/^## /p' "$root/docs/tuning.md" >manual
head -n 1 log | keys >is
for says in "$(sed -n 's/^    {/{/p' manual | keys)" \
	"$(sed -n 's/^| `\([a-z_]*\)`.*/\1/p' manual)"; do
	if echo "$says" | diff - is; then echo "the keys of a log are those in docs/tuning.md"; fi
done
