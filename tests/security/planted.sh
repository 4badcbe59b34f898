#!/bin/sh
# planted.sh - libraries in the working directory, found by a relative element of LD_LIBRARY_PATH
# SPDX-License-Identifier: Apache-2.0
# usage: planted.sh BUILD PROGRAM TRAP
set -eu

build=$(cd "$1" && pwd)
program=$(realpath "$2")
trap_library=$(realpath "$3")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$folder/here/lib/glibc-hwcaps/x86-64-v2" "$folder/absolute" "$folder/home"
for name in libcuda.so.1 libcudart.so.11.0 libcudart.so.12 libcudart.so.13 libblas.so.3; do
    for place in here here/lib here/lib/glibc-hwcaps/x86-64-v2 absolute; do
        cp "$trap_library" "$folder/$place/$name"
    done
done

failed=0
# run PATH: the program in the folder here, with that LD_LIBRARY_PATH.
run() {
    rm -f "$folder/mark"
    result=0
    (
        cd "$folder/here"
        exec env -i PATH="$PATH" HOME="$folder/home" OPENBLAS_NUM_THREADS=1 LD_LIBRARY_PATH="$1" \
        	LD_PRELOAD="$build/libgpushim.so" SECURE_MARK="$folder/mark" \
            EPOCHLY_GPU_POLICY=always EPOCHLY_GPU_WARMUP=wait "$program"
    ) >"$folder/text" 2>&1 || result=$?
    if [ "$result" -ne 42 ] || ! grep -q '^0 wrong' "$folder/text"; then
        echo "FAIL [$1] status $result"
        cat "$folder/text"
        failed=1
    fi
}

run "$folder/absolute"
[ -e "$folder/mark" ] || { echo "FAIL the trap does not work"; failed=1; }
for path in ":$folder/none" "$folder/none:" "$folder/none::$folder/none" . lib "$folder/none;lib" \
    "../here/lib:$folder/none"; do
    run "$path"
    if ! grep -q 'warn: an element of LD_LIBRARY_PATH is no absolute path' "$folder/text"; then
        echo "FAIL [$path] no sentence"
        failed=1
    fi
    if [ -e "$folder/mark" ]; then
        echo "FAIL [$path] a library of the working directory was loaded"
        failed=1
    else
        echo "ok   [$path]"
    fi
done
exit "$failed"
