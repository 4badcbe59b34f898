#!/bin/sh
# readme_commands.sh - the commands of the README and the FAQ run as they are written
# SPDX-License-Identifier: Apache-2.0
# usage: readme_commands.sh SOURCE BUILD
#
# Commands are the indented lines, but for blocks that begin with "$ " (their output is compared by
# tests of cli) or follow `<!-- recorded: ... -->` (readme.status) or `<!-- shown -->` (text that is
# no command). They run in their order, in a folder that looks like a built tree, with a home of
# their own; ./simulation and the scripts stand for the reader's programs.
set -eu

source=$(cd "$1" && pwd) build=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0 ran=0

fail() {
	echo "FAIL $*"
	failed=1
}

# Commands that other tests run; installing by release.wheel, release.build and packaging.deb_*.
cat >"$work/elsewhere" <<'TABLE'
./demo.sh
./check.sh
cmake --preset release && cmake --build --preset release
cmake --build --preset release --target bundle
pip install --find-links . 'gpushim[cuda12]'
tar -xf gpushim-*-linux-x86_64.tar.gz
gpushim-*-linux-x86_64/bin/gpushim run -- ./simulation
dpkg-buildpackage -b -us -uc
sudo apt install ../gpushim_*.deb
gpushim calibrate
TABLE

# commands PAGE: one a line, without comment.
commands() {
	awk '
		/^<!-- (recorded: .*|shown) -->$/ { skip = 1; next }
		/^    / {
			if (!inside)
				example = skip || substr($0, 5, 2) == "$ "
			inside = 1
			if (!example)
				print substr($0, 5)
			next
		}
		NF { inside = skip = 0 }' "$1" | sed 's/  *# .*//'
}

mkdir -p "$work/tree/build" "$work/home" "$work/runtime"
chmod 700 "$work/runtime"
cd "$work/tree"
ln -s "$build" build/release
ln -s "$build/tests/readme/readme_program" simulation
cat >model.py <<PYTHON
import numpy
a = numpy.ones((500, 500))
print((a @ a).sum())
PYTHON
echo 'a = ones (3); disp (sum ((a * a)(:)))' >script.m
echo 'print(sum(matrix(1, 3, 3) %*% matrix(1, 3, 3)))' >script.R

# launch COMMAND: in the environment of a reader who has built it, then installs and removes it.
launch() {
	status=0
	env -i PATH="$work/home/.local/bin:$build:/usr/bin:$PATH" LC_ALL=C HOME="$work/home" \
		TMPDIR="$work" XDG_RUNTIME_DIR="$work/runtime" CUDA_VISIBLE_DEVICES=-1 \
		OPENBLAS_NUM_THREADS=1 \
		timeout 120 sh -c "$1" >"$work/out" 2>"$work/err" </dev/null || status=$?
}

# Doctor's status tells whether the GPU can be used (0, or 6 with warnings) or not (1).
allowed() {
	case $1 in
	"gpushim doctor"*) [ "$status" -le 1 ] || [ "$status" -eq 6 ] ;;
	*) [ "$status" -eq 0 ] ;;
	esac
}

# A run under the shim has to leave a summary, so that it is known to have been there.
check() {
	allowed "$1" || {
		fail "status $status: $1"
		tail -n 10 "$work/out" "$work/err"
	}
	case $1 in
	"gpushim run"* | *SUMMARY=stderr*)
		grep -q '^gpushim: ' "$work/err" || fail "no summary: $1"
		;;
	esac
}

# can_run COMMAND: whether the program that it runs is installed.
can_run() {
	case $1 in
	*octave-cli*) launch 'octave-cli --version' ;;
	*Rscript*) launch 'Rscript --version' ;;
	*python3*) launch 'python3 -c "import numpy"' ;;
	*) return 0 ;;
	esac
	[ "$status" -eq 0 ]
}

for page in README.md docs/faq.md; do
	commands "$source/$page" >"$work/commands"
	[ -s "$work/commands" ] || fail "$page has no commands"
	while IFS= read -r command <&3; do
		grep -qxF -- "$command" "$work/elsewhere" && continue
		can_run "$command" || { echo "left out: $command"; continue; }
		launch "$command"
		check "$command"
		ran=$((ran + 1))
	done 3<"$work/commands"
done
left=$(find "$work/home/.local" -name '*gpushim*')
[ -z "$left" ] || fail "this was not removed: $left"

[ "$failed" -eq 0 ] && echo "ok   $ran commands"
exit "$failed"
