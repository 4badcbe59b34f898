#!/bin/sh
# sizes.sh - no .c file over 500 lines, no function over 60, no macro body over 12 (but for the assembler of entry_jump.h), file names unique
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$1"
files=$(find policy shim audit measure page cli bench examples tests -name '*.c' -o -name '*.h' | grep -v '^build' | sort)
status=0
for file in $files; do
	lines=$(wc -l <"$file")
	[ "$lines" -le 500 ] || { echo "$file: $lines lines (at most 500)"; status=1; }
done
# shellcheck disable=SC2086
awk '
	FNR == 1 { inside = 0; macro = 0 }
	/^\{/ { start = FNR; inside = 1 }
	/^\}/ { if (inside && FNR - start - 1 > 60) { print FILENAME ":" start ": function of " FNR - start - 1 " lines (at most 60)"; bad = 1 } inside = 0 }
	/\\$/ { if (!macro) macro_start = FNR; macro = 1; next }
	macro { macro = 0; if (FNR - macro_start > 12 && FILENAME !~ /entry_jump/) { print FILENAME ":" macro_start ": macro of " FNR - macro_start " lines (at most 12)"; bad = 1 } }
	END { exit bad }
' $files || status=1
double=$(for file in $files; do basename "$file"; done | sort | uniq -d)
[ -z "$double" ] || { echo "file names used twice:" "$double"; status=1; }
[ $status -eq 0 ] && echo "sizes: files, functions and macros keep their bounds"
exit $status
