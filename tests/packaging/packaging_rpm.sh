#!/bin/sh
# packaging_rpm.sh - rpmbuild makes the package; it is installed in a folder, used, and erased
# SPDX-License-Identifier: Apache-2.0
# usage: packaging_rpm.sh SOURCE BUILD
set -eu
source=$(cd "$1" && pwd) build=$(cd "$2" && pwd)
# shellcheck source=tests/driver/steps.sh
. "$source/tests/driver/steps.sh"
# shellcheck source=tests/packaging/source_archive.sh
. "$source/tests/packaging/source_archive.sh"
for tool in rpm rpmbuild; do
	command -v "$tool" >/dev/null || skip "$tool is not installed"
done

version=$("$build/gpushim" --version | sed 's/.* //')
mkdir -p "$work/top/SOURCES"
source_archive "$source" "gpushim-$version" "$work/top/SOURCES/gpushim-$version.tar.gz"
# What BuildRequires names is there, but not as packages of rpm where this is another distribution.
# There the flags are those of a distribution of rpm. The debug package needs macros of it.
set -- --nodeps
[ -e /etc/redhat-release ] || set -- "$@" --define 'debug_package %{nil}'
export CFLAGS="-O2 -Wp,-D_FORTIFY_SOURCE=2 -fstack-protector-strong -flto=auto -ffat-lto-objects"
export LDFLAGS="-Wl,-z,relro -Wl,--as-needed -Wl,-z,now -flto=auto"
step rpmbuild rpmbuild -ba "$@" --define "_topdir $work/top" --dbpath "$work/none" \
	"$source/packaging/gpushim.spec"
package=$(find "$work/top/RPMS" -name "gpushim-$version-*.rpm" | head -n 1)
[ -n "$package" ] || { echo "FAIL there is no package"; exit 1; }
step "a source package" test -e "$(find "$work/top/SRPMS" -name '*.src.rpm')"

# The files that a Debian package has, too: nothing that is in the way of other packages.
rpm -qpl "$package" 2>/dev/null >"$work/files"
if grep -vE -e '^/usr/bin/gpushim$' -e '^/usr/lib[^/]*/gpushim(/|$)' \
	-e '^/usr/share/(gpushim|doc/gpushim|licenses/gpushim[^/]*)(/|$)' \
	-e '^/usr/share/man/man[157]/(lib)?gpushim(\.conf)?\.[157](\.gz)?$' \
	-e '^/usr/share/(bash-completion/completions/gpushim|zsh/site-functions/_gpushim)$' \
	-e '^/usr/share/fish/vendor_completions\.d/gpushim\.fish$' \
	-e '^/usr/lib/\.build-id' "$work/files"; then
	echo "FAIL the package has these, too"
	exit 1
fi
for file in libgpushim.so libgpushim-audit.so libgpushim-coverage.so; do
	step "$file" grep -q "/gpushim/$file\$" "$work/files"
done
rpm -qp --requires "$package" 2>/dev/null >"$work/requires"
if grep -iE 'cuda|cublas|blas|fftw|nvidia' "$work/requires"; then
	echo "FAIL the package needs these"
	exit 1
fi

root=$work/root
mkdir "$root"
step "installing" rpm --root "$root" --dbpath /rpm --nodeps --install "$package"
tool=$root/usr/bin/gpushim
step "a program" "$tool" run -- "$build/simulation" --size 64
grep -q calls "$work/log" || { cat "$work/log"; echo "FAIL no summary"; exit 1; }
step "a program with the simulated CUDA" env LD_LIBRARY_PATH="$build/simcuda" \
	"$tool" run --cuda-path "$build/simcuda" --policy always \
	--warmup wait --log "$work/calls" -- \
	"$build/simulation" --size 64
step "a call on the GPU" grep -q '"target":"gpu"' "$work/calls"
shim=$(find "$root/usr" -name libgpushim.so)
for check in exports symbol_versions undefined; do
	step "lint $check" "$source/tests/lint/$check.sh" "$source" "$shim"
done
step "erasing" rpm --root "$root" --dbpath /rpm --nodeps --erase gpushim
find "$root" -name '*gpushim*' >"$work/left"
[ ! -s "$work/left" ] || { cat "$work/left"; echo "FAIL these are left"; exit 1; }
echo "ok   $(basename "$package"), $(wc -l <"$work/files") files"
