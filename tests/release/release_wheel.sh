#!/bin/sh
# release_wheel.sh - a wheel in fresh virtual environments: NumPy and a C program use CUDA's wheels
# SPDX-License-Identifier: Apache-2.0
# usage: release_wheel.sh SOURCE BUILD [WHEEL]; without WHEEL, of what BUILD installs
set -eu

source=$(cd "$1" && pwd) build=$(cd "$2" && pwd) wheel=${3-}
# shellcheck source=tests/driver/steps.sh
. "$source/tests/driver/steps.sh"
# shellcheck source=tests/driver/venv.sh
. "$source/tests/driver/venv.sh"
driver=

# The kept environment's pip works in the fresh one; what it prints is shown if it fails.
pip() {
	"$kept/bin/python" -m pip --python "$venv/bin/python" --quiet --disable-pip-version-check \
		"$@" >"$work/pip.log" 2>&1 || { cat "$work/pip.log"; fail "pip $*"; }
}

# The line of the README, in the folder of the wheels; for CUDA 13 with another number.
install_as_readme_says() {
	line=$(sed -n "s/^    \(pip install .*'gpushim\[\)cuda12\(\]'\)$/\1cuda$major\2/p" \
		"$source/README.md")
	mkdir -p "$work/bin"
	printf '#!/bin/sh\nexec "%s" -m pip --python "%s" --disable-pip-version-check "$@"\n' \
		"$kept/bin/python" "$venv/bin/python" >"$work/bin/pip"
	chmod +x "$work/bin/pip"
	[ -n "$line" ] || fail "the README has no line that installs by pip"
	(cd "$wheels" && PIP_NO_INDEX=1 PIP_NO_COMPILE=1 PATH="$work/bin:$PATH" sh -c "$line") \
		>"$work/pip.log" 2>&1 || { cat "$work/pip.log"; fail "$line"; }
}

# clean COMMAND...: in an environment that tells nothing of virtual environments and of CUDA. The
# machine's driver is simulated; it is of no wheel.
clean() {
	env -i PATH=/usr/bin:/bin HOME="$work/home" XDG_RUNTIME_DIR="$work" LC_ALL=C \
		OPENBLAS_NUM_THREADS=1 LD_LIBRARY_PATH="$driver" "$@"
}

# offloads WHAT COMMAND...: it runs under the tool, all its products on the GPU.
offloads() {
	what=$1
	shift
	clean "$venv/bin/gpushim" run --policy always --warmup wait --log "$work/log" -- "$@" \
		>"$work/out" 2>"$work/err" || {
		cat "$work/out" "$work/err"
		fail "$what"
		return
	}
	grep -q '"target":"gpu"' "$work/log" || fail "$what: no call on the GPU"
	if grep -q '"target":"cpu"' "$work/log"; then
		fail "$what: a call on the CPU"
	fi
	rm -f "$work/log"
}

# Where NumPy comes from: fetched once, by an environment that is kept.
kept=$build/tests/release/numpy
why=$(venv_need "$kept" numpy) || skip "$why"
wheels=$work/wheels
mkdir -p "$wheels" "$work/home"
if [ ! -e "$kept/wheels" ]; then
	"$kept/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps \
		--only-binary=:all: -d "$kept/fetched" numpy >"$work/pip.log" 2>&1 ||
		skip "pip cannot fetch numpy: $(tail -n 1 "$work/pip.log")"
	mv "$kept/fetched" "$kept/wheels"
fi
cp "$kept/wheels"/numpy-*.whl "$wheels/"
if [ -z "$wheel" ]; then
	version=$("$build/gpushim" --version | sed -n '1s/.* //p')
	cmake --install "$build" --prefix "$work/stage" >"$work/log" 2>&1 ||
		{ cat "$work/log"; fail "cmake --install"; }
	wheel=$(SOURCE_DATE_EPOCH=1 python3 -B "$source/tools/wheel.py" "$work/stage" "$source" \
		"$version" "$(uname -m)" "$wheels")
	rm -f "$work/log"
else
	cp "$wheel" "$wheels/"
fi
python3 -B "$source/tests/release/release_nvidia.py" "$build/simcuda" "$wheels"

cat >"$work/model.py" <<'PYTHON'
import ctypes, re, sys
import numpy
a = numpy.ones((300, 300))
assert (a @ a == 300).all()
maps = open("/proc/self/maps").read()
for library in re.findall(r"/\S*/lib(?:cudart|cublas|cufft)\.so\S*", maps):
    assert library.startswith(sys.prefix + "/lib/"), library
    print(library)
PYTHON
clean "$build/simulation" --size 64 >"$work/plain" 2>/dev/null

for major in 12 13; do
	venv=$work/venv$major driver=$work/driver$major
	mkdir -p "$driver"
	cp "$build/simcuda/$major/libcuda.so.1" "$driver/"
	python3 -m venv --without-pip "$venv"
	pip install --no-index --find-links "$wheels" --no-compile numpy
	install_as_readme_says
	(cd "$venv"/lib/python3*/site-packages/gpushim && find . -name '*.py') >"$work/python"
	[ "$(LC_ALL=C sort "$work/python" | paste -s -d ' ')" = './__init__.py ./__main__.py' ] ||
		fail "the wheel has other Python code than its entry points: $(cat "$work/python")"
	clean "$venv/bin/gpushim" --version >"$work/version" || fail "gpushim --version"
	clean "$venv/bin/python" -m gpushim --version | cmp - "$work/version" ||
		fail "python -m gpushim is another tool"

	offloads "a C program with CUDA $major" "$build/simulation" --size 64
	cmp "$work/plain" "$work/out" || fail "the C program's output differs with CUDA $major"
	clean "$venv/bin/gpushim" doctor -- "$build/simulation" >"$work/doctor" 2>&1 || :
	grep -qF "$venv/lib/python3" "$work/doctor" ||
		{ cat "$work/doctor"; fail "doctor names no library of the wheels of CUDA $major"; }

	offloads "NumPy with CUDA $major" "$venv/bin/python" "$work/model.py"
	grep -q 'libcublas' "$work/out" || fail "NumPy's process has no cuBLAS of CUDA $major"

	pip uninstall -y gpushim
	left=$(find "$venv" -name '*gpushim*')
	[ -z "$left" ] || fail "pip uninstall leaves $left"
done

[ "$failed" -ne 0 ] || echo "ok   $(basename "$wheel"): CUDA 12 and 13 from its site-packages"
exit "$failed"
