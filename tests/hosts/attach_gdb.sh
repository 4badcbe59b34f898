#!/bin/sh
# attach_gdb.sh - attaches gdb to a waiting program, has it call the work, and lets it go on
# SPDX-License-Identifier: Apache-2.0
# usage: attach_gdb.sh PROGRAM
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
mkfifo "$folder/in" "$folder/out"
"$1" <"$folder/in" >"$folder/out" &
waiting=$!
exec 3>"$folder/in" 4<"$folder/out"
read -r line <&4
echo "$line"
gdb -q -nx -batch -p "$waiting" \
	-ex 'print work_dgemm(60)' -ex 'print work_cblas(70)' -ex detach 2>&1 |
	grep -E '^\$[0-9] = ' || echo "gdb printed no result"
echo >&3
cat <&4
wait "$waiting"
