#!/bin/sh
# symbol_versions.sh - the preloaded libraries load on glibc 2.17
# SPDX-License-Identifier: Apache-2.0
set -eu
library=$2
if readelf -d "$library" | grep -q 'san\.so'; then
	echo "symbol_versions: skipped, an instrumented library is not what people run"
	exit 77
fi
# A reference to a later version has the loader end every program, /bin/true too.
newer=$(objdump -T "$library" | awk -F 'GLIBC_' '/GLIBC_/ {
	split($2, part, /[^0-9]+/)
	if (part[1] != 2 || part[2] > 17)
		print
}')
if [ -n "$newer" ]; then
	echo "$library: needs a glibc newer than 2.17:"
	echo "$newer"
	exit 1
fi
# These need glibc 2.38 if they are compiled with it; policy/text/number.h replaces them.
if grep -rnE '\<(strto[a-z]+|v?[sf]?scanf|ato(i|l|ll))\(' --include='*.[ch]' \
	"$1/policy" "$1/shim"; then
	echo "these need glibc 2.38 where they are compiled with it: use policy/text/number.h"
	exit 1
fi
echo "symbol_versions: highest is $(objdump -T "$library" | grep -o 'GLIBC_[0-9.]*' | sort -V |
	tail -n 1)"
