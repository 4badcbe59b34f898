#!/bin/sh
# manuals.sh - mandoc -Tlint finds nothing in the manual pages, and they refer to each other rightly
# SPDX-License-Identifier: Apache-2.0
# usage: manuals.sh SOURCE [LIBRARY]
set -eu
cd "${1:-$(dirname "$0")/../..}"
command -v mandoc >/dev/null || {
	echo "manuals: skipped, mandoc is not installed"
	exit 77
}
status=0
for page in docs/*.[1-8]; do
	# Whether another manual is found depends on what this machine has.
	found=$(mandoc -Tlint "$page" 2>/dev/null | grep -v 'referenced manual not found' || :)
	[ -z "$found" ] || {
		echo "$found"
		status=1
	}
	# shellcheck disable=SC2013 # names without blanks
	for other in $(sed -n 's/^\.Xr \([a-z.]*gpushim[a-z.]*\) \([1-8]\).*/\1.\2/p' "$page"); do
		[ -f "docs/$other" ] || {
			echo "$page: there is no docs/$other"
			status=1
		}
	done
done
[ $status -ne 0 ] || echo "manuals: $(find docs -name '*.[1-8]' | wc -l) pages are clean"
exit $status
