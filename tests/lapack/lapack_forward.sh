#!/bin/sh
# lapack_forward.sh - every name of LAPACK reaches the library as it was called
# SPDX-License-Identifier: Apache-2.0
#
# usage: lapack_forward.sh BUILD FORWARD FORWARD64 OWN ALONE EMPTY
# FORWARD, FORWARD64: lapack_forward with a provider of either width; OWN: with the routines in the
# program; ALONE: without any. EMPTY: the folder of a liblapack.so.3 and a libblas.so.3 that have
# dgesv_ alone.
set -eu
build=$(cd "$1" && pwd) forward=$2 forward64=$3 own=$4 alone=$5 empty=$(cd "$6" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0 runs=0

fail() {
	echo "FAIL [$run] $*"
	failed=$((failed + 1))
}

# launch PROGRAM WAY SETTING...: stdout in out, stderr in err, the log in log.
launch() {
	program=$1 way=$2
	shift 2
	runs=$((runs + 1))
	rm -f "$work/log"
	status=0
	env -i PATH="$PATH" LC_ALL=C HOME="$work" XDG_CONFIG_HOME="$work" XDG_RUNTIME_DIR="$work" \
		EPOCHLY_GPU_CUDA_PATH="$work/none" EPOCHLY_GPU_LOG="$work/log" \
		EPOCHLY_GPU_WARMUP=wait "$@" "$program" "$way" >"$work/out" 2>"$work/err" ||
			status=$?
	touch "$work/log"
	[ "$status" -eq 0 ] || fail "status $status: $(grep -v '^call ' "$work/out" | head -n 5)"
}

# read_log COLUMNS: lines `call SYMBOL SIZES LETTERS INFO` from the log, cut to so many words, and
# its reasons. A small call has no letters and no info there.
read_log() {
	awk -v columns="$1" -v reasons="$work/reasons" '
		function value(key,    rest) {
			if (!match($0, "\"" key "\":"))
				return "-"
			rest = substr($0, RSTART + RLENGTH)
			if (rest ~ /^[{]/)
				return substr(rest, 1, index(rest, "}"))
			sub(/[,}].*/, "", rest)
			gsub(/"/, "", rest)
			return rest
		}
		{
			line = "call " value("symbol") " " value("sizes")
			print columns < 4 ? line : line " " value("jobs") \
				(columns < 5 ? "" : " " value("info"))
			print value("reason") > reasons
			if (value("nested") != "-")
				print "nested"
		}' "$work/log" | sort >"$work/logged"
}

# passes NAME PROGRAM WAY COLUMNS REASONS SETTING...: the program finds no fault, and the log has
# its calls, if COLUMNS is not 0, with one of REASONS (an ERE).
passes() {
	run="$1 $3" columns=$4 expected=$5 program=$2 way=$3
	shift 5
	launch "$program" "$way" LD_PRELOAD="$build/libgpushim.so" "$@"
	: >"$work/reasons"
	read_log "$columns"
	if [ "$columns" -gt 0 ]; then
		grep '^call ' "$work/out" | cut -d ' ' -f "1-$columns" | sort >"$work/wanted"
	else
		: >"$work/wanted"
	fi
	cmp -s "$work/wanted" "$work/logged" ||
		fail "the log has other calls: $(diff "$work/wanted" "$work/logged" | head -n 6)"
	other=$(sort "$work/reasons" | uniq -c | grep -vE " ($expected)\$" || :)
	[ -z "$other" ] || fail "other reasons:" $other
}

# The program does not round to nearest.
absent='no_cuda_libraries|no_driver|no_device|fp_environment'
for program in "$forward" "$forward64"; do
	case $program in
	*64) name=wide ;;
	*) name=narrow ;;
	esac
	for way in small large query illegal jump; do
		run="$name $way without the shim"
		launch "$program" "$way"
	done
	passes $name "$program" small 0 - EPOCHLY_GPU_POLICY=never
	passes $name "$program" small 0 - EPOCHLY_GPU_POLICY=threshold
	passes $name "$program" small 3 policy_never EPOCHLY_GPU_POLICY=never \
		EPOCHLY_GPU_LOG_LEVEL=call
	passes $name "$program" small 3 below_threshold EPOCHLY_GPU_POLICY=threshold \
		EPOCHLY_GPU_LOG_LEVEL=call
	passes $name "$program" small 5 "$absent" EPOCHLY_GPU_POLICY=always
	passes $name "$program" large 0 - EPOCHLY_GPU_POLICY=never
	passes $name "$program" large 3 policy_never EPOCHLY_GPU_POLICY=never \
		EPOCHLY_GPU_LOG_LEVEL=call
	passes $name "$program" large 5 "$absent" EPOCHLY_GPU_POLICY=threshold
	passes $name "$program" huge 4 "$absent|operands_overlap|short_workspace" \
		EPOCHLY_GPU_POLICY=threshold
	passes $name "$program" large 5 fp_environment EPOCHLY_GPU_POLICY=always \
		EPOCHLY_GPU_CUDA_PATH="$build/simcuda"
	passes $name "$program" query 5 workspace_query EPOCHLY_GPU_POLICY=threshold
	passes $name "$program" illegal 4 illegal_argument EPOCHLY_GPU_POLICY=always
	passes $name "$program" jump 5 "$absent" EPOCHLY_GPU_POLICY=always
	passes $name "$program" gpu 5 policy_always EPOCHLY_GPU_POLICY=always \
		EPOCHLY_GPU_CUDA_PATH="$build/simcuda"
done
passes own "$own" small 0 - EPOCHLY_GPU_POLICY=always
passes own "$own" illegal 0 - EPOCHLY_GPU_POLICY=always

# A name that no library has: info tells, and one message names the first.
run='absent'
launch "$alone" absent LD_PRELOAD="$build/libgpushim.so" LD_LIBRARY_PATH="$empty" \
	EPOCHLY_GPU_POLICY=never
other=$(grep -cvE '^call [a-z0-9_]* -1000$' "$work/out" || :)
grep -qx 'call dgesv_ 1000' "$work/out" || fail "dgesv_ of the library is not called"
[ "$other" -eq 3 ] || fail "$other calls without info -1000: $(head -n 3 "$work/out")"
tr '\n' ' ' <"$work/err" | tr -s ' ' >"$work/message"
[ "$(grep -o 'calls return info -1000' "$work/message" | wc -l)" -eq 1 ] ||
	fail "messages: $(cat "$work/message")"

echo "$runs runs, $failed faults"
[ "$failed" -eq 0 ]
