# shellcheck shell=sh disable=SC2034,SC2154 # variables of run.sh
# campaign_steps.sh - steps of run.sh: each with its limit and its file; the archive of the results
# SPDX-License-Identifier: Apache-2.0
#
# Set by run.sh: here, part, results, archive (may be empty), permille.

# Bytes of a step's output that are kept, of a file in the archive, of the archive; blocks of 512
# bytes of any file that a step writes.
output_bytes=1048576 archive_bytes=16777216 file_blocks=2097152
begin='' until=0 number=0 failed=0 work='' name='' child='' reader='' ticker='' ended=''

# say WORDS...: on the terminal and in the summary.
say() {
	echo "$*"
	echo "$*" >>"$folder/summary.txt"
}

# scaled SECONDS: the same by the scale of this run, at least 1.
scaled() {
	seconds=$((($1 * permille + 999) / 1000))
	[ "$seconds" -gt 1 ] || seconds=1
	echo "$seconds"
}

now() {
	date +%s
}

# Replaces the folder of this part, and makes one for temporary files.
campaign_begin() {
	umask 022
	command -v timeout >/dev/null || {
		echo "run: needs the program timeout of coreutils" >&2
		exit 77
	}
	if ! mkdir -p "$results" || ! results=$(cd "$results" && pwd); then
		exit 1
	fi
	archive=${archive:-$results}
	if ! mkdir -p "$archive" || ! archive=$(cd "$archive" && pwd); then
		exit 1
	fi
	folder=$results/$part
	if [ -e "$folder" ] && [ ! -e "$folder/summary.txt" ]; then
		echo "run: $folder is there, and is not a result of run.sh" >&2
		exit 1
	fi
	rm -rf "$folder"
	mkdir "$folder" || exit 1
	begin=$(now)
	echo "gpushim bundle, part $part, $(date -u +%Y-%m-%dT%H:%M:%SZ), limits times" \
		"$((permille / 1000)).$(printf %03d $((permille % 1000)))" >"$folder/summary.txt"
	# The loader cuts paths of preloaded libraries at blanks and colons.
	case ${TMPDIR:-/tmp} in
	*[[:space:]:]*) TMPDIR=/tmp ;;
	esac
	work=$(mktemp -d "${TMPDIR:-/tmp}/gpushim-run.XXXXXX") || exit 1
	TMPDIR=$work
	export TMPDIR
	trap 'campaign_stop 143 "ended by SIGTERM"' TERM
	trap 'campaign_stop 130 "ended by SIGINT"' INT
	trap 'campaign_stop 129 "ended by SIGHUP"' HUP
	trap 'campaign_archive main' EXIT
	campaign_archive main
}

# part_lasts SECONDS: no step of this part goes on after that.
part_lasts() {
	until=$((begin + $(scaled "$1")))
}

# campaign_pack OUTPUT MOST_KIB: packs the files of at most that size.
campaign_pack() {
	(cd "$results" && find "$part" machine.conf -type f -size -"$2"k -print0 2>/dev/null |
		tar --null -T - -czf "$1") 2>/dev/null
}

# campaign_archive WHO: renews the archive. The largest files are left out where it grows too large.
campaign_archive() {
	for most_kib in 4097 1025 257 65; do
		packed=$archive/.results-$part.$1.part
		campaign_pack "$packed" "$most_kib" || break
		if [ "$(wc -c <"$packed")" -le "$archive_bytes" ]; then
			mv "$packed" "$archive/results-$part.tar.gz"
			return
		fi
	done
	rm -f "$packed"
	echo "run: the archive cannot be written; the results are in $folder" >&2
}

# While a long step runs, the archive is renewed every 10 seconds. Short naps, so that none outlasts
# this process, which ends with run.sh.
campaign_tick() {
	trap - EXIT HUP INT TERM
	naps=0
	while sleep 1 && kill -0 "$$" 2>/dev/null; do
		naps=$(((naps + 1) % 10))
		[ "$naps" -ne 0 ] || campaign_archive ticker
	done
}

# campaign_quiet PID: ends a process of ours. A shell that has just begun may lose other signals.
campaign_quiet() {
	[ -n "$1" ] || return 0
	kill -s KILL "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

# Ends what is left of the running step: its process group is that of timeout. A process that has
# not made its group yet is ended alone.
campaign_kill_step() {
	if [ -n "$child" ] && ! kill -s KILL -- "-$child" 2>/dev/null; then
		kill -s KILL "$child" 2>/dev/null
	fi
	campaign_quiet "$ticker"
	child='' ticker=''
}

# campaign_stop STATUS WHY: a signal to run.sh: the step ends, and what there is stays.
campaign_stop() {
	trap '' HUP INT TERM
	campaign_kill_step
	campaign_wait_reader
	say "run: $2 after $(($(now) - begin)) s, in the middle of: ${name:-the beginning}"
	campaign_end "$1"
}

# campaign_end STATUS: the last lines; 0: the status tells whether a step failed.
campaign_end() {
	[ -z "$ended" ] || exit "$1"
	ended=1
	campaign_conclude
	status=$1
	if [ "$failed" -gt 0 ] && [ "$status" -eq 0 ]; then
		status=1
	fi
	say "run: part $part, $number steps, $failed failed, $(($(now) - begin)) s"
	rm -rf "$work" "$archive/.results-$part."*
	echo "run: results in $folder and $archive/results-$part.tar.gz"
	exit "$status"
}

# The reader ends when no process has the pipe open; one outside the group is not waited for.
campaign_wait_reader() {
	tries=0
	while [ -n "$reader" ] && kill -0 "$reader" 2>/dev/null && [ "$tries" -lt 20 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	campaign_quiet "$reader"
	reader=''
}

# campaign_run LIMIT FILE COMMAND...: sets $status. The output goes through a pipe that ends at
# output_bytes: no step fills the disk.
campaign_run() {
	limit=$1 output=$2
	shift 2
	rm -f "$work/pipe"
	mkfifo "$work/pipe"
	(
		trap '' HUP INT TERM
		exec head -c "$output_bytes" <"$work/pipe" >>"$output"
	) &
	reader=$!
	(
		trap - EXIT
		ulimit -f "$file_blocks"
		exec timeout -k 2 "$limit" "$@" >"$work/pipe" 2>&1 </dev/null
	) &
	child=$!
	ticker=''
	if [ "$limit" -gt 10 ]; then
		campaign_tick >/dev/null 2>&1 &
		ticker=$!
	fi
	wait "$child"
	status=$?
	campaign_kill_step
	campaign_wait_reader
}

# Other statuses than 0 that are answers of the next step, and no failures.
answer=

# How a step ended, from $status, $limit and its file.
campaign_tell_ending() {
	if [ "$(wc -c <"$output")" -ge "$output_bytes" ]; then
		echo "FAILED: wrote more than $((output_bytes >> 10)) KiB"
		return
	fi
	case $status in
	0) echo passed ;;
	77) echo "skipped: $(tail -n 1 "$output" | cut -c 1-120)" ;;
	124 | 137) echo "STOPPED after $limit s" ;;
	*)
		case " $answer " in
		*" $status "*) echo "answered with status $status" ;;
		*) echo "FAILED with status $status" ;;
		esac
		;;
	esac
}

# step NAME LIMIT COMMAND...: the output goes to NN-NAME.txt. Sets $output. Returns the command's
# status; 77 where it was skipped or the time is up, which is no failure.
step() {
	name=$1 limit=$(scaled "$2")
	shift 2
	left=$((until - $(now)))
	[ "$left" -ge "$limit" ] || limit=$left
	number=$((number + 1))
	output=$folder/$(printf '%02d-%s.txt' "$number" "$name")
	if [ "$limit" -lt 1 ]; then
		say "$name: left out, the time is up"
		return 77
	fi
	started=$(now)
	echo "== $name ($kind): $*" >"$output"
	campaign_run "$limit" "$output" "$@"
	ending=$(campaign_tell_ending)
	case $ending in
	FAILED* | STOPPED*) failed=$((failed + 1)) ;;
	esac
	say "$name: $ending, $(($(now) - started)) s"
	answer=
	campaign_archive main
	return "$status"
}

# step_own NAME LIMIT PROGRAM ARGUMENT...: a program of the bundle, with the bundle's libraries. No
# other program gets these: the machine's Python has its own.
step_own() {
	own_name=$1 own_limit=$2
	shift 2
	step "$own_name" "$own_limit" env \
		"LD_LIBRARY_PATH=$library_path${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$@"
}

# A part may print a last result here.
campaign_conclude() {
	:
}
