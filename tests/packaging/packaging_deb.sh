#!/bin/sh
# packaging_deb.sh - the Debian package in a fresh system: built, checked, installed, used, purged
# SPDX-License-Identifier: Apache-2.0
# usage: packaging_deb.sh    as root, in a system that can be changed; the test packaging.deb_SUITE
#                            makes one by tests/nightly-fresh.sh
set -eu
cd "$(dirname "$0")/../.."
# shellcheck source=tests/driver/steps.sh
. ./tests/driver/steps.sh
install() {
	DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends "$@"
}
# All files but those of apt, dpkg and the temporary ones.
files() {
	find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /root -o \
		-path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/cache -o \
		-path /var/log \) -prune -o -print | LC_ALL=C sort
}

step "lists of packages" apt-get -q update
step "tools" install build-essential cmake pkg-config debhelper dpkg-dev lintian \
	libopenblas-dev libfftw3-dev python3-numpy man-db
step "the README's lines" sh -c 'grep -qxF "    dpkg-buildpackage -b -us -uc" README.md &&
	grep -qxF "    sudo apt install ../gpushim_*.deb" README.md'
step "dpkg-buildpackage" dpkg-buildpackage -b -us -uc
deb=$(ls ../gpushim_*.deb)
step "lintian" lintian --fail-on error,warning ../gpushim_*.changes
step "the simulated CUDA" sh -c 'cmake -B build/release >/dev/null &&
	cmake --build build/release --target simcuda'

files >"$work/before"
step "installing" install "$PWD/$deb"
# has NAME: the tool calls this function of libc
has() {
	nm -D /usr/bin/gpushim | grep -qE " U $1(@|\$)"
}
step "the tool has _FORTIFY_SOURCE" has '__[a-z]*printf_chk'
step "the tool has the stack protector" has __stack_chk_fail
cd "$work"
step "the manual page" man --warnings gpushim.conf
step "NumPy on the CPU" gpushim run -- python3 -c 'import numpy; numpy.ones((9, 9)) @ numpy.eye(9)'
grep -q 'gpushim: python3.* 1 call' "$work/log" || {
	cat "$work/log"
	echo "FAIL no summary"
	exit 1
}
step "NumPy with the simulated CUDA" env LD_LIBRARY_PATH="$OLDPWD/build/release/simcuda" \
	gpushim run --policy always --warmup wait -- python3 -c '
import numpy
a = numpy.ones((300, 300))
assert (a @ a == 300).all()'
grep -q ' gpu  ' "$work/log" || {
	cat "$work/log"
	echo "FAIL no call on the GPU"
	exit 1
}
step "purging" apt-get -q -y purge gpushim
files >"$work/after"
step "nothing is left" diff "$work/before" "$work/after"
