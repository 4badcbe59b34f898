#!/bin/sh
# config.sh - sample config, option table and manual pages agree with the tables
# SPDX-License-Identifier: Apache-2.0
# usage: config.sh [--update] SOURCE [LIBRARY]    --update rewrites the files
set -eu

update=no
if [ "${1:-}" = --update ]; then
	update=yes
	shift
fi
cd "${1:-$(dirname "$0")/../..}"
conf=config/gpushim.conf
page=docs/configuration.md
manual=docs/gpushim.1
manual_conf=docs/gpushim.conf.5
manual_shim=docs/libgpushim.7
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for print in options commands routines; do
	"${CC:-cc}" -I. -o "$work/print_$print" "tests/lint/print_$print.c"
done
"$work/print_options" conf >"$work/conf"
"$work/print_options" markdown >"$work/table"
"$work/print_commands" synopsis >"$work/synopsis"
"$work/print_commands" sections >"$work/sections"
"$work/print_options" manual >"$work/list"
"$work/print_options" manual_variables >"$work/variables"
"$work/print_routines" >"$work/routines"

# splice NAME TEXT <PAGE: prints the page with the fresh text between the markers "NAME: begin" and
# "NAME: end". Fails unless each marker stands there once, in a line of its own.
splice() {
	awk -v name="$1" -v text="$2" '
		index($0, " " name ": end") { inside = 0; ends++ }
		!inside
		index($0, " " name ": begin") { inside = 1; begins++; while ((getline line <text) > 0) print line }
		END { exit !(begins == 1 && ends == 1 && !inside) }
	' || {
		echo "config: a page lacks its markers '$1: begin' and '$1: end'" >&2
		exit 1
	}
}
splice options "$work/table" <"$page" >"$work/page"
splice synopsis "$work/synopsis" <"$manual" >"$work/manual.half"
splice commands "$work/sections" <"$work/manual.half" >"$work/manual"
splice options "$work/list" <"$manual_conf" >"$work/manual.conf"
splice variables "$work/variables" <"$manual_shim" >"$work/manual.half"
splice routines "$work/routines" <"$work/manual.half" >"$work/manual.shim"

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
		echo "config: $2 does not agree with the tables;" \
			"tests/lint/config.sh --update rewrites it"
		status=1
	fi
}
check "$work/conf" "$conf"
check "$work/page" "$page"
check "$work/manual" "$manual"
check "$work/manual.conf" "$manual_conf"
check "$work/manual.shim" "$manual_shim"

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
[ $status -eq 0 ] &&
	echo "config: $conf, $page and the manual pages agree with the tables"
exit $status
