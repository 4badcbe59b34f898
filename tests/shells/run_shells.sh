#!/bin/sh
# run_shells.sh - what a shell offers behind "gpushim ..." is what shells.table says
# SPDX-License-Identifier: Apache-2.0
# usage: run_shells.sh bash|zsh|fish SOURCE BUILD
set -eu
shell=$1 source=$(cd "$2" && pwd) build=$(cd "$3" && pwd)
here=$source/tests/shells
command -v "$shell" >/dev/null || {
	echo "skipped: $shell is not installed"
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$work/home" "$work/bin" "$work/tmp" "$work/folder/deep" "$work/functions"
touch "$work/folder/data.log" "$work/folder/data.conf"
printf '#!/bin/sh\n' >"$work/bin/shelltwin"
chmod +x "$work/bin/shelltwin"
cp "$source/cli/complete/gpushim.zsh" "$work/functions/_gpushim"

grep ' =>' "$here/shells.table" | grep -v '^#' >"$work/table"
sed 's/ =>.*//' "$work/table" >"$work/lines"
cd "$work/folder"
launch() {
	env -i PATH="$build:$work/bin:/usr/bin:/bin" HOME="$work/home" TMPDIR="$work/tmp" \
		LC_ALL=C.UTF-8 TERM=dumb XDG_DATA_HOME="$work/home" timeout 100 "$@" \
		<"$work/lines" 2>"$work/errors"
}
case $shell in
bash) launch bash --norc "$here/shells_bash.sh" "$source/cli/complete/gpushim.bash" ;;
zsh) launch zsh -f "$here/shells_zsh.zsh" "$work/functions" ;;
fish) launch fish --no-config "$here/shells_fish.fish" "$source/cli/complete/gpushim.fish" ;;
esac >"$work/offered" || echo "$shell ended with status $?"

# The candidates in alphabetical order, folders without their slash, descriptions not compared.
order() {
	awk -F ' =>' '{
		count = split($2, words, " ")
		for (i = 1; i <= count; i++) {
			sub("/$", "", words[i])
			for (j = i; j > 1 && words[j] < words[j - 1]; j--) {
				word = words[j]; words[j] = words[j - 1]; words[j - 1] = word
			}
		}
		printf "%s =>", $1
		for (i = 1; i <= count; i++)
			if (words[i] != words[i - 1])
				printf " %s", words[i]
		print ""
	}' "$1"
}
order "$work/table" >"$work/expected"
order "$work/offered" >"$work/found"
diff -u "$work/expected" "$work/found" || {
	cat "$work/errors"
	echo "FAIL $shell offers something else"
	exit 1
}
echo "ok   $(wc -l <"$work/lines") lines in $shell"
