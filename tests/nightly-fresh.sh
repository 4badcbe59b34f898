#!/bin/sh
# nightly-fresh.sh - runs demo.sh and check.sh, each in a fresh minimal Debian that has nothing else
# SPDX-License-Identifier: Apache-2.0
set -eu

usage="usage: nightly-fresh.sh [OPTION]... [SUITE]...
Makes minimal systems with debootstrap, copies this working tree in, and runs ./demo.sh and ./check.sh there, each in a
system of its own. Suites are Debian's names (bookworm trixie). Needs root. The archive is the one that apt uses here.

  --keep FOLDER    keep the systems in FOLDER, and start from the minimal ones that are already there
  --run COMMAND    run this in the working tree instead; may be given several times
  --carry FILE     copy the file in, beside the working tree; may be given several times
  --sudo           run as a user who may use sudo, instead of as root
  --help           this text"

here=$(cd "$(dirname "$0")/.." && pwd)
keep=
commands=
carried=
user=root

say() {
	echo "fresh: $*"
}

skip() {
	say "skipped: $*"
	exit 77
}

parse() {
	while [ $# -gt 0 ]; do
		case $1 in
		--help)
			echo "$usage"
			exit 0
			;;
		--sudo) user=tester ;;
		--keep | --run | --carry)
			[ $# -ge 2 ] || { say "$1 needs a value; see --help" >&2; exit 2; }
			case $1 in
			--keep) keep=$2 ;;
			--carry) carried="$carried$2
" ;;
			--run) commands="$commands$2
" ;;
			esac
			shift
			;;
		-*) say "there is no option '$1'; see --help" >&2; exit 2 ;;
		*) suites="$suites $1" ;;
		esac
		shift
	done
}

# The host's apt knows the address of Debian's archive, whatever the form of its sources. archive
# FILTER prints the address.
# shellcheck disable=SC2016 # the fields are apt's
archive() {
	apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' \
		'Origin: Debian' |
		awk -v security="$1" \
			'($2 ~ /-security$/) == security && $2 !~ /-(updates|backports)$/ { print $1; exit }'
}

write_sources() {
	root=$1
	suite=$2
	{
		echo "deb $(archive 0) $suite main"
		echo "deb $(archive 0) $suite-updates main"
		if [ -n "$(archive 1)" ]; then
			echo "deb $(archive 1) $suite-security main"
		fi
	} >"$root/etc/apt/sources.list"
	apt-config dump --format '%f "%v";%n' Acquire |
		grep -E '^Acquire::(http|https|Check-)[^"]*[a-zA-Z:-] "' \
		>"$root/etc/apt/apt.conf.d/90host" || :
}

# What makes the archives reachable from here must also be set inside: names, certificates, pip's
# settings.
copy_network() {
	root=$1
	for file in /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do
		if [ -e "$file" ]; then
			mkdir -p "$root$(dirname "$file")"
			rm -f "$root$file"
			cp -L "$file" "$root$file"
		fi
	done
	if [ -d /usr/local/share/ca-certificates ]; then
		mkdir -p "$root/usr/local/share"
		cp -RL /usr/local/share/ca-certificates "$root/usr/local/share/"
	fi
}

make_base() {
	root=$1
	suite=$2
	if [ -e "$root/etc/apt/apt.conf.d/90host" ]; then
		say "$suite: using the minimal system that is there"
		return 0
	fi
	say "$suite: making a minimal system"
	rm -rf --one-file-system "$root"
	if ! debootstrap --variant=minbase "$suite" "$root" "$(archive 0)" >"$work/log" 2>&1; then
		tail -n 5 "$work/log"
		say "$suite: debootstrap failed"
		return 1
	fi
	write_sources "$root" "$suite"
	copy_network "$root"
}

# The files that git would take. A tree without git is taken whole, except for build outputs.
copy_tree() {
	target=$1
	mkdir -p "$target"
	if git -C "$here" rev-parse >/dev/null 2>&1; then
		(cd "$here" && git ls-files -co --exclude-standard | while IFS= read -r file; do
			if [ -e "$file" ]; then
				echo "$file"
			fi
		done | tar -cf - -T -) | tar -xf - --no-same-owner -C "$target"
	else
		tar -cf - -C "$here" --exclude=./build --exclude=./.git . |
			tar -xf - --no-same-owner -C "$target"
	fi
}

prepare_user() {
	root=$1
	[ "$user" = root ] && return
	chroot "$root" sh \
		-c \
		'apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends sudo' \
		>"$work/log" 2>&1
	chroot "$root" useradd --no-create-home --shell /bin/sh "$user"
	echo "$user ALL=(ALL) NOPASSWD: ALL" >"$root/etc/sudoers.d/$user"
	chroot "$root" chown -R "$user:" "$home"
}

# Settings of pip and of certificates are in the environment as well.
environment() {
	env |
		grep \
			-E \
			'^(PIP_[A-Z_]*|SSL_CERT_FILE|REQUESTS_CA_BUNDLE|(http|https|no)_proxy|(HTTP|HTTPS|NO)_PROXY)=' |
		grep -v '^PIP_FIND_LINKS=' || :
}

# Runs in a mount and process namespace of its own: however it ends, all its mounts and processes in
# the system end with it.
# shellcheck disable=SC2016 # the text is for the shell inside
inside='
	set -eu
	root=$1
	shift
	mount -t proc proc "$root/proc"
	mount -t sysfs -o ro sysfs "$root/sys" 2>/dev/null || mount --rbind -o ro /sys "$root/sys"
	mount -t tmpfs -o mode=755 dev "$root/dev"
	for node in null zero full random urandom tty; do
		: >"$root/dev/$node"
		mount --bind "/dev/$node" "$root/dev/$node"
	done
	ln -s /proc/self/fd "$root/dev/fd"
	ln -s /proc/self/fd/0 "$root/dev/stdin"
	ln -s /proc/self/fd/1 "$root/dev/stdout"
	ln -s /proc/self/fd/2 "$root/dev/stderr"
	mkdir "$root/dev/shm" "$root/dev/pts"
	mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
	mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
	ln -s pts/ptmx "$root/dev/ptmx"
	exec chroot "$root" "$@"'

# enter ROOT COMMAND: runs it in the working tree inside, with a plain environment.
enter() {
	root=$1
	set -- "$2"
	while IFS= read -r setting; do
		set -- "$@" "$setting"
	done <"$work/environment"
	command=$1
	shift
	become=
	[ "$user" = root ] || become="setpriv --reuid $user --regid $user --init-groups"
	# shellcheck disable=SC2086 # become is several words
	unshare --mount --pid --fork --kill-child --propagation private sh -c "$inside" sh "$root" \
		$become env -i HOME="/$home" USER="$user" LANG=C.UTF-8 \
			PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		"$@" sh -c "cd \"\$HOME/gpushim\" && $command" </dev/null &
	child=$!
	status=0
	wait "$child" || status=$?
	child=
	return "$status"
}

# try SUITE COMMAND: in a copy of the suite's minimal system.
try() {
	suite=$1
	command=$2
	root=$work/$suite
	say "$suite: $command, as $user"
	rm -rf --one-file-system "$root"
	cp -a --reflink=auto "$base/$suite" "$root"
	copy_tree "$root/$home/gpushim"
	printf '%s' "$carried" | while IFS= read -r file; do
		cp "$file" "$root/$home/"
	done
	prepare_user "$root"
	begin=$(date +%s)
	status=0
	enter "$root" "$command" || status=$?
	say "$suite: $command ended with status $status after $(($(date +%s) - begin)) s"
	[ "$status" -eq 0 ] || failed="$failed $suite:'$command'"
}

suites=
parse "$@"
[ -n "$suites" ] || suites=' bookworm trixie'
[ -n "$commands" ] || commands='./demo.sh
./check.sh
'
home=root
[ "$user" = root ] || home=home/$user

[ "$(id -u)" -eq 0 ] || skip "this needs root, for chroot and mounts"
for tool in debootstrap unshare apt-get; do
	command -v "$tool" >/dev/null 2>&1 || skip "$tool is not installed"
done
[ -n "$(archive 0)" ] || skip "apt here knows no archive of Debian; run apt-get update"

child=
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
# The first process of a namespace ignores signals that it has no handler for.
trap '[ -z "$child" ] || kill -KILL "$child"; exit 1' HUP INT TERM
base=${keep:-$work/base}
mkdir -p "$base"
environment >"$work/environment"
failed=
for suite in $suites; do
	make_base "$base/$suite" "$suite" || { failed="$failed $suite"; continue; }
	printf '%s' "$commands" >"$work/commands"
	while IFS= read -r line <&3; do
		try "$suite" "$line"
	done 3<"$work/commands"
	rm -rf --one-file-system "${work:?}/$suite"
done
if [ -n "$failed" ]; then
	say "failed:$failed"
	exit 1
fi
say "passed: $(echo "$commands" | paste -s -d ' ') in$suites"
