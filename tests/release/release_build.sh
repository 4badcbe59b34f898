#!/bin/sh
# release_build.sh - a release is built twice with the same bytes, and its files are what they say
# SPDX-License-Identifier: Apache-2.0
# usage: release_build.sh SOURCE BUILD; the release lies in BUILD/tests/release/out then
set -eu

source=$(cd "$1" && pwd) build=$(cd "$2" && pwd)
# shellcheck source=tests/driver/steps.sh
. "$source/tests/driver/steps.sh"
# shellcheck source=tests/driver/venv.sh
. "$source/tests/driver/venv.sh"

toolchain=$build/tests/release/toolchain out=$build/tests/release/out
why=$(venv_need "$toolchain" --require-hashes -r "$source/tools/toolchain.txt") || {
	echo "skipped: $why"
	exit 77
}
rm -rf "$out"
"$source/tools/release.sh" --python "$toolchain/bin/python" "$out"

version=$("$build/gpushim" --version | sed -n '1s/.* //p')
(cd "$out" && sha256sum --quiet -c SHA256SUMS) || fail "SHA256SUMS"
ls "$out" >"$work/files"
for processor in aarch64 x86_64; do
	echo "gpushim-$version-linux-$processor.tar.gz"
	echo "gpushim-$version-py3-none-manylinux_2_17_$processor.manylinux2014_$processor.whl"
done | { cat && echo SHA256SUMS; } |
	LC_ALL=C sort >"$work/expected"
LC_ALL=C sort "$work/files" | diff "$work/expected" - || fail "the release has other files"

# newest FILE: the newest version of glibc that it asks for
newest() {
	LC_ALL=C grep -aoE 'GLIBC_[0-9.]+' "$1" | sort -Vu | tail -n 1
}
for processor in aarch64 x86_64; do
	name=gpushim-$version-linux-$processor
	tar -xzf "$out/$name.tar.gz" -C "$work"
	[ "$(tar -tzf "$out/$name.tar.gz" | sed 's|/.*||' | sort -u)" = "$name" ] ||
		fail "$name.tar.gz has files beside its folder"
	# What a release has, and nothing else.
	(cd "$work/$name" && find . -type f) >"$work/files"
	if grep -vE -e '^\./(bin/gpushim|lib/libgpushim(-audit|-coverage)?\.so)$' \
		-e '^\./lib/pkgconfig/gpushim\.pc$' \
		-e '^\./share/(gpushim|doc/gpushim|man|bash-completion|zsh|fish)/' \
		"$work/files"; then
		fail "$name.tar.gz has these, too"
	fi
	for file in bin/gpushim lib/libgpushim.so; do
		[ "$({ newest "$work/$name/$file" && echo GLIBC_2.17; } | sort -V |
			tail -n 1)" = GLIBC_2.17 ] ||
			fail "$name: $file needs $(newest "$work/$name/$file")"
	done
	if grep -rlF "$source" "$work/$name"; then
		fail "$name has the path of the tree that it was built from"
	fi
done
for check in exports symbol_versions undefined; do
	"$source/tests/lint/$check.sh" "$source" \
		"$work/gpushim-$version-linux-x86_64/lib/libgpushim.so" || fail "lint $check"
done

# The lines of the README, in a folder with the tarball and the reader's program.
if [ "$(uname -m)" = x86_64 ]; then
	mkdir "$work/reader"
	ln -s "$out/gpushim-$version-linux-x86_64.tar.gz" "$build/simulation" "$work/reader/"
	sed -n 's/^    \(tar -xf gpushim-.*\)/\1/p; s/^    \(gpushim-\*.* run -- .*\)/\1/p' \
		"$source/README.md" >"$work/lines"
	[ "$(wc -l <"$work/lines")" -eq 2 ] || fail "the README's lines for a tarball"
	(cd "$work/reader" && sh -e "$work/lines") >"$work/out" 2>"$work/err" ||
		fail "the README's lines: $(cat "$work/err")"
	grep -q calls "$work/err" || fail "the README's lines: no summary"
fi

# The tool of the tarball, from another place, and after a move.
tree=$work/moved
mv "$work/gpushim-$version-linux-x86_64" "$tree"
[ "$("$tree/bin/gpushim" --version)" = "$("$build/gpushim" --version)" ] || fail "gpushim --version"
"$tree/bin/gpushim" run -- "$build/simulation" --size 64 >"$work/out" 2>"$work/err" ||
	fail "a program does not run with the tarball's tool"
grep -q calls "$work/err" || fail "no summary: $(cat "$work/err")"
"$build/simulation" --size 64 2>/dev/null | cmp - "$work/out" || fail "the output differs"

[ "$failed" -ne 0 ] || echo "ok   $(wc -l <"$out/SHA256SUMS") files, twice the same"
exit "$failed"
