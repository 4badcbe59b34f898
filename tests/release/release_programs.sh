#!/bin/sh
# release_programs.sh - the tests of programs with a release's libraries and tool, not the build's
# SPDX-License-Identifier: Apache-2.0
# usage: release_programs.sh BUILD TARBALL [OPTION OF CTEST]...
#
# Another compiler and linker, no symbols, another glibc to link with: what a release does is tested
# by calls that are offloaded, calls on the CPU, threads, forks and exits of the tests' programs.
# They run in a copy of BUILD, of hard links, where TARBALL's files stand in place of BUILD's.
set -eu

build=$(cd "$1" && pwd)
tarball=$2
shift 2
copy=$build.release
rm -rf "$copy"
trap 'rm -rf "$copy"' EXIT
trap 'exit 1' HUP INT TERM
cp -al "$build" "$copy"

rm -rf "$copy/unpacked"
mkdir "$copy/unpacked"
tar -xzf "$tarball" -C "$copy/unpacked" --strip-components=1
for file in bin/gpushim lib/libgpushim.so lib/libgpushim-audit.so lib/libgpushim-coverage.so; do
	ln -f "$copy/unpacked/$file" "$copy/$(basename "$file")"
done
if cmp -s "$build/libgpushim.so" "$copy/libgpushim.so"; then
	echo "FAIL the library of $tarball is that of the build"
	exit 1
fi
# ctest's own lists have the build's name: without --in-place both copies would change.
find "$copy" -name CTestTestfile.cmake | while read -r list; do
	sed "s|$build|$copy|g" "$list" >"$list.new"
	mv "$list.new" "$list"
done

[ $# -gt 0 ] || set -- -L '^(preload|hostile|guest|example|security|cards|cli|lapack|real)$'
# quiet_end looks for a name that a stripped library has not.
ctest --test-dir "$copy" --output-on-failure --timeout 600 "$@" \
	-LE '^(nightly|gpu)$' -E '^preload\.quiet_end$'
