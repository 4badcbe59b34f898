#!/bin/sh
# format.sh - sources are formatted as .clang-format says (the column-aligned .def tables are not C)
# SPDX-License-Identifier: Apache-2.0
# usage: format.sh SOURCE [LIBRARY [FILE...]]
set -eu
cd "$1"
shift
[ $# -eq 0 ] || shift
tool=$(command -v clang-format || true)
if [ -z "$tool" ]; then
	echo "format: skipped, clang-format is not installed"
	exit 77
fi
case "$("$tool" --version)" in
*"version 14."*) ;;
*) echo "format: skipped, only clang-format 14 formats as this tree does"; exit 77 ;;
esac
if [ $# -eq 0 ]; then
	# shellcheck disable=SC2046 # file names have no blanks here
	set -- $(find policy shim audit measure page cli bench examples tests -name '*.[ch]' | sort)
fi
printf '%s\n' "$@" | xargs "$tool" --dry-run --Werror
echo "format: $# sources are formatted"
