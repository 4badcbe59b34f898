#!/bin/sh
# exports.sh - the library exports the rows of the tables and gpushim_*, and needs libc alone
# SPDX-License-Identifier: Apache-2.0
set -eu
source=$1 library=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
	echo gpushim_version
	echo gpushim_bind
	echo gpushim_trim
	sed -n 's/^ \{13\}//p' "$source/shim/table/blas.def" "$source/shim/table/lapack.def" \
		"$source/shim/table/fftw.def" |
		tr -d ' )' | tr ',' '\n' | grep .
} | LC_ALL=C sort >"$work/rows"
nm -D --defined-only "$library" | awk '{print $3}' | sed 's/@.*//' | LC_ALL=C sort >"$work/exports"
diff "$work/rows" "$work/exports" || {
	echo "exports differ from the tables (<: row, >: exported)"
	exit 1
}
if nm -D --defined-only "$library" | grep -q '@'; then
	echo "an exported symbol carries a version: it would not interpose"
	exit 1
fi
needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
	grep -v -e '^libc\.so\.6$' -e '^ld-linux' || true)
case "$needed" in
*san.so*) ;;
"") ;;
*) echo "the library needs more than libc:" "$needed"; exit 1 ;;
esac
tls=$(readelf -lW "$library" | awk '$1 == "TLS" {print $6}')
[ "$((${tls:-0}))" -le 288 ] || {
	echo "the library takes $((tls)) bytes of static TLS (at most 288)"
	exit 1
}
echo "exports: $(wc -l <"$work/exports") symbols, each a row;" \
	"libc alone is needed; TLS $((${tls:-0})) bytes"

# The audit library lives where there is no libc.
audit=$(dirname "$library")/libgpushim-audit.so
[ -f "$audit" ] || exit 0
names=$(nm -D "$audit" | awk '{print $NF}' | paste -s -d ' ')
[ "$names" = "la_activity la_objopen la_preinit la_symbind64 la_version" ] || {
	echo "the audit library has or wants other symbols than the loader asks for: $names"
	exit 1
}
if readelf -d "$audit" | grep -e NEEDED -e TEXTREL; then
	echo "the audit library needs another one, or writes to its text"
	exit 1
fi
echo "exports: the audit library has what the loader asks for, and needs nothing"
