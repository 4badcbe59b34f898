#!/bin/sh
# resident_mutants.sh - builds the module with each fault of a table; stress must fail
# SPDX-License-Identifier: Apache-2.0
#
# usage: resident_mutants.sh SOURCE STRESS_LIBRARY PARTS_LIBRARY TABLE FEWEST OPERATIONS MODE
#
# The test is linked with the changed file in front of the unchanged ones. CC compiles it.
set -eu
source=$1 stress=$2 parts=$3 table=$4 fewest=$5 operations=$6 mode=$7
here=$(cd "$(dirname "$0")" && pwd)
editor=$here/../mutants/mutant.awk
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work"

failed=0 mutants=0 what='' file='' text='' files=''

# Links the changed files of this mutant and runs the test, which has to fail by a stale byte, or
# because the module finds the fault at its first use.
try_mutant() {
	[ -n "$what" ] || return 0
	mutants=$((mutants + 1))
	objects='' verdict=''
	for name in $files; do
		object=$(basename "$name" .c).o
		"${CC:-cc}" -std=gnu11 -O1 -D_GNU_SOURCE -DOPERAND_PROOF_PART_BYTES=8192 \
			-DOPERAND_ARM_EDGE_BYTES=4096 \
			-I"$source" -c "$name" -o "$object" 2>log ||
			verdict="FAIL it does not compile: $(grep -m 1 error log)"
		objects="$objects $object"
	done
	# shellcheck disable=SC2086 # several objects
	if [ -n "$verdict" ]; then
		:
	elif ! "${CC:-cc}" $objects "$stress" "$parts" -ldl -lpthread -o stress 2>log; then
		verdict="FAIL it does not link: $(head -n 1 log)"
	elif ./stress "$operations" 1 "$mode" >log 2>&1; then
		verdict="FAIL the test does not notice"
	else
		verdict=$(grep -m 1 '^FAIL' log | cut -c 6-) || verdict="FAIL $(tail -n 1 log)"
	fi
	case $verdict in
	FAIL*) failed=$((failed + 1)) ;;
	esac
	printf '%s: %s\n' "$what" "$verdict"
	# shellcheck disable=SC2086 # several files
	rm -f $files
	what='' files=''
}

# Changes the file of the paragraph, or its copy that an earlier change has made.
change_file() {
	case " $files " in
	*" $file "*) ;;
	*)
		mkdir -p "$(dirname "$file")"
		cp "$source/$file" "$file"
		files="$files $file"
		;;
	esac
	if ! TEXT=$text WRONG=$1 LC_ALL=C awk -f "$editor" "$file" >changed; then
		failed=$((failed + 1))
		echo "FAIL $file: the text is not there, or not once: $text"
	else
		cp changed "$file"
	fi
}

"${CC:-cc}" "$stress" "$parts" -ldl -lpthread -o unchanged
status=0
./unchanged 500 1 "$mode" >log 2>&1 || status=$?
if [ "$status" -eq 77 ]; then
	cat log
	exit 77
elif [ "$status" -ne 0 ]; then
	cat log
	echo "FAIL the unchanged module does not pass"
	exit 1
fi
while IFS= read -r line; do
	value=${line#* }
	value=${value#"${value%%[! ]*}"}
	case $line in
	what*)
		try_mutant
		what=$value
		;;
	file*) file=$value ;;
	text*) text=$value ;;
	wrong*) change_file "$value" ;;
	esac
done <"$here/$table"
try_mutant
echo "$mutants mutants, $failed not found"
[ "$mutants" -ge "$fewest" ] && [ "$failed" -eq 0 ]
