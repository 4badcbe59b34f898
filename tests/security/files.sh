#!/bin/sh
# files.sh - files of other users and things that are no files, wherever the shim opens one
# SPDX-License-Identifier: Apache-2.0
# usage: files.sh BUILD PROGRAM    PROGRAM ends with status 42
set -eu

build=$(cd "$1" && pwd)
program=$(realpath "$2")
messages=$(dirname "$0")/../driver/whole_messages.sed
folder=$(mktemp -d)
holder=
trap '[ -z "$holder" ] || kill "$holder"; rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
chmod 755 "$folder"
failed=0
root=no
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
    root=yes
else
    echo "left out: files of other users, since this user cannot make them"
fi

# launch VARIABLE...: in a folder of its own, within 20 s; stderr is in $folder/text.
launch() {
    result=0
    (
        cd "$folder/run"
        exec env -i PATH="$PATH" HOME="$folder/home" OPENBLAS_NUM_THREADS=1 \
        	EPOCHLY_GPU_POLICY=never "$@"
    ) >"$folder/out" 2>"$folder/text" </dev/null || result=$?
}

# expect WHAT SENTENCE: the program was right, and stderr is one message with the sentence ("": is
# empty).
expect() {
    lines=1
    [ -n "$2" ] || lines=0
    sed -f "$messages" "$folder/text" >"$folder/whole"
    if [ "$result" -ne 42 ] || ! grep -q '^0 wrong' "$folder/out" ||
    	[ "$(wc -l <"$folder/whole")" -ne "$lines" ] ||
        ! { [ -z "$2" ] || grep -qE "$2" "$folder/whole"; }; then
        echo "FAIL $1: status $result, expected '$2'"
        head -c 2000 "$folder/text"
        failed=1
    else
        echo "ok   $1"
    fi
}

# run WHAT SENTENCE VARIABLE...
run() {
    what=$1
    sentence=$2
    shift 2
    launch "$@" LD_PRELOAD="$build/libgpushim.so" timeout 20 "$program"
    expect "$what" "$sentence"
}

# The same as another user.
run_other() {
    what=$1
    sentence=$2
    shift 2
    launch setpriv --reuid=65534 --regid=65534 --clear-groups env "$@" \
    	LD_PRELOAD="$build/libgpushim.so" timeout 20 "$program"
    expect "$what" "$sentence"
}

# fresh: an empty folder for the run, where anybody may write.
fresh() {
    rm -rf "$folder/run" "$folder/home"
    mkdir -p "$folder/run" "$folder/home/.config/gpushim"
    chmod 1777 "$folder/run"
}

# A config file that is obeyed makes the file summary.
config() {
    fresh
    printf 'summary = %s\n' "$folder/run/summary" >"$folder/run/conf"
}
obeyed() {
    [ -e "$folder/run/summary" ] || { echo "FAIL $what: not obeyed"; failed=1; }
}
ignored() {
    [ ! -e "$folder/run/summary" ] || { echo "FAIL $what: obeyed"; failed=1; }
}
conf=$folder/run/conf

# -- config files of other users --
config
run "own config" "" EPOCHLY_GPU_CONFIG="$conf"
obeyed
chmod 666 "$conf" && rm "$folder/run/summary"
run "config for all to write" \
    "conf: other users can write to the file \(chmod go-w\); it is left out" \
    EPOCHLY_GPU_CONFIG="$conf"
ignored
if [ "$root" = yes ]; then
    config
    chmod 664 "$conf"
    run "config of a private group" "" EPOCHLY_GPU_CONFIG="$conf"
    obeyed
    config
    chmod 664 "$conf" && chgrp 65534 "$conf"
    run "config of another group" "conf: other users can write" EPOCHLY_GPU_CONFIG="$conf"
    ignored
    config
    chown 65534 "$conf"
    run "config of another user" "conf: the file belongs to another user; it is left out" \
        EPOCHLY_GPU_CONFIG="$conf"
    ignored
    config
    mv "$conf" "$folder/home/.config/gpushim/gpushim.conf"
    chown -R 65534 "$folder/home"
    run "home of another user" "gpushim.conf: the file belongs to another user" A=1
    ignored
    run_other "own home" "" A=1
    obeyed
    config
    run_other "config of root" "" EPOCHLY_GPU_CONFIG="$conf"
    obeyed
    config
    chown 1234 "$conf"
    run_other "config of a third user" "belongs to another user" EPOCHLY_GPU_CONFIG="$conf"
    ignored
    config
    chmod 700 "$folder/home"
    run_other "home that cannot be entered" "" A=1
    config
    chmod 600 "$conf"
    run_other "unreadable config" "conf: cannot open: Permission denied; it is left out" \
        EPOCHLY_GPU_CONFIG="$conf"
    ignored
fi

# -- things that are no files, and files that are too much --
fresh
mkfifo "$folder/run/fifo"
mkdir "$folder/run/folder"
truncate -s 1G "$folder/run/zeros"
awk 'BEGIN { for (i = 0; i < 1000000; i++) print "policy = never" }' >"$folder/run/rows"
awk 'BEGIN { for (i = 0; i < 60000; i++) print "policy = never" }' >"$folder/run/many"
printf 'policy = ne\000ver\n' >"$folder/run/nul"
awk 'BEGIN { printf "log = "; for (i = 0; i < 1000000; i++) printf "%%" }' >"$folder/run/line"
for kind in fifo folder /dev/zero /dev/null /dev/tty; do
    case $kind in /*) path=$kind ;; *) path=$folder/run/$kind ;; esac
    run "config is $kind" "$kind: not a regular file; it is left out" EPOCHLY_GPU_CONFIG="$path"
    run "profile is $kind" "$kind: not a regular file; the profile is not used" \
        EPOCHLY_GPU_PROFILE="$path"
done
for kind in zeros rows; do
    run "config is $kind" "$kind: longer than 1 MiB; it is left out" \
        EPOCHLY_GPU_CONFIG="$folder/run/$kind"
    run "profile is $kind" "$kind: longer than 1 MiB; the profile is not used" \
        EPOCHLY_GPU_PROFILE="$folder/run/$kind"
done
run "config of 60000 lines" "" EPOCHLY_GPU_CONFIG="$folder/run/many"
run "config with a NUL" "nul:1: a byte is 0, so this is no text" EPOCHLY_GPU_CONFIG="$folder/run/nul"
run "config of one long line" "line:1: the line is too long" EPOCHLY_GPU_CONFIG="$folder/run/line"
for number in inf nan 1e999 -1 0x10; do
    printf 'link_up_bytes = %s\n' "$number" >"$folder/run/profile"
    run "profile with $number" "profile:1: .*; the profile is not used" \
        EPOCHLY_GPU_PROFILE="$folder/run/profile"
done

# -- the environment --
long=$(awk 'BEGIN { for (i = 0; i < 131000; i++) printf "x" }')
run "a variable of 128 KiB" "EPOCHLY_GPU_LOG: log cannot be 'x*\.\.\.'" EPOCHLY_GPU_LOG="$long"
run "a name of 128 KiB" "EPOCHLY_GPU_x*: unknown option" "EPOCHLY_GPU_$long=1"
run "percent signs" "" EPOCHLY_GPU_LOG="$folder/run/%s%n%d%%%p%q%" EPOCHLY_GPU_LOG_LEVEL=call
[ "$(find "$folder/run" -name '%s%n%d%[0-9]*%q%' | wc -l)" -eq 1 ] ||
	{ echo "FAIL percent signs: $(ls "$folder/run")"; failed=1; }
run "percent signs in a config file's name" 'run/%s%n%d: cannot open' \
    EPOCHLY_GPU_CONFIG="$folder/run/%s%n%d"
for home in "" . relative/folder /; do
    run "HOME='$home'" "" HOME="$home"
done
run "no HOME" "" env -u HOME

# -- files that are written --
run "log is a folder" "cannot open the log '.*folder': Is a directory; nothing more is recorded" \
    EPOCHLY_GPU_LOG="$folder/run/folder" EPOCHLY_GPU_LOG_LEVEL=call
run "log that nobody reads" "the log '.*fifo': nobody reads it, or it is a socket; nothing more" \
    EPOCHLY_GPU_LOG="$folder/run/fifo" EPOCHLY_GPU_LOG_LEVEL=call
run "summary that nobody reads" "cannot write the summary to '.*fifo': nobody reads it" \
    EPOCHLY_GPU_SUMMARY="$folder/run/fifo"
run "log on a full disk" "cannot write the log '/dev/full': No space left on device" \
    EPOCHLY_GPU_LOG=/dev/full EPOCHLY_GPU_LOG_LEVEL=call
# Both ends are held by a process that does not read, and the pipe is full.
sh -c 'exec 9<>"$1"; head -c 65536 /dev/zero >&9; echo >"$1.full"; exec sleep 600' \
    - "$folder/run/fifo" &
holder=$!
waited=0
until [ -s "$folder/run/fifo.full" ]; do
    waited=$((waited + 1))
    [ "$waited" -lt 200 ] || { echo "FAIL the pipe was not filled"; exit 1; }
    sleep 0.05
done
run "log whose reader stops" "the reader of the log '.*fifo' does not read; while the pipe" \
    EPOCHLY_GPU_LOG="$folder/run/fifo" EPOCHLY_GPU_LOG_LEVEL=call
# The program itself writes nothing to stderr.
result=0
timeout 20 env EPOCHLY_GPU_POLICY=perhaps LD_PRELOAD="$build/libgpushim.so" "$program" \
    >"$folder/out" 2<>"$folder/run/fifo" </dev/null || result=$?
: >"$folder/text"
expect "a full stderr" ""
kill "$holder" && wait "$holder" 2>/dev/null || true
holder=

if [ "$root" = yes ]; then
    fresh
    echo kept >"$folder/victim"
    mkdir "$folder/run/theirs" # without the sticky bit, by which the kernel would refuse the link
    ln -s "$folder/victim" "$folder/run/theirs/planted"
    chown -hR 65534 "$folder/run/theirs"
    for option in LOG TRACE SUMMARY; do
        run "$option by a planted link" "planted': it is a symbolic link of another user" \
            "EPOCHLY_GPU_$option=$folder/run/theirs/planted" EPOCHLY_GPU_LOG_LEVEL=call \
            EPOCHLY_GPU_POLICY=always EPOCHLY_GPU_DEVICES=none
        [ "$(cat "$folder/victim")" = kept ] || { echo "FAIL $option: it is written"; failed=1; }
    done
    ln -s "$folder/run/log" "$folder/run/own"
    run "log by an own link" "" EPOCHLY_GPU_LOG="$folder/run/own" EPOCHLY_GPU_LOG_LEVEL=call
    [ -s "$folder/run/log" ] || { echo "FAIL the own link is not followed"; failed=1; }
    if mknod "$folder/run/disk" b 7 255 2>/dev/null; then
        run "log is a disk" "cannot open the log '.*disk'" \
            EPOCHLY_GPU_LOG="$folder/run/disk" EPOCHLY_GPU_LOG_LEVEL=call
    fi
fi
exit "$failed"
