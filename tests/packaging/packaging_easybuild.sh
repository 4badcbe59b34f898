#!/bin/sh
# packaging_easybuild.sh - EasyBuild of PyPI builds its recipe, and the module works
# SPDX-License-Identifier: Apache-2.0
# usage: packaging_easybuild.sh SOURCE BUILD
set -eu
source=$(cd "$1" && pwd) build=$(cd "$2" && pwd)
# shellcheck source=tests/driver/steps.sh
. "$source/tests/driver/steps.sh"
# shellcheck source=tests/driver/venv.sh
. "$source/tests/driver/venv.sh"
# shellcheck source=tests/packaging/source_archive.sh
. "$source/tests/packaging/source_archive.sh"
# What EasyBuild installs may not be written to.
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
venv=$build/tests/packaging/easybuild
set -- easybuild-framework easybuild-easyblocks easybuild-easyconfigs
# They are on PyPI as source alone.
why=$(venv_need "$venv" --no-binary="$1,$2,$3" "$@") || skip "$why"
# EasyBuild looks for Environment Modules where its own installation puts it; Debian does not.
modules=$(find /usr/lib -maxdepth 2 -name modulecmd.tcl | head -n 1)
[ -n "$modules" ] || skip "no environment-modules"
mkdir -p "$work/modules/libexec"
ln -s "$modules" "$work/modules/libexec/modulecmd.tcl"
export MODULESHOME="$work/modules"

version=$("$build/gpushim" --version | sed 's/.* //')
mkdir "$work/sources"
source_archive "$source" "gpushim-$version" "$work/sources/gpushim-$version.tar.gz"
cd "$source"

# EasyBuild refuses root unless it is told to go on.
set --
[ "$(id -u)" -ne 0 ] || set -- --allow-use-as-root-and-accept-consequences
HOME=$work PATH=$venv/bin:$PATH eb "packaging/easybuild/gpushim-$version.eb" "$@" \
	--sourcepath="$work/sources" --prefix="$work/easybuild" --tmpdir="$work" --parallel=2 \
	--modules-tool=EnvironmentModules --module-syntax=Tcl --allow-modules-tool-mismatch \
	>"$work/log" 2>&1 || {
	tail -n 40 "$work/log"
	echo "FAIL eb ended with an error"
	exit 1
}
module=$(find "$work/easybuild/modules/all" -path "*gpushim/$version" | head -n 1)
[ -n "$module" ] || { echo "FAIL EasyBuild made no module"; exit 1; }
eval "$(tclsh "$modules" sh load "$module")"
case $(command -v gpushim) in
"$work/easybuild/software/gpushim/$version/bin/gpushim") ;;
*) echo "FAIL the module does not lead to the tool: $(command -v gpushim)"; exit 1 ;;
esac
# doctor ends with 1 where there is no GPU.
gpushim doctor >"$work/log" 2>&1 || :
grep -qF "$work/easybuild/software/gpushim/$version/lib/libgpushim.so" "$work/log" || {
	cat "$work/log"
	echo "FAIL doctor names another shim"
	exit 1
}
LD_LIBRARY_PATH="$build/simcuda${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
	gpushim run --cuda-path "$build/simcuda" --policy always --warmup wait \
	--log "$work/calls" -- \
	"$build/simulation" --size 64 >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
grep -q '"target":"gpu"' "$work/calls" ||
	{ cat "$work/log"; echo "FAIL no call on the GPU"; exit 1; }
MANPATH="${MANPATH-}:" man -w gpushim >"$work/log" 2>&1 || [ ! -x /usr/bin/man ] ||
	{ echo "FAIL the module leads to no manual page"; exit 1; }
echo "ok   built by EasyBuild, loaded, an offloaded program run"
