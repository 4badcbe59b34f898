#!/bin/sh
# undefined.sh - the libraries call libc by names that no program can define
# SPDX-License-Identifier: Apache-2.0
set -eu
source=$1 library=$2
folder=$(dirname "$library")
here=$source/tests/lint
table=$source/shim/libc/libc.def
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if readelf -d "$library" | grep -q 'san\.so' || nm "$library" 2>/dev/null | grep -q __gcov_; then
	echo "undefined: skipped, an instrumented library calls libc by its names"
	exit 77
fi
case $(readelf -h "$library" | sed -n 's/ *Machine: *//p') in
*X86-64* | AArch64) ;;
*) echo "undefined: skipped, there are no stubs for this processor"; exit 77 ;;
esac

# wanted LIBRARY: its undefined symbols that a relocation names
wanted() {
	nm -D --undefined-only "$1" | awk '{print $2}' | sed 's/@.*//' | LC_ALL=C sort -u \
		>"$work/undefined"
	readelf -rW "$1" | awk '$3 ~ /^R_/ {print $5}' | sed 's/@.*//' | LC_ALL=C sort -u |
		LC_ALL=C comm -12 - "$work/undefined"
}

failed=0
# check NAME LIBRARY: the table has a row for each
check() {
	sed -n "s/^$1 \([^ ]*\) .*/\1/p" "$here/undefined.table" >"$work/allowed"
	for symbol in $(wanted "$2"); do
		while IFS= read -r pattern; do
			# shellcheck disable=SC2254 # a pattern
			case $symbol in
			$pattern) continue 2 ;;
			esac
		done <"$work/allowed"
		echo "$2: a program may define $symbol: a function of libc is a row of" \
			"shim/libc/libc.def, anything else one of tests/lint/undefined.table"
		failed=1
	done
}
check shim "$library"
[ ! -f "$folder/libgpushim-audit.so" ] || check audit "$folder/libgpushim-audit.so"
[ ! -f "$folder/libgpushim-coverage.so" ] || check coverage "$folder/libgpushim-coverage.so"

# The linker does not look for a row's function, and the loader does not ask for its version. glibc
# 2.17 has it, by the first version that libc lists, in libc or in another library, or libc_older.c.
sed -n 's/.*case LIBC_ROW_\([a-z_]*\):.*/\1/p' "$source/shim/libc/libc_older.c" >"$work/older"
libc=$(${CC:-cc} -print-file-name=libc.so.6)
objdump -T "$libc" 2>/dev/null | tr -d '()' |
	awk '$0 ~ /GLIBC_[0-9]/ && $0 !~ /UND/ {print $NF, $(NF - 1)}' |
	sort -V | sort -s -u -k 1,1 | LC_ALL=C sort >"$work/libc"
sed -n 's/^LIBC(\(.*\))$/\1/p' "$table" | LC_ALL=C sort >"$work/rows"
LC_ALL=C join -a 1 "$work/rows" "$work/libc" | while read -r name version; do
	case $version in
	'') echo "$table: libc has no function $name" ;;
	*) grep -qx "$name" "$work/older" ||
		[ "$(printf '%s\nGLIBC_2.17\n' "$version" | sort -V | tail -n 1)" = GLIBC_2.17 ] ||
		echo "$table: $name is of $version, which is later than GLIBC_2.17" ;;
	esac
done >"$work/wrong"
if uniq -d "$work/rows" | grep .; then
	echo "$table: has these twice"
	failed=1
fi
if [ -s "$work/wrong" ]; then
	cat "$work/wrong"
	failed=1
fi

# What finds libc must not call it. A stripped library does not tell its functions apart:
# tests/release runs programs with one.
blind=
nm "$library" 2>/dev/null | grep -q . ||
	blind="; it has no symbols, so that calls of libc_find.c were not looked at"
if objdump -d --no-show-raw-insn "$library" | awk '
	/^[0-9a-f]+ <.*>:$/ { inside = $2 ~ /^<libc_find_/ }
	inside && /<__wrap_/ && !/<__wrap_getauxval>/ { print; bad = 1 }
	END { exit !bad }'; then
	echo "shim/libc/libc_find.c calls libc: the stub would call it again"
	failed=1
fi
[ "$failed" -eq 0 ] || exit 1
echo "undefined: $(wc -l <"$work/rows") functions are bound to libc itself;" \
	"bound by name: $(wanted "$library" | paste -s -d ' ')$blind"
