#!/bin/sh
# run_recipes.sh - carries out the recipes of CONTRIBUTING.md on a copy of the tree
# SPDX-License-Identifier: Apache-2.0
#
# usage: run_recipes.sh SOURCE BUILD [RECIPE]...
#
# A recipe is NAME.recipe beside this script: a section's heading in CONTRIBUTING.md ($heading), and
# shell functions: `add` edits the copy, which is the current folder; `see` checks the built copy in
# $copy. All recipes are added to one copy, which is built once. Every file that a recipe edits has
# to be named in its section. In the end the edits are taken away, and the copy, generated parts
# included, must be the tree again. BUILD has the simulated CUDA. Everything new is called specimen.
# shellcheck disable=SC1090 # the recipes
set -eu

source=$(cd "$1" && pwd) build=$(cd "$2" && pwd)
shift 2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
# shellcheck disable=SC2034 # recipes use it
copy=$work/tree/build
failed=0

# Set by a recipe.
heading=

fail() {
	printf 'FAIL %s: %s\n' "$recipe" "$*"
	failed=$((failed + 1))
}

# edited FILE: notes that the recipe edits or makes this file.
edited() {
	printf '%s\n' "$1" >>"$work/$recipe.edited"
}

# insert_before FILE PATTERN: stdin goes before the only line that matches the pattern.
insert_before() {
	edited "$1"
	cat >"$work/text"
	if ! PATTERN=$2 awk -v text="$work/text" '
		$0 ~ ENVIRON["PATTERN"] {
			while ((getline line <text) > 0)
				print line
			found++
		}
		{ print }
		END { exit found != 1 }' "$1" >"$work/with"; then
		fail "$1 has no line, or several, that match $2"
	fi
	cat "$work/with" >"$1"
}

# repeat_row FILE PATTERN EXPRESSION: adds the only line that matches again, edited by sed.
repeat_row() {
	edited "$1"
	if [ "$(grep -c -- "$2" "$1")" != 1 ]; then
		fail "$1 has no line, or several, that match $2"
	fi
	sed -e "/$2/{p;$3;}" "$1" >"$work/with"
	cat "$work/with" >"$1"
}

# make_file FILE: a new file from stdin.
make_file() {
	edited "$1"
	mkdir -p "$(dirname "$1")"
	cat >"$1"
}

# expect WHAT PATTERN COMMAND...: the command ends well, and a line of its output matches.
expect() {
	what=$1 pattern=$2
	shift 2
	if ! "$@" >"$work/out" 2>&1; then
		fail "$what: status $?: $(tail -n 2 "$work/out")"
	elif ! grep -q -- "$pattern" "$work/out"; then
		fail "$what: no line matches '$pattern'"
	fi
}

# call_specimen NAME [caller|factor]: a program calls the product, or the factorization, NAME_ of a
# library of its own under the shim of the copy, on the simulated GPU. The records are in
# $work/log.jsonl.
call_specimen() {
	program=${2:-caller}
	if [ ! -x "$work/$program" ]; then
		"${CC:-cc}" -shared -fPIC -o "$work/libspecimen.so" "$here/specimen_library.c"
		"${CC:-cc}" -o "$work/$program" "$here/specimen_$program.c" -Wl,--no-as-needed \
			-L"$work" -lspecimen -Wl,-rpath,"$work" -ldl -lm
	fi
	rm -f "$work/log.jsonl"
	EPOCHLY_GPU_CUDA_PATH=$build/simcuda EPOCHLY_GPU_POLICY=always EPOCHLY_GPU_WARMUP=wait \
		EPOCHLY_GPU_LOG=$work/log.jsonl LD_PRELOAD=$copy/libgpushim.so \
			"$work/$program" "$1_" ||
		fail "the call of $1_ ended with status $?"
}

# Parts of files that are made from the rows.
generate() {
	tests/lint/config.sh --update . >"$work/log" 2>&1 || :
	if command -v python3 >/dev/null; then
		python3 tests/lint/architecture.py --update . >"$work/log" 2>&1 || :
	fi
}

# The files of a tree, without those that git does not keep.
list_tree() {
	(cd "$1" && find . \( -name .git -o -name build -o -name shared -o -name __pycache__ \) \
		-prune \
		-o -type f -print)
}

# What the checks of tests/lint say of the new things. Generated parts have to be up to date.
check_tree() {
	tests/lint/config.sh . >"$work/log" 2>&1 || fail \
		"tests/lint/config.sh: $(tail -n 1 "$work/log")"
	command -v python3 >/dev/null || return 0
	for check in tests/lint/layers.py tests/lint/circles.py tests/lint/heads.py \
		tests/lint/names.py \
		tests/lint/architecture.py; do
		python3 -B -S "$check" . 2>&1 | grep -v '^tests/recipes/' |
			grep specimen >"$work/log" || continue
		fail "$check: $(head -n 1 "$work/log")"
	done
}

# The section of CONTRIBUTING.md under this heading.
find_section() {
	awk -v heading="### $1" '/^##/ { inside = $0 == heading } inside' "$source/CONTRIBUTING.md"
}

check_section() {
	find_section "$heading" >"$work/section"
	[ -s "$work/section" ] || fail "CONTRIBUTING.md has no section '### $heading'"
	sort -u "$work/$recipe.edited" | sed 's/specimen/NAME/g' | while read -r file; do
		grep -qF "\`$file\`" "$work/section" || printf '%s\n' "$file"
	done >"$work/unnamed"
	while read -r file; do
		fail "the section '$heading' of CONTRIBUTING.md does not name $file"
	done <"$work/unnamed"
	printf '%-14s %s files to edit\n' "$recipe" "$(sort -u "$work/$recipe.edited" | wc -l)"
}

build_copy() {
	{
		cmake -S . -B build -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 \
			-DGPUSHIM_WERROR=ON -DGPUSHIM_TESTS=OFF -DGPUSHIM_LEAVE_OUT=examples &&
			cmake --build build --parallel "$(nproc)" --target gpushim gpushim_cli
	} >"$work/log" 2>&1
}

# shellcheck disable=SC2046 # several names
[ $# -gt 0 ] || set -- $(cd "$here" && find . -name '*.recipe' | sed 's|^\./||; s|\.recipe$||' | \
	sort)
mkdir "$work/tree"
list_tree "$source" | tar -C "$source" -cf - -T - | tar -C "$work/tree" -xf -
cd "$work/tree"
for recipe; do
	. "$here/$recipe.recipe"
	add
done
recipe=all
generate
check_tree
if ! build_copy; then
	grep -E 'error|warning' "$work/log" || tail -n 30 "$work/log"
	fail "the copy does not build"
	exit 1
fi
for recipe; do
	. "$here/$recipe.recipe"
	see
	check_section
done

recipe=all
sort -u "$work"/*.edited | while read -r file; do
	if [ -f "$source/$file" ]; then
		cat "$source/$file" >"$file"
	else
		rm "$file"
	fi
done
generate
list_tree "$source" | while read -r file; do
	cmp "$source/$file" "$file" || echo "$file differs"
done >"$work/left" 2>&1
[ ! -s "$work/left" ] || fail "what is left of the recipes: $(head -n 3 "$work/left")"
[ "$failed" -eq 0 ] && echo "recipes: each can be followed and taken back"
