#!/bin/sh
# readme_install.sh - an installation works from any place, and uninstalling leaves nothing of it
# SPDX-License-Identifier: Apache-2.0
# usage: readme_install.sh SOURCE BUILD
set -eu

source=$(cd "$1" && pwd) build=$(cd "$2" && pwd)
# shellcheck source=tests/driver/steps.sh
. "$source/tests/driver/steps.sh"

# The files below a folder.
files() {
	(cd "$1" && find . ! -type d | LC_ALL=C sort)
}

# install PREFIX; uninstall PREFIX
install() {
	cmake --install "$build" --prefix "$1" >"$work/log" 2>&1 ||
		{ cat "$work/log"; fail "cmake --install to $1"; }
}
uninstall() {
	cmake -P "$1/share/gpushim/uninstall.cmake" >"$work/log" 2>&1 ||
		{ cat "$work/log"; fail "uninstalling from $1"; }
}

# A prefix of odd characters, with files of others in its folders; installed twice, then moved.
prefix="$work/a [prefix]*"
mkdir -p "$prefix/bin" "$prefix/share/gpushim/machines" "$prefix/lib"
echo others >"$prefix/bin/other"
echo mine >"$prefix/share/gpushim/machines/mine.conf"
files "$prefix" >"$work/before"
install "$prefix"
install "$prefix"
mv "$prefix" "$work/moved[on]"
prefix="$work/moved[on]"
"$prefix/bin/gpushim" run -- "$build/simulation" --size 64 >"$work/out" 2>"$work/err" ||
	fail "a program does not run with the installed shim"
grep -q 'calls' "$work/err" || fail "the installed tool prints no summary"
"$build/simulation" --size 64 >"$work/plain" 2>/dev/null
cmp "$work/out" "$work/plain" || fail "the output differs"
# What the README links to is there.
grep -oE '\]\([^)#:]+[)#]' "$source/README.md" | sed -E 's/^\]\((.*)[)#]$/\1/' | sort -u |
	while read -r link; do
		[ -e "$prefix/share/doc/gpushim/$link" ] || echo "$link"
	done >"$work/links"
[ ! -s "$work/links" ] || fail "the README links to these, which are not installed:" \
	"$(paste -s -d ' ' "$work/links")"
uninstall "$prefix"
files "$prefix" >"$work/after"
diff "$work/before" "$work/after" || fail "uninstalling did not leave what was there before"

# DESTDIR, as packagers use it; a folder of the shim's own vanishes as a whole.
DESTDIR=$work/stage install /opt/gpushim
uninstall "$work/stage/opt/gpushim"
[ -z "$(files "$work/stage")" ] || fail "these are left: $(files "$work/stage")"
[ ! -e "$work/stage/opt/gpushim" ] || fail "the folder gpushim is left"

# The target uninstall, which needs something to remove.
DESTDIR=$work/stage cmake --install "$build" >"$work/log" 2>&1 || fail "cmake --install"
[ -n "$(files "$work/stage")" ] || fail "nothing was installed"
target_uninstall() {
	DESTDIR=$work/stage cmake --build "$build" --target uninstall >"$work/log" 2>&1
}
target_uninstall || { cat "$work/log"; fail "the target uninstall"; }
[ -z "$(files "$work/stage")" ] || fail "the target uninstall leaves: $(files "$work/stage")"
if target_uninstall; then
	fail "the target uninstall is content though nothing is installed"
fi

# Without the list nothing is removed.
install "$work/third"
rm "$work/third/share/gpushim/installed.txt"
if cmake -P "$work/third/share/gpushim/uninstall.cmake" >"$work/log" 2>&1; then
	fail "uninstalling without a list is no error"
fi
[ -e "$work/third/bin/gpushim" ] || fail "something was removed without a list"

[ "$failed" -eq 0 ] && echo "ok   installed, used, moved, removed"
exit "$failed"
