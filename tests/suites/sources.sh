# shellcheck shell=sh
# sources.sh - fetches a source package into the build folder; sourced after suites.sh
# SPDX-License-Identifier: Apache-2.0
#
# apt runs with its own list of sources, index and cache, so that it needs neither root nor a change
# of the system. The archives are those that the system has its packages from; apt checks their
# signatures as usual.

# The source form of each archive of the distribution that apt knows here.
# shellcheck disable=SC2016 # the fields are apt's
sources_list_archives() {
	apt-get indextargets --format '$(ORIGIN) deb-src $(REPO_URI) $(CODENAME) $(COMPONENT)' \
		'Created-By: Packages' |
		sed -n -E 's/^(Debian|Ubuntu) //p' | sort -u
}

sources_apt() {
	apt-get -q -o "Dir::Etc::sourcelist=$fetched/sources.list" \
		-o Dir::Etc::sourceparts=/dev/null \
		-o "Dir::State::lists=$fetched/lists" -o "Dir::Cache=$fetched/cache" \
			-o Acquire::Languages=none \
		-o APT::Sandbox::User="$(id -un)" -o Acquire::http::Timeout=20 \
			-o Acquire::Retries=1 "$@" \
		>>"$work/apt.log" 2>&1
}

sources_skip() {
	suites_skip "$1: $(grep '^E: ' "$work/apt.log" | head -n 1)"
}

# The folders are below one of the test's own: a partial fetch is never taken for a complete source.
sources_fetch() {
	package=$1
	suites_needs_command apt-get
	suites_needs_command dpkg-source
	fetched=$work/fetched
	mkdir -p "$fetched/lists/partial" "$fetched/cache/archives/partial"
	sources_list_archives >"$fetched/sources.list"
	[ -s "$fetched/sources.list" ] ||
		suites_skip "apt knows no archive here; apt-get update has to run first"
	sources_apt -o APT::Update::Error-Mode=any update ||
		sources_skip "the indexes of sources cannot be fetched"
	(cd "$fetched" && sources_apt --download-only source "$package") ||
		sources_skip "$package cannot be fetched"
	(cd "$fetched" && dpkg-source --no-copy -x ./*.dsc unpacked) >>"$work/apt.log" 2>&1 ||
		sources_skip "$package cannot be unpacked"
}

# sources_need PACKAGE: $source is its folder, patched as the distribution patches it. Kept in the
# build folder.
sources_need() {
	source=$build/tests/suites/$1
	if [ -d "$source" ]; then
		return
	fi
	sources_fetch "$1"
	# Another test may have fetched it meanwhile; the rename makes a folder appear whole or not
	# at all.
	mv -T "$fetched/unpacked" "$source.$$"
	mv -T "$source.$$" "$source" 2>/dev/null || rm -rf "$source.$$"
	[ -d "$source" ] || { suites_say "$source is not there"; exit 1; }
}
