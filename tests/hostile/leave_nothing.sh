#!/bin/sh
# leave_nothing.sh - 200 processes with 4 MiB in /dev/shm: top sees all, and nothing is left of them
# SPDX-License-Identifier: Apache-2.0
# usage: leave_nothing.sh BUILD WORKERS
set -eu

build=$(cd "$1" && pwd)
program=$2
# Everything happens in a mount namespace, and an IPC namespace, of its own.
if [ "${LEAVE_NOTHING_INSIDE:-}" != yes ]; then
    unshare -rmi true 2>/dev/null || { echo "skipped: no permission to mount"; exit 77; }
    LEAVE_NOTHING_INSIDE=yes exec unshare -rmi "$0" "$@"
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
mount -t tmpfs -o size=4m none /dev/shm || { echo "skipped: no permission to mount"; exit 77; }
mkdir "$folder/runtime" "$folder/home"
chmod 700 "$folder/runtime"
export HOME="$folder/home" EPOCHLY_GPU_POLICY=never OPENBLAS_NUM_THREADS=1
failed=0
complain() {
    echo "FAIL $*"
    failed=1
}

# work RUNTIME: with XDG_RUNTIME_DIR, or without one, which means /dev/shm to some versions.
work() {
    rm -f "$folder/hold" "$folder/out"
    mkfifo "$folder/hold"
    result=0
    env XDG_RUNTIME_DIR="$1" LD_PRELOAD="$build/libgpushim.so" "$program" 200 \
        <"$folder/hold" >"$folder/out" 2>"$folder/err" &
    workers=$!
    exec 3>"$folder/hold"
    tries=0
    until grep -sq ready "$folder/out" || [ $((tries += 1)) -gt 600 ]; do sleep 0.05; done
    sed '/ready/,$d' "$folder/out" >"$folder/pids"
    XDG_RUNTIME_DIR=$1 "$build/gpushim" top --json --interval 0.1 >"$folder/top" 3>&-
    seen=$(grep -o '"pid":[0-9]*' "$folder/top" | sed 's/.*://' | grep -cxFf "$folder/pids" || true)
    [ "$seen" -eq 200 ] || complain "top shows $seen of 200 processes"
    used=$(awk 'NR > 1 { used += $15 } END { print int(used / 1024) }' /proc/sysvipc/shm)
    [ "$used" -lt $((201 * 64)) ] || complain "the counters take $used KiB"
    exec 3>&-
    wait $workers || result=$?
    [ "$result" -eq 0 ] || complain "status $result: $(tail -n 1 "$folder/out")"
    [ ! -s "$folder/err" ] || complain "messages: $(cat "$folder/err")"
    left=$(find /dev/shm "$folder/runtime" -mindepth 1)
    [ -z "$left" ] || complain "left: $left"
    [ "$(wc -l </proc/sysvipc/shm)" -eq 1 ] || complain "memory is left: $(cat /proc/sysvipc/shm)"
}
work ''
work "$folder/runtime"
[ "$failed" -eq 0 ] && echo "ok   200 processes"
exit "$failed"
