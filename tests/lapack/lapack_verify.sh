#!/bin/sh
# lapack_verify.sh - the option verify accuses no right LAPACK result, and finds wrong ones
# SPDX-License-Identifier: Apache-2.0
#
# usage: lapack_verify.sh BUILD LIBRARIES DIFFER sound COUNT SEED
#        lapack_verify.sh BUILD LIBRARIES DIFFER wrong SEED...
#
# sound   random calls on the simulated GPU, all verified: none is accused
# wrong   each kernel flips a bit, in calls of one routine after the other: the first one is found,
#         the program gets the CPU's result, and none of its calls fails
set -eu
[ $# -ge 5 ] || { echo "usage: $0 BUILD LIBRARIES DIFFER sound|wrong ..."; exit 2; }
build=$(cd "$1" && pwd) libraries=$2 differ=$3 part=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/driver/verdict.sh
. "$here/../driver/verdict.sh"
[ -e "$libraries/openblas-pthread/liblapack.so.3" ] || {
	echo "skipped: there is no $libraries/openblas-pthread/liblapack.so.3"
	exit 77
}
mkdir "$work/home"
chmod 700 "$work/home"

# differ SETTINGS OPTION...: random calls; those on the GPU are verified.
differ() {
	settings=$1
	shift
	rm -f "$work/log"
	# shellcheck disable=SC2086 # one word per setting
	env -i PATH="$PATH" LC_ALL=C HOME="$work/home" XDG_RUNTIME_DIR="$work/home" \
		TMPDIR="$work" OPENBLAS_NUM_THREADS=1 CUDA_VISIBLE_DEVICES=-1 COLUMNS=1000 \
		LD_LIBRARY_PATH="$libraries/openblas-pthread" EPOCHLY_GPU_LOG="$work/log" \
		EPOCHLY_GPU_CUDA_PATH="$build/simcuda/13" EPOCHLY_GPU_WARMUP=wait \
		EPOCHLY_GPU_VERIFY=1 $settings LD_PRELOAD="$build/libgpushim.so" \
		"$differ" --no-foreign "$@" liblapack.so.3 >"$work/out" 2>"$work/err" || :
}

# count PATTERN: lines of the log that have it.
count() {
	grep -c "$1" "$work/log" || :
}

sound() {
	differ EPOCHLY_GPU_POLICY=always --count "$1" --seed "$2"
	good=no
	if tail -n 1 "$work/out" | grep -q ' calls, 0 failures$' && [ ! -s "$work/err" ]; then
		good=yes
	fi
	verdict "$good" "$(cat "$work/err")"
	# Values without vectors, too, whose calls the library computes once more.
	for jobs in '' '"jobs":"N[UL]"' '"jobs":"[123]NA*[UL]"' '"jobs":"NN*"'; do
		verdict "$([ "$(count "$jobs.*\"verify_ratio\"")" -gt 4 ] && echo yes || echo no)" \
			"too few calls '$jobs' were verified"
	done
	verdict "$([ "$(count '"target":"gpu"')" -eq "$(count '"verify_ratio"')" ] && echo yes ||
		echo no)" "a call on the GPU was not verified"
}

# name TYPE ROUTINE: complex elements have routines of other names.
name() {
	case $1$2 in
	[cz]sy*) echo "$1he${2#sy}_" ;;
	[cz]or*) echo "$1un${2#or}_" ;;
	*) echo "$1$2_" ;;
	esac
}

# tell NAME: as options spell it.
tell() {
	echo "${1%_}" | tr '[:lower:]' '[:upper:]'
}

wrong() {
	set -f
	for routine in getrf getrs gesv getri potrf potrs posv potri trtri geqrf orgqr ormqr gels \
		syev syevd syevr syevx sygv sygvd sygvx gesdd gesvd geev; do
		for type in s d c z; do
			name=$(name "$type" "$routine")
			differ "EPOCHLY_GPU_POLICY=never EPOCHLY_GPU_POLICY_$(tell "$name")=always \
				SIMCUDA_FAIL=kernel:*:wrong" --count 12 --seed "$1" --routine "$name"
			good=no
			if tail -n 1 "$work/out" | grep -q ' calls, 0 failures$' &&
				grep -q "^gpushim: warn: $name (.*the GPU's" "$work/err" &&
				[ "$(count "\"$name\".*\"reason\":\"verify_failed\"")" -eq 1 ]; then
				good=yes
			fi
			said=$(sed -n '/FAIL/,+2p' "$work/out")
			verdict "$good" "$name, seed $1: $said $(cat "$work/err")"
		done
	done
}

if [ "$part" = sound ]; then
	sound "$@"
else
	for seed in "$@"; do
		wrong "$seed"
	done
fi
verdict_tell
