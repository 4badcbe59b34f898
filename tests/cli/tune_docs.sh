# tune_docs.sh - the answer in docs/tuning.md has the lines of the example's dry run, tuned
# SPDX-License-Identifier: Apache-2.0
root=$(dirname "$0")/../..
build=$(dirname "$GPUSHIM")
[ -x "$build/simulation" ] || { echo "skipped: the example is not built"; exit 77; }
# First words of lines. Numbers, the plot and the proposal depend on times.
heads() {
	sed -e '/^proposed/,$d' -e '/included:/d' -e '/ |/d' -e '/MB *$/d' -e '/+---/d' -e 's/  *$//' |
		sed -E -e 's/^  ([0-9]+|none) of .*/  CALLS/' \
			-e 's/([^ ])  +.*/\1/' -e 's/[0-9][0-9.,]*/N/g' -e 's/ +/ /g' | grep . | \
			LC_ALL=C sort -u
}
EPOCHLY_GPU_WORKLOAD_THRESHOLD=0 "$GPUSHIM" run --policy dry --log log -- "$build/simulation" \
	>output 2>&1
"$GPUSHIM" tune log --profile a100 --threads 1 | heads >is
sed -n '/^## Tune/,/^## /p' "$root/docs/tuning.md" | sed -n '/^    here: /,/^|/p' | sed \
	-e '/^|/d' -e 's/^    //' | heads >says
if diff says is; then echo "docs/tuning.md says what is printed"; fi
