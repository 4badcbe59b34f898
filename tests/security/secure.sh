#!/bin/sh
# secure.sh - in a set-uid program the shim forwards calls, and uses nothing that the caller names
# SPDX-License-Identifier: Apache-2.0
# usage: secure.sh BUILD PROGRAM TRAP
set -eu

build=$(cd "$1" && pwd)
program=$2
trap_library=$(realpath "$3")
[ "$(id -u)" -eq 0 ] || { echo "skipped: only root can make a program set-uid"; exit 77; }
command -v setpriv >/dev/null || { echo "skipped: there is no setpriv"; exit 77; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
chmod 755 "$folder"
mkdir -p "$folder/cuda/lib64" "$folder/home/.config/gpushim"
for name in libcuda.so.1 libcudart.so.11.0 libcudart.so.12 libcudart.so.13; do
    cp "$trap_library" "$folder/cuda/lib64/$name"
done
printf 'summary = %s\n' "$folder/out/of-config" >"$folder/conf"
cp "$folder/conf" "$folder/home/.config/gpushim/gpushim.conf"
chmod -R a+rX "$folder"
install -m 755 "$program" "$folder/ordinary"
install -m 4755 "$program" "$folder/set-uid"
install -m 2755 "$program" "$folder/set-gid"
install -m 755 "$program" "$folder/armed"

failed=0
fail() {
    echo "FAIL $*"
    cat "$folder/text"
    failed=1
}

# The mark and all other files of the shim's own would be made in out/.
clear_out() {
    rm -rf "$folder/out"
    mkdir "$folder/out"
    chmod 1777 "$folder/out"
}

# caller VARIABLE... PROGRAM ARGUMENT...: as another user; the status is in $result.
caller() {
    result=0
    (
        cd "$folder/out"
        exec setpriv --reuid=65534 --regid=65534 --clear-groups \
        	env -i PATH="$PATH" HOME="$folder/home" OPENBLAS_NUM_THREADS=1 \
            SECURE_MARK="$folder/out/mark" "$@"
    ) >"$folder/text" 2>&1 </dev/null || result=$?
}

# poisoned PROGRAM ARGUMENT...: with everything in the environment that directs the shim.
poisoned() {
    caller EPOCHLY_GPU_POLICY=always EPOCHLY_GPU_WARMUP=wait CUDA_HOME="$folder/cuda" \
    	CUDA_PATH="$folder/cuda" EPOCHLY_GPU_CUDA_PATH="$folder/cuda/lib64" \
        LD_LIBRARY_PATH="$folder/cuda/lib64" EPOCHLY_GPU_CPU_BLAS="$trap_library" \
        EPOCHLY_GPU_CPU_FFTW="$trap_library" NVTX_INJECTION64_PATH="$trap_library" \
        XDG_RUNTIME_DIR="$folder/out" XDG_CONFIG_HOME="$folder/home/.config" \
        EPOCHLY_GPU_CONFIG="$folder/conf" EPOCHLY_GPU_LOG="$folder/out/log" \
        EPOCHLY_GPU_LOG_LEVEL=call EPOCHLY_GPU_TRACE="$folder/out/trace" \
        EPOCHLY_GPU_COUNTERS="$folder/out" EPOCHLY_GPU_SUMMARY="$folder/out/summary" \
        EPOCHLY_GPU_FFTW_PLANNING=lazy EPOCHLY_GPU_FFTW_PINNED=yes EPOCHLY_GPU_VERIFY=1 \
        GPUSHIM_COVERAGE_FOLDER="$folder/out" "$@"
}

# silent WHAT: the poisoned run was right, said nothing, and left nothing.
silent() {
    if [ "$result" -ne 0 ] || [ "$(cat "$folder/text")" != "0 wrong results" ]; then
        fail "$1: status $result"
    elif [ -n "$(ls -A "$folder/out")" ]; then
        fail "$1 left $(ls -A "$folder/out")"
    else
        echo "ok   $1"
    fi
}

# tells WHAT WORDS PROGRAM ARGUMENT...
tells() {
    what=$1
    words=$2
    shift 2
    poisoned "$@"
    if [ "$(cat "$folder/text")" = "$words" ]; then
        echo "ok   $what: $words"
    else
        fail "$what: expected: $words"
    fi
}

clear_out
caller "$folder/ordinary" tell
[ "$(cat "$folder/text")" = ordinary ] ||
	{ echo "skipped: another user cannot run the program: $(cat "$folder/text")"; exit 77; }
caller "$folder/set-uid" tell
[ "$(cat "$folder/text")" = secure ] ||
	{ echo "skipped: $folder has no set-uid programs: $(cat "$folder/text")"; exit 77; }

# Each trap works in an ordinary program, and the seal notices what the shim does there.
for variable in CUDA_HOME="$folder/cuda" EPOCHLY_GPU_CPU_BLAS="$trap_library" \
    NVTX_INJECTION64_PATH="$trap_library"; do
    clear_out
    caller EPOCHLY_GPU_POLICY=always EPOCHLY_GPU_WARMUP=wait "$variable" "$folder/ordinary" open
    [ -e "$folder/out/mark" ] || fail "ordinary: ${variable%%=*} loads nothing"
done
clear_out
poisoned "$folder/ordinary" sealed
[ "$result" -ne 77 ] || { cat "$folder/text"; exit 77; }
[ "$result" -eq 9 ] || fail "ordinary: the seal notices nothing, status $result"
poisoned "$folder/ordinary" open
[ "$(find "$folder/out" -type f | wc -l)" -ge 4 ] || fail "ordinary: files are missing"
tells "bindings of an ordinary program" binds "$folder/ordinary" bind

secure="set-uid set-gid"
if "$folder/ordinary" arm "$folder/armed" 2>"$folder/text"; then
    secure="$secure armed"
else
    echo "left out: $(cat "$folder/text")"
fi
for one in $secure; do
    for way in open sealed dropped forked; do
        clear_out
        poisoned "$folder/$one" "$way"
        silent "$one, $way"
    done
    tells "bindings of $one" "stays out" "$folder/$one" bind
    coverage=$build/libgpushim-coverage.so
    [ ! -e "$coverage" ] || tells "coverage of $one" "stays out" "$folder/$one" audit "$coverage"
done
clear_out
caller EPOCHLY_GPU_POLICY=never EPOCHLY_GPU_CPU_BLAS="$folder/none" "$folder/ordinary" undumpable
grep -qx '0 wrong results' "$folder/text" || fail "an undumpable program"
exit "$failed"
