#!/bin/sh
# config.sh - the sample config and the table of options in the docs agree with option.def
# SPDX-License-Identifier: Apache-2.0
# usage: config.sh [--update] SOURCE [LIBRARY]    --update rewrites both files
set -eu

update=no
if [ "${1:-}" = --update ]; then
	update=yes
	shift
fi
cd "${1:-$(dirname "$0")/../..}"
conf=config/gpushim.conf
page=docs/configuration.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"${CC:-cc}" -I. -o "$work/print_options" tests/lint/print_options.c
"$work/print_options" conf >"$work/conf"
"$work/print_options" markdown >"$work/table"

# The page with the fresh table between the two markers; it fails unless each stands there once.
awk -v table="$work/table" '
	/<!-- options: end -->/ { inside = 0; ends++ }
	!inside
	/<!-- options: begin/ { inside = 1; begins++; while ((getline line <table) > 0) print line }
	END { exit !(begins == 1 && ends == 1 && !inside) }
' "$page" >"$work/page" || {
	echo "config: $page lacks its markers 'options: begin' and 'options: end'"
	exit 1
}

status=0
# check FRESH FILE
check() {
	if cmp -s "$1" "$2"; then
		return
	elif [ "$update" = yes ]; then
		cat "$1" >"$2"
		echo "config: $2 is rewritten"
	else
		diff -u "$2" "$1" || :
		echo "config: $2 does not agree with policy/options/option.def;" \
			"tests/lint/config.sh --update rewrites it"
		status=1
	fi
}
check "$work/conf" "$conf"
check "$work/page" "$page"

# Every variable that a message, a page or the tool names is one that is accepted, but for the bare
# prefix and the options of single routines.
"$work/print_options" variables >"$work/accepted"
grep -rnoE 'EPOCHLY_GPU_[A-Z0-9_]*[A-Z0-9]' README.md docs config \
	policy shim cli audit measure page bench --include='*.[ch]' --include='*.def' \
	--include='*.md' --include='*.conf' --include='*.sh' --include='*.py' >"$work/named"
for wrong in $(grep -vE ':EPOCHLY_GPU_(WORKLOAD_THRESHOLD|POLICY)_[A-Z0-9_]+$' "$work/named" |
	cut -d: -f3 | sort -u | grep -vxFf "$work/accepted"); do
	grep -F "$wrong" "$work/named" | head -n 3
	echo "config: $wrong is no variable that the shim accepts"
	status=1
done
[ $status -eq 0 ] && echo "config: $conf and $page agree with policy/options/option.def"
exit $status
