#!/bin/sh
# names.sh - every source says what it is, under which licence, and nothing of the machine it was written on
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$1"
status=0
for file in $(find policy shim audit measure page cli bench examples tests -name '*.c' -o -name '*.h' -o -name '*.def' | sort); do
	name=$(basename "$file")
	head -n 1 "$file" | grep -qF "/* $name - " || { echo "$file: line 1 is not '/* $name - what it is */'"; status=1; }
	head -n 2 "$file" | grep -qF 'SPDX-License-Identifier: Apache-2.0' || { echo "$file: no SPDX line"; status=1; }
done
if grep -rnE 'typedef (struct|enum)[^(]*$' policy shim audit measure page cli --include='*.h' --include='*.c'; then
	echo "structs and enums are named by their tag"
	status=1
fi
[ $status -eq 0 ] && echo "names: heads are in order"
exit $status
