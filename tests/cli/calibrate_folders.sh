# calibrate_folders.sh - no folder is made for --output; the cache's only when a profile is stored
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
"$GPUSHIM" calibrate --quick --output none/machine.conf
echo "status $?"
ls
# A home in which no folder can be made is refused before anything is measured.
: >file
env -u XDG_CACHE_HOME HOME="$PWD/file" "$GPUSHIM" calibrate
echo "status $?"
mkdir closed
chmod 555 closed
# For root every folder is writable.
[ "$(id -u)" -eq 0 ] || env -u XDG_CACHE_HOME HOME="$PWD/closed" "$GPUSHIM" calibrate |
	grep -v '^gpushim: cannot write to the folder WORK/closed: Permission denied'
ls -A closed
# started SIGNAL: a run that is ended while it measures leaves no file, no folder and no process.
started() {
	mkdir home
	mkfifo messages
	HOME=$PWD/home XDG_CACHE_HOME=$PWD/home/.cache "$GPUSHIM" calibrate >report 2>messages &
	tool=$!
	exec 3<messages
	while read -r line <&3; do
		case $line in *"measuring the CPU"*) break ;; esac
	done
	child=
	while [ -z "$child" ]; do
		read -r child _ <"/proc/$tool/task/$tool/children" || true
	done
	kill -s "$1" "$tool"
	{ wait "$tool"; } 2>/dev/null || echo "status $?"
	# The pipe's end is read when the last process that writes to it has ended.
	cat <&3 >rest
	exec 3<&-
	for _ in $(seq 100); do
		grep -qs '^State:.[^ZX]' "/proc/$child/status" || break
		sleep 0.1
	done
	grep -qs '^State:.[^ZX]' "/proc/$child/status" && echo "a process is left"
	find home -mindepth 1
	rm -r home messages
}
started TERM
started KILL
