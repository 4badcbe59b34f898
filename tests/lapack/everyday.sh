#!/bin/sh
# everyday.sh - everyday calls of linear algebra: same numbers, and which routine ran where
# SPDX-License-Identifier: Apache-2.0
#
# usage: everyday.sh BUILD [--update | --results] PROGRAM...
#        PROGRAM: numpy, scipy, numpy_pip, octave, rlang or armadillo
#
# Each call of everyday_PROGRAM runs in a process of its own, without the shim and with every
# eligible call on the simulated GPU. docs/lapack.md has a row for each, which is compared with the
# log; --update writes the rows there, --results looks at results alone.
set -eu
build=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
docs=$here/../../docs/lapack.md
what=
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
missing=0

# program ARGUMENT...: runs $name
program() {
	case $name in
	numpy | scipy) /usr/bin/python3 "$here/everyday_numpy.py" "$name" "$@" ;;
	numpy_pip) "$venv/bin/python" "$here/everyday_numpy.py" numpy "$@" ;;
	octave) octave-cli --norc --quiet "$here/everyday_octave.m" "$@" ;;
	rlang) Rscript --vanilla "$here/everyday_rlang.R" "$@" ;;
	armadillo) "$armadillo" "$@" ;;
	*) echo "there is no program $name" && exit 2 ;;
	esac
}

installed() {
	case $name in
	numpy | scipy) /usr/bin/python3 -c "import $name" 2>"$work/why" ;;
	numpy_pip)
		# shellcheck source=tests/driver/venv.sh
		. "$here/../driver/venv.sh"
		venv=$build/tests/programs/numpy_pip
		venv_need "$venv" numpy pytest hypothesis >"$work/why"
		;;
	octave) command -v octave-cli >/dev/null ;;
	rlang) command -v Rscript >/dev/null ;;
	armadillo)
		# shellcheck source=tests/driver/armadillo.sh
		. "$here/../driver/armadillo.sh"
		armadillo=$build/tests/lapack/everyday_armadillo
		armadillo_need "$here/everyday_armadillo.cc" "$armadillo" >"$work/why"
		;;
	esac
}

title() {
	case $name in
	numpy) echo NumPy, Debian ;;
	scipy) echo SciPy, Debian ;;
	numpy_pip) echo NumPy, wheel ;;
	octave) echo Octave ;;
	rlang) echo R ;;
	armadillo) echo Armadillo ;;
	esac
}

# launch RUN PRELOAD ARGUMENT...
launch() {
	run=$1 preload=$2
	shift 2
	(
		export OPENBLAS_NUM_THREADS=1 CUDA_VISIBLE_DEVICES=-1 HOME="$work" \
			XDG_RUNTIME_DIR="$work" LC_ALL=C
		export EPOCHLY_GPU_POLICY=always EPOCHLY_GPU_WARMUP=wait
		export EPOCHLY_GPU_CUDA_PATH="$build/simcuda/13" EPOCHLY_GPU_LOG="$work/log"
		[ -z "$preload" ] || export LD_PRELOAD="$preload"
		program "$@"
	) </dev/null >"$work/$run.out" 2>"$work/$run.err"
}

# Norm-wise, line by line: words are the same, numbers differ by 1e-7 at most.
same() {
	paste -d '\n' "$work/base.out" "$work/shim.out" | awk '
		NR % 2 { split($0, want); fields = NF; next }
		{
			wrong = NF != fields
			difference = norm = 0
			for (i = 1; i <= NF; i++)
				if ($i ~ /^[-+]?[0-9.]+e[-+][0-9]+$/) {
					difference += ($i - want[i]) ^ 2
					norm += want[i] ^ 2
				} else if ($i != want[i])
					wrong = 1
			if (wrong || difference > 1e-14 * norm) { print "differs: " substr($0, 1, 100); bad = 1 }
		}
		/has a ratio/ { print; bad = 1 }
		END { exit bad || NR == 0 }'
}

# try CALL: prints its row.
try() {
	rm -f "$work/log"
	if ! launch base '' "$1" || ! launch shim "$build/libgpushim.so" "$1" || ! same >"$work/same"; then
		{
			echo "FAIL $name, $1"
			cat "$work/same"
			tail -n 3 "$work/base.err" "$work/shim.err"
		} >&2
		failed=1
	fi
	touch "$work/log"
	awk -v program="$(title)" -v call="$1" -f "$here/../driver/decision_log.awk" \
		-f "$here/everyday.awk" "$work/log"
}

for name in "$@"; do
	case $name in
	--update | --results) what=$name && continue ;;
	esac
	if ! installed; then
		echo "skipped: $name is not installed"
		missing=$((missing + 1))
		continue
	fi
	program </dev/null >"$work/calls" 2>"$work/why"
	while read -r call; do
		try "$call"
	done <"$work/calls" >"$work/rows"
	[ -s "$work/rows" ] || { echo "FAIL $name has no calls" && failed=1; }
	grep "^| $(title) |" "$docs" >"$work/documented" || :
	if [ "$what" = --update ]; then
		grep -v "^| $(title) |" "$docs" >"$work/docs" || :
		cat "$work/docs" "$work/rows" >"$docs"
	elif [ -z "$what" ] && ! diff "$work/documented" "$work/rows"; then
		echo "FAIL docs/lapack.md (<) has other rows for $name than the log (>)"
		failed=1
	else
		echo "$name: $(wc -l <"$work/rows") calls, results as without the shim"
	fi
done
[ "$failed" -eq 0 ] || exit 1
[ "$missing" -lt $# ] || exit 77
