#!/bin/sh
# layers.sh - an include points to a lower rank, or stays in its folder
# SPDX-License-Identifier: Apache-2.0
# usage: layers.sh SOURCE [LIBRARY]
set -eu
cd "$1"

rank_of() {
	case "$1" in
	policy/*) echo "0 policy" ;;
	shim/base/*) echo "0 base" ;;
	shim/table/*) echo "1 table" ;;
	shim/describe/*) echo "2 describe" ;;
	shim/execute/*) echo "2 execute" ;;
	shim/record/*) echo "2 record" ;;
	shim/entry/*) echo "4 entry" ;;
	shim/*) echo "3 spine" ;;
	measure/*) echo "5 measure" ;;
	page/*) echo "5 page" ;;
	*) echo "9 other" ;;
	esac
}

status=0
for file in $(find policy shim measure page \( -name '*.c' -o -name '*.h' -o -name '*.in' \) | sort); do
	# shellcheck disable=SC2046
	set -- $(rank_of "$file")
	rank=$1 room=$2
	for included in $(sed -n 's/^[ \t]*#include "\([^"]*\)".*/\1/p' "$file"); do
		# shellcheck disable=SC2046
		set -- $(rank_of "$included")
		if [ "$2" = "$room" ] || [ "$1" -lt "$rank" ]; then continue; fi
		echo "$file (rank $rank, $room) must not include $included (rank $1, $2)"
		status=1
	done
done
# Pages know what they show by what they are given.
if grep -nE '^[ \t]*#include "' page/*.[ch] | grep -vE '#include "(page|policy)/'; then
	echo "page/ stands on policy/ alone: it must not include the files above"
	status=1
fi
# The policy is pure: data in, decision out.
if grep -nE '\b(getenv|dlopen|dlsym|clock_gettime|open|write|read|printf|fprintf|malloc)[ ]*\(' $(find policy -name '*.c'); then
	echo "policy/ is pure: it must not call the functions above"
	status=1
fi
[ $status -eq 0 ] && echo "layers: every include points to a lower rank"
exit $status
