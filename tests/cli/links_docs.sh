# links_docs.sh - the targets of links in the documentation exist; docs/README.md has each page
# SPDX-License-Identifier: Apache-2.0
cd "$(dirname "$0")/../.." || exit
# The anchor of a heading: small letters, hyphens for blanks, no other characters.
anchors() {
	sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-'
}
grep -oE '\]\([^)]+\)' README.md CONTRIBUTING.md CHANGELOG.md docs/*.md |
	sed -E 's/^([^:]*):\]\((.*)\)$/\1 \2/' | grep -v ' https\?:' |
	while read -r page link; do
		file=$page
		[ "${link%%#*}" = "" ] || file=$(dirname "$page")/${link%%#*}
		if [ ! -e "$file" ]; then
			echo "$page: $link is not there"
		elif [ "${link#*#}" != "$link" ] && ! anchors "$file" | grep -qxF "${link#*#}"; then
			echo "$page: $link is no heading there"
		fi
		echo "$page" >>"$WORK/followed"
	done
for page in docs/*.md; do
	[ "$page" = docs/README.md ] || grep -qF "](${page#docs/})" docs/README.md ||
		echo "docs/README.md has no row for $page"
done
sort -u "$WORK/followed"
