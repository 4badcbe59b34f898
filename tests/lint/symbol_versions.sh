#!/bin/sh
# symbol_versions.sh - the library loads on glibc 2.34
# SPDX-License-Identifier: Apache-2.0
set -eu
library=$2
if readelf -d "$library" | grep -q 'san\.so'; then
	echo "symbol_versions: skipped, an instrumented library is not what people run"
	exit 77
fi
versions=$(objdump -T "$library" | grep -o 'GLIBC_[0-9.]*' | sort -uV)
newer=$(printf '%s\n' "$versions" | awk -F'[_.]' '$2 > 2 || $3 > 34')
if [ -n "$newer" ]; then
	echo "needs a glibc newer than 2.34:" "$newer"
	objdump -T "$library" | grep -F "$newer"
	exit 1
fi
# These need glibc 2.38 if they are compiled with it; policy/text/number.h replaces them.
if grep -rnE '\<(strto[a-z]+|v?[sf]?scanf|ato(i|l|ll))\(' --include='*.[ch]' \
	"$1/policy" "$1/shim"; then
	echo "these need glibc 2.38 where they are compiled with it: use policy/text/number.h"
	exit 1
fi
echo "symbol_versions: highest is $(printf '%s\n' "$versions" | tail -n 1)"
