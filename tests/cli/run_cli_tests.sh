#!/bin/sh
# run_cli_tests.sh - runs cases of the command line tool; compares their output and exit status
# SPDX-License-Identifier: Apache-2.0
#
# usage: run_cli_tests.sh [--update] BUILD [CASE]...
#
# A case is NAME.sh beside this script. NAME.stdout is its expected output (stdout, and stderr where
# the case redirects it), NAME.exit its status if that is not 0. --update writes both. A case gets
# these variables: GPUSHIM (the tool), PROBE, WANTS, STATIC, SIZES (programs of the tests), SIMCUDA
# (a folder), WHOLE (whole_messages.sed, which all output goes through in the end), WORK (an empty
# folder, the current one). COLUMNS is so wide that no sentence is broken, since paths of any length
# stand in them; a case about lines unsets it. A case that cannot run here prints one line that
# begins with "skipped:" and ends with status 77. The cases golden_* hold the text of each command
# in 80 columns and mask it themselves (golden.inc).
set -eu

update=
if [ "${1-}" = --update ]; then
	update=yes
	shift
fi
build=$(cd "$1" && pwd)
shift
cases=$(cd "$(dirname "$0")" && pwd)
whole=$cases/../driver/whole_messages.sed
# Where the programs find the tests' libraries: another folder in a copy of BUILD (tests/release).
linked=$(ldd "$build/tests/cli/cli_wants" 2>/dev/null |
	sed -n 's|.*=> \(.*\)/tests/cli/libcli_fake.so.*|\1|p')
linked=${linked:-$build}
scratch=$(mktemp -d)
trap 'chmod -R u+rwx "$scratch"; rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
skipped=0
ran=0

# Replaces paths, processes, times and all else that differs between runs or machines.
normalise() {
	sed -f "$whole" | sed -E -e '/^( {13,24}|[^ ].{12,23}) [|]/d' \
		-e "s|$scratch/work|WORK|g" -e "s|$build/tests/cli|TESTS|g" \
		-e "s|$linked/tests/cli|TESTS|g" \
		-e "s|$build|BUILD|g" \
		-e 's/pid [0-9]+/pid PID/g' -e 's/[0-9.,]+ (ns|us|µs|ms|s)\b/TIME/g' \
			-e 's/ +TIME/ TIME/g' \
		-e '/^  .* (drifts: the last third|falls into two groups|has [0-9]+ runs? far above)/d' \
		-e '/^  a run of TIME is hardly more than/d' \
		-e 's/(no difference can be seen|[0-9.]+ times as (fast|long) with the shim( \(95 %|, by too few)).*/WORDS/' \
		-e 's/; what was faster is .*//' -e 's/best: .*/best: NAME/' \
			-e 's/^on \/ off .*/on \/ off RATIOS/' \
		-e 's/here: CPU \(no (driver|GPU)\)/here: CPU (NO_GPU)/' \
		-e 's/"absence":"no (driver|GPU)"/"absence":NO_GPU/' \
		-e 's/(no_cuda_libraries|no_driver|no_device): .*/NO_GPU/' \
		-e 's/\b(no_cuda_libraries|no_driver|no_device) +/NO_GPU /' \
		-e 's/since (no usable set of CUDA libraries was found|the NVIDIA driver is missing or not loaded|the driver shows no GPU)/since NO_GPU/'
}

# Each case has a folder of its own and no variables of the user's environment.
launch() {
	rm -rf "$scratch/work"
	mkdir -p "$scratch/work" "$scratch/home" "$scratch/runtime" "$scratch/tmp"
	chmod 700 "$scratch/runtime"
	status=0
	(
		cd "$scratch/work"
		exec env -i PATH="$PATH" LC_ALL=C COLUMNS=1000 HOME="$scratch/home" \
			XDG_CONFIG_HOME="$scratch/home/.config" \
			XDG_RUNTIME_DIR="$scratch/runtime" TMPDIR="$scratch/tmp" \
				CUDA_VISIBLE_DEVICES=-1 WORK="$scratch/work" \
			${ASAN_OPTIONS:+ASAN_OPTIONS="$ASAN_OPTIONS"} \
			GPUSHIM="$build/gpushim" WHOLE="$whole" SIMCUDA="$build/simcuda" \
				PROBE="$build/tests/cli/cli_probe" \
			WANTS="$build/tests/cli/cli_wants" STATIC="$build/tests/cli/cli_static" \
				SIZES="$build/tests/cli/cli_sizes" sh \
				"$1"
	) </dev/null >"$scratch/out" 2>"$scratch/err" || status=$?
	case $1 in
	*/golden_*) sed "s|$linked|BUILD|g" "$scratch/out" >"$scratch/got" ;;
	*) normalise <"$scratch/out" >"$scratch/got" ;;
	esac
	left=$(find "$scratch/runtime" "$scratch/tmp" -mindepth 1 2>/dev/null)
	[ -z "$left" ] || echo "left behind: $left" >>"$scratch/got"
	rm -rf "${scratch:?}/runtime" "${scratch:?}/tmp" "${scratch:?}/home"
}

check() {
	want=0
	[ ! -f "$cases/$1.exit" ] || want=$(cat "$cases/$1.exit")
	if [ "$status" -eq "$want" ] && cmp -s "$cases/$1.stdout" "$scratch/got"; then
		echo "ok   $1"
		return
	fi
	echo "FAIL $1: status $status, expected $want"
	diff "$cases/$1.stdout" "$scratch/got" || true
	sed 's/^/stderr: /' "$scratch/err" | head -n 20
	failed=$((failed + 1))
}

rewrite() {
	cp "$scratch/got" "$cases/$1.stdout"
	rm -f "$cases/$1.exit"
	[ "$status" -eq 0 ] || echo "$status" >"$cases/$1.exit"
	echo "new  $1"
}

# shellcheck disable=SC2046,SC2012 # the names of cases are plain words
[ "$#" -gt 0 ] ||
	set -- $(cd "$cases" && ls ./*.sh | sed -e 's|^\./||' -e 's|\.sh$||' | grep \
		-v '^run_cli_tests$')
for case; do
	launch "$cases/$case.sh"
	if [ "$status" -eq 77 ]; then
		cat "$scratch/out"
		skipped=$((skipped + 1))
		continue
	fi
	ran=$((ran + 1))
	if [ -n "$update" ]; then
		rewrite "$case"
	else
		check "$case"
	fi
done
[ "$failed" -eq 0 ] || exit 1
[ "$ran" -gt 0 ] || exit 77
