# shellcheck shell=sh
# install.sh - installs the packages of the lists beside it; sourced by demo.sh and check.sh
# SPDX-License-Identifier: Apache-2.0
#
# The caller sets PACKAGES_FOLDER (this folder), PACKAGES_SCRATCH (a folder of its own for logs) and
# PACKAGES_NAME (the start of its messages). No function here ends the caller, asks a question, or
# runs apt if nothing is missing.

packages_say() {
	echo "$PACKAGES_NAME: $*"
}

# packages_lines LIST: the list's lines, without comments.
packages_lines() {
	sed -e 's/#.*//' -e 's/[[:space:]]*$//' -e '/^$/d' "$PACKAGES_FOLDER/$1"
}

packages_has() {
	case $(dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null) in
	*not-installed*) return 1 ;;
	*installed*) return 0 ;;
	*) return 1 ;;
	esac
}

# packages_missing LIST...: prints the lines of which no alternative is installed.
packages_missing() {
	for list in "$@"; do
		packages_lines "$list"
	done | while IFS= read -r line; do
		found=no
		for name in $(echo "$line" | tr '|' ' '); do
			if packages_has "$name"; then
				found=yes
			fi
		done
		if [ "$found" = no ]; then
			echo "$line"
		fi
	done
}

packages_root() {
	if [ "$(id -u)" -eq 0 ]; then
		env "$@"
	else
		sudo -n env "$@"
	fi
}

# packages_apt ARGUMENT...: apt-get without questions; its output goes to a log.
packages_apt() {
	packages_root DEBIAN_FRONTEND=noninteractive APT_LISTCHANGES_FRONTEND=none \
		NEEDRESTART_SUSPEND=1 \
		apt-get -q -y -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
			-o Dpkg::Options::=--force-confdef \
		-o Dpkg::Options::=--force-confold "$@" </dev/null >>"$PACKAGES_SCRATCH/apt.log" \
			2>&1
}

# packages_complaint: the last error in the log.
packages_complaint() {
	grep '^E: ' "$PACKAGES_SCRATCH/apt.log" | tail -n 1
}

packages_offered() {
	apt-cache policy "$1" 2>/dev/null | grep '^  Candidate:' | grep -qv '(none)'
}

# packages_choose: for each line on stdin prints the first alternative that the archive offers;
# lines without one go to stderr.
packages_choose() {
	while IFS= read -r line; do
		chosen=
		for name in $(echo "$line" | tr '|' ' '); do
			if [ -z "$chosen" ] && packages_offered "$name"; then
				chosen=$name
			fi
		done
		if [ -n "$chosen" ]; then
			echo "$chosen"
		else
			packages_say "this system offers no package $line; going on without it" >&2
		fi
	done
}

# A package that cannot be installed must not prevent the installation of others.
packages_one_by_one() {
	for name in "$@"; do
		if ! packages_apt install --no-install-recommends "$name"; then
			packages_say \
				"package $name cannot be installed: $(packages_complaint)"
		fi
	done
}

# packages_nothing_offered: true, with a message, if a build can start but apt's present lists offer
# none of the missing packages.
packages_nothing_offered() {
	for list in /var/lib/apt/lists/*_Packages*; do
		if [ -e "$list" ] && packages_need_build >/dev/null; then
			packages_choose <"$PACKAGES_SCRATCH/missing" >"$PACKAGES_SCRATCH/chosen" \
				2>"$PACKAGES_SCRATCH/refused"
			[ -s "$PACKAGES_SCRATCH/chosen" ] ||
				{ cat "$PACKAGES_SCRATCH/refused"; return 0; }
		fi
		return 1
	done
}

# packages_install LIST...: installs what is missing, as far as that is possible.
packages_install() {
	if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
		packages_say "no apt here; using what is installed"
		return 0
	fi
	packages_missing "$@" >"$PACKAGES_SCRATCH/missing"
	if [ ! -s "$PACKAGES_SCRATCH/missing" ]; then
		packages_say "all packages of $* are installed"
		return 0
	fi
	if [ "$(id -u)" -ne 0 ] && ! sudo -n true 2>/dev/null; then
		packages_say \
			"neither root nor sudo without a password; going on without: $(paste -s -d ' ' "$PACKAGES_SCRATCH/missing")"
		return 0
	fi
	if packages_nothing_offered; then
		return 0
	fi
	packages_say "asking apt for what is missing"
	if ! packages_apt update; then
		packages_say \
			"the package lists could not be fetched: $(packages_complaint)"
	fi
	packages_choose <"$PACKAGES_SCRATCH/missing" >"$PACKAGES_SCRATCH/chosen"
	# shellcheck disable=SC2046 # one word per package
	set -- $(cat "$PACKAGES_SCRATCH/chosen")
	if [ $# -eq 0 ]; then
		return 0
	fi
	packages_say "installing $*"
	if packages_apt install --no-install-recommends "$@"; then
		return 0
	fi
	if grep -q '^E: Unable to fetch' "$PACKAGES_SCRATCH/apt.log"; then
		packages_say \
			"the package archive cannot be reached; going on with what is installed"
	else
		packages_one_by_one "$@"
	fi
}

# packages_need_build: true if a build can start; else one sentence says what is missing.
packages_need_build() {
	for tool in cmake cc make pkg-config; do
		if ! command -v "$tool" >/dev/null 2>&1; then
			packages_say \
				"$tool is missing and could not be installed; see tests/packages/build"
			return 1
		fi
	done
	for module in openblas fftw3; do
		if ! pkg-config --exists "$module"; then
			packages_say \
				"the development files of $module are missing and could not be installed; see tests/packages/build"
			return 1
		fi
	done
}
