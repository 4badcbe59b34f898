#!/bin/sh
# release.sh - builds the artefacts of a release twice, and compares them byte by byte
# SPDX-License-Identifier: Apache-2.0
set -eu

usage="usage: release.sh [OPTION]... FOLDER
Builds the tarball and the wheel of each processor, in a copy of this tree, and writes them and
SHA256SUMS to FOLDER. Then does so again from another copy, and fails if a byte differs.

  --once             build once
  --processor NAME   for this processor alone: x86_64 or aarch64
  --python PYTHON    a python3 that has the compiler of tools/toolchain.txt; without it, a virtual
                     environment is made for that
  --help             this text"

here=$(cd "$(dirname "$0")/.." && pwd)
python=
processors='x86_64 aarch64'
rounds='first second'
folder=

fail() {
	echo "release: $*" >&2
	exit 1
}

while [ $# -gt 0 ]; do
	case $1 in
	--help) echo "$usage"; exit 0 ;;
	--once) rounds=first ;;
	--processor | --python)
		[ $# -ge 2 ] || fail "$1 needs a value; see --help"
		if [ "$1" = --python ]; then python=$2; else processors=$2; fi
		shift
		;;
	-*) fail "there is no option '$1'; see --help" ;;
	*) folder=$1 ;;
	esac
	shift
done
[ -n "$folder" ] || fail "the folder is missing; see --help"

version=$(sed -n 's/^project(gpushim VERSION \([0-9.]*\) .*/\1/p' "$here/CMakeLists.txt")
[ -n "$version" ] || fail "CMakeLists.txt names no version"
if [ -z "${SOURCE_DATE_EPOCH-}" ]; then
	SOURCE_DATE_EPOCH=$(git -C "$here" log -1 --format=%ct 2>/dev/null) ||
		fail "SOURCE_DATE_EPOCH is not set, and git tells no time of a commit here"
fi
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

if [ -z "$python" ]; then
	{ python3 -m venv "$work/venv" && "$work/venv/bin/pip" install --quiet --require-hashes \
		-r "$here/tools/toolchain.txt"; } >"$work/log" 2>&1 || {
		tail -n 5 "$work/log" >&2
		fail "the compiler of tools/toolchain.txt cannot be installed"
	}
	python=$work/venv/bin/python3
fi

# xxhash.h, for residency = hash
"$python" -m pip download --quiet --no-deps --no-binary xxhash --require-hashes \
	-r "$here/tools/xxhash.txt" -d "$work/xxhash" >"$work/log" 2>&1 || {
	tail -n 5 "$work/log" >&2
	fail "the source of tools/xxhash.txt cannot be fetched"
}

# copy_tree TARGET: the files that git would take; a tree without git whole, but its builds.
copy_tree() {
	mkdir -p "$1"
	if git -C "$here" rev-parse >/dev/null 2>&1; then
		(cd "$here" && git ls-files -co --exclude-standard | while IFS= read -r file; do
			[ ! -e "$file" ] || echo "$file"
		done | tar -cf - -T -) | tar -xf - -C "$1"
	else
		tar -cf - -C "$here" --exclude=./build --exclude=./.git . | tar -xf - -C "$1"
	fi
}

# pack NAME STAGE RESULT: an archive without times, owners and order of this machine
pack() {
	tar -cf - -C "$2" --format=ustar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 \
		--group=0 --numeric-owner --mode=u=rwX,go=rX "$1" | gzip -9n >"$3"
}

# build ROUND PROCESSOR: into $work/ROUND/out. The folders' names differ in length between rounds.
build() {
	source=$work/$1/source tree=$work/$1/build-$2
	name=gpushim-$version-linux-$2
	stage=$work/$1/stage-$2
	mkdir -p "$work/$1/xxhash"
	tar -xzf "$work"/xxhash/xxhash-*.tar.gz -C "$work/$1/xxhash" --strip-components=3 \
		--wildcards '*/deps/xxhash/xxhash.h'
	{
		cmake -S "$source" -B "$tree" --toolchain "$source/cmake/portable.cmake" \
			-DGPUSHIM_PROCESSOR="$2" -DGPUSHIM_PYTHON="$python" \
			-DCMAKE_INSTALL_LIBDIR=lib -DGPUSHIM_XXHASH_FOLDER="$work/$1/xxhash" &&
			cmake --build "$tree" --parallel "$(nproc)" &&
			cmake --install "$tree" --prefix "$stage/$name"
	} >"$work/log" 2>&1 || {
		tail -n 20 "$work/log" >&2
		fail "the build for $2 failed"
	}
	# What removes an installation by CMake: a tarball is removed with its folder.
	rm -f "$stage/$name/share/gpushim/uninstall.cmake" "$stage/$name/share/gpushim/installed.txt"
	pack "$name" "$stage" "$work/$1/out/$name.tar.gz"
	python3 -B "$source/tools/wheel.py" "$stage/$name" "$source" "$version" "$2" "$work/$1/out"
}

# check_size FILE KIB
check_size() {
	size=$((($(wc -c <"$1") + 1023) / 1024))
	[ "$size" -le "$2" ] || fail "$(basename "$1") has $size KiB; at most $2 are allowed"
}

for round in $rounds; do
	copy_tree "$work/$round/source"
	mkdir -p "$work/$round/out"
	for processor in $processors; do
		build "$round" "$processor"
	done
	(cd "$work/$round/out" && sha256sum -- * >SHA256SUMS)
done
for file in "$work"/first/out/*.tar.gz; do
	check_size "$file" 3072
done
for file in "$work"/first/out/*.whl; do
	check_size "$file" 1024
done
if [ "$rounds" != first ]; then
	diff "$work/first/out/SHA256SUMS" "$work/second/out/SHA256SUMS" ||
		fail "the two builds differ"
	echo "release: two builds have the same bytes"
fi
cp "$work"/first/out/* "$folder/"
cat "$folder/SHA256SUMS"
