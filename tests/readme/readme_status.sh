#!/bin/sh
# readme_status.sh - the README's version is the build's, and its figures are those of bench/results
# SPDX-License-Identifier: Apache-2.0
# usage: readme_status.sh SOURCE BUILD
set -eu

readme=$1/README.md results=$1/bench/results
failed=0

fail() {
	echo "FAIL $*"
	failed=1
}

version=$("$2/gpushim" --version | sed -n '1s/.* \([0-9][0-9.]*\).*/\1/p')
said=$(sed -n 's/.*Version \([0-9][0-9.]*[0-9]\).*/\1/p' "$readme")
[ "$said" = "$version" ] || fail "README.md says version '$said', the tool '$version'"

# No page of results is of a GPU while the README says that none was used.
if grep -q 'has not run on a real GPU' "$readme"; then
	[ -e "$(echo "$results"/*-gpu-not-run.md)" ] ||
		fail "bench/results no longer says that no GPU was used: the README's status is old"
else
	[ ! -e "$(echo "$results"/*-gpu-not-run.md)" ] ||
		fail "the README does not say that no GPU was used, as bench/results does"
fi

# Each recorded block of the README is in the page of results that the line before it names.
block=$(mktemp)
trap 'rm -f "$block"' EXIT
pages=$(sed -n 's/<!-- recorded: \(.*\) -->/\1/p' "$readme")
[ -n "$pages" ] || fail "README.md has no recorded block"
for page in $pages; do
	awk -v mark="<!-- recorded: $page -->" '
		$0 == mark { on = 1; next }
		on && /^    / { print; seen = 1; next }
		on && seen { exit }' "$readme" >"$block"
	[ -s "$block" ] || fail "no block follows the mark of $page"
	while IFS= read -r line; do
		grep -qxF -- "$line" "$results/$page" ||
			fail "bench/results/$page has no line '$line'"
	done <"$block"
done

[ "$failed" -eq 0 ] && echo "ok   version, status and figures"
exit "$failed"
