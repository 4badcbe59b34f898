#!/bin/sh
# packaging_release.sh - a release in a system whose glibc is older or newer than its build's
# SPDX-License-Identifier: Apache-2.0
# usage: packaging_release.sh    as root, in a system that can be changed, beside release.tar.gz and
#                                simcuda.tar.gz; packaging_fresh.sh makes both, and the system
set -eu
cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
tar -xzf release.tar.gz --strip-components=1 --one-top-level="$work/release"
tar -xzf simcuda.tar.gz --one-top-level="$work/simcuda"
shim=$work/release/lib/libgpushim.so
PATH=$work/release/bin:$PATH
cd "$work"

fail() {
	tail -n 40 "$work/log"
	echo "FAIL $*"
	exit 1
}
# step WHAT COMMAND...: what it prints is shown where it fails.
step() {
	what=$1
	shift
	"$@" >"$work/log" 2>&1 || fail "$what"
	echo "ok   $what"
}
# quiet WHAT COMMAND...: and it prints nothing, as without the shim
quiet() {
	step "$@"
	[ ! -s "$work/log" ] || fail "$1: it printed this"
}
# on_gpu WHAT COMMAND...: with the simulated CUDA all calls are offloaded but questions for sizes
on_gpu() {
	what=$1
	shift
	rm -f "$work/calls"
	step "$what with the simulated CUDA" env LD_LIBRARY_PATH="$work/simcuda" \
		gpushim run --policy always --warmup wait --log "$work/calls" -- "$@"
	grep -q '"target":"gpu"' "$work/calls" || fail "$what: no call on the GPU"
	if grep '"target":"cpu"' "$work/calls" | grep -v '"workspace_query"' >"$work/log"; then
		fail "$what: a call on the CPU"
	fi
}
glibc=$(getconf GNU_LIBC_VERSION)
# As in a container that takes LD_PRELOAD from outside: the system knows nothing of the shim.
quiet "/bin/true" env LD_PRELOAD="$shim" /bin/true
quiet "/bin/true at once, CUDA there" env LD_PRELOAD="$shim" LD_BIND_NOW=1 \
	LD_LIBRARY_PATH="$work/simcuda" /bin/true
for audit in libgpushim-audit.so libgpushim-coverage.so; do
	step "/bin/true under $audit" env LD_AUDIT="$work/release/lib/$audit" /bin/true
done
quiet "a pipe of programs" env LD_PRELOAD="$shim" sh -c 'ls / | sort | grep -q bin'
step "the tool" gpushim run -- /bin/true
step "lists of packages" env LD_PRELOAD="$shim" apt-get -q update
step "packages, by programs with the shim" env LD_PRELOAD="$shim" \
	DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends \
	octave python3-numpy libopenblas0-pthread libfftw3-double3

cat >model.py <<'PYTHON'
import numpy
a = numpy.ones((300, 300))
assert (a @ a == 300).all()
PYTHON
cat >model.m <<'OCTAVE'
a = ones (300);
assert (all (all (a * a == 300)));
b = rand (300) + 300 * eye (300);
assert (norm (b * inv (b) - eye (300), 1) < 1e-9);
assert (norm (ifft2 (fft2 (b)) - b, 1) < 1e-9);
OCTAVE
octave='octave-cli --no-gui --norc --quiet'
# Octave is not quiet everywhere, even without the shim.
# shellcheck disable=SC2086 # octave is several words
{
	quiet "NumPy, preloaded" env LD_PRELOAD="$shim" python3 model.py
	step "Octave, preloaded" env LD_PRELOAD="$shim" $octave model.m
	step "NumPy on the CPU" gpushim run -- python3 model.py
	grep -q 'gpushim: python3.* 1 call' "$work/log" || fail "NumPy: no summary"
	step "Octave on the CPU" gpushim run -- $octave model.m
	grep -q 'gpushim: octave.* [0-9]* calls' "$work/log" || fail "Octave: no summary"
	on_gpu NumPy python3 model.py
	on_gpu Octave $octave model.m
}
step "doctor" env LD_LIBRARY_PATH="$work/simcuda" gpushim doctor -- python3 model.py
echo "ok   $glibc: $(gpushim --version)"
rm -rf "$work"
