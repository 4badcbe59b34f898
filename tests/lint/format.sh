#!/bin/sh
# format.sh - sources are formatted as .clang-format says (the column-aligned .def tables are not C)
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$1"
tool=$(command -v clang-format || true)
if [ -z "$tool" ]; then
	echo "format: skipped, clang-format is not installed"
	exit 77
fi
case "$("$tool" --version)" in
*"version 14."*) ;;
*) echo "format: skipped, only clang-format 14 formats as this tree does"; exit 77 ;;
esac
find policy shim audit measure page cli bench examples tests -name '*.c' -o -name '*.h' | sort | xargs "$tool" --dry-run --Werror
echo "format: sources are formatted"
