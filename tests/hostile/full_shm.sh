#!/bin/sh
# full_shm.sh - the folder of the counters is full: result right, no message
# SPDX-License-Identifier: Apache-2.0
# usage: full_shm.sh BUILD PROGRAM
set -eu

build=$(cd "$1" && pwd)
program=$2
# Everything happens in a mount namespace of its own.
if [ "${FULL_SHM_INSIDE:-}" != yes ]; then
    unshare -m true 2>/dev/null || { echo "skipped: no permission to mount"; exit 77; }
    FULL_SHM_INSIDE=yes exec unshare -m "$0" "$@"
fi
messages=$(dirname "$0")/../driver/whole_messages.sed
folder=$(mktemp -d)
trap 'umount "$folder/tiny" 2>/dev/null; rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$folder/tiny"
mount -t tmpfs -o size=64k none "$folder/tiny" ||
	{ echo "skipped: no permission to mount"; exit 77; }
chmod 700 "$folder/tiny"
head -c 65536 /dev/zero >"$folder/tiny/filler" 2>/dev/null || true

failed=0
expect() {
    what=$1
    shift
    result=0
    env HOME="$folder" LD_PRELOAD="$build/libgpushim.so" EPOCHLY_GPU_POLICY=never \
    	OPENBLAS_NUM_THREADS=1 "$@" "$program" \
        >"$folder/out" 2>"$folder/err" || result=$?
    if [ "$result" -ne 42 ] || ! grep -q '^0 wrong' "$folder/out" ||
    	[ "$(sed -f "$messages" "$folder/err" | wc -l)" -gt 1 ]; then
        echo "FAIL $what: status $result"
        cat "$folder/out" "$folder/err"
        failed=1
    fi
}

expect "full runtime folder" XDG_RUNTIME_DIR="$folder/tiny"
[ ! -s "$folder/err" ] || { echo "FAIL full runtime folder: a message nobody asked for"; failed=1; }
expect "full counters folder" EPOCHLY_GPU_COUNTERS="$folder/tiny"
expect "full log" EPOCHLY_GPU_LOG="$folder/tiny/log" EPOCHLY_GPU_LOG_LEVEL=call
expect "summary" EPOCHLY_GPU_SUMMARY="$folder/tiny/summary"
[ "$(find "$folder/tiny" -name '*.counters' | wc -l)" -eq 0 ] ||
	{ echo "FAIL a file of counters is left"; failed=1; }
[ "$failed" -eq 0 ] && echo "ok   a full folder"
exit "$failed"
