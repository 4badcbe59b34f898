#!/bin/sh
# fake_map.sh - the names that fake_blas.c exports: all spellings of the routines of its library
# SPDX-License-Identifier: Apache-2.0
# usage: fake_map.sh NM LIBRARY BLAS_DEF 32|64 >MAP
set -eu

# One routine per line: its 14 names.
routines() {
	tr -d ' \n\t' <"$1" | grep -o 'BLAS_ROUTINE([A-Z0-9_]*,[SDCZ],[A-Z0-9]*,[^)]*)' |
		sed 's/^[^,]*,[SDCZ],[A-Z0-9]*,//; s/)$//'
}

has() {
	printf '%s\n' "$names" | grep -qx "$1"
}

names=$("$1" -D --defined-only "$2" | awk '{ print $NF }')
echo '{ global: isamax_;'
routines "$3" | while IFS=, read -r f F b B c f64 g64 h64 c64 d64 s sc s64 sc64; do
	if has "$f"; then
		echo "$f; $F; $b; $B; $s;"
		[ "$4" = 32 ] || echo "$f64; $g64; $h64; $s64;"
	fi
	if has "$c"; then
		echo "$c; $sc;"
		[ "$4" = 32 ] || echo "$c64; $d64; $sc64;"
	fi
done
echo 'local: *; };'
