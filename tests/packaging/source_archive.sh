# shellcheck shell=sh
# source_archive.sh - the working tree as the tarball that recipes build from; to be sourced
# SPDX-License-Identifier: Apache-2.0

# source_archive SOURCE NAME FILE: FILE has the files that git would take, below the folder NAME;
# where there is no git, all but build outputs.
source_archive() (
	cd "$1" || exit
	if git rev-parse >/dev/null 2>&1; then
		git ls-files -co --exclude-standard
	else
		find . -path ./build -prune -o -type f -printf '%P\n'
	fi | while IFS= read -r file; do
		[ ! -e "$file" ] || echo "$file"
	done | tar -czf "$3" --transform "s|^|$2/|S" -T -
)
