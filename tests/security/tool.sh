#!/bin/sh
# tool.sh - gpushim, run by root, on files and programs of other users; things that are no files
# SPDX-License-Identifier: Apache-2.0
# usage: tool.sh BUILD PROGRAM LOADER
#        PROGRAM names PLACEHOLDER/ld-linux-evil.so.2 as its loader; LOADER makes a file `mark`
set -eu

build=$(cd "$1" && pwd)
program=$(realpath "$2")
evil=$(realpath "$3")
tool=$build/gpushim
machines=$(cd "$(dirname "$0")/../../config/machines" && pwd)
# As long as the placeholder in the program, which it replaces.
folder=$(mktemp -d /tmp/gpushim.XXXXXXXX)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
chmod 755 "$folder"
export HOME="$folder" XDG_RUNTIME_DIR="$folder" XDG_CACHE_HOME="$folder" XDG_CONFIG_HOME="$folder"
cd "$folder"
failed=0

# try WHAT STATUS SENTENCE ARGUMENT...: the tool ends within 20 s, and one line has the sentence.
try() {
    what=$1
    wanted=$2
    sentence=$3
    shift 3
    result=0
    timeout 20 "$tool" "$@" >text 2>&1 </dev/null || result=$?
    if [ "$result" -ne "$wanted" ] || [ "$(grep -cE -- "$sentence" text)" -ne 1 ]; then
        echo "FAIL $what: status $result, expected $wanted and '$sentence'"
        head -c 1000 text
        failed=1
    elif LC_ALL=C grep -q '[[:cntrl:]]' text; then
        echo "FAIL $what: control characters"
        cat -v text | head -n 20
        failed=1
    else
        echo "ok   $what"
    fi
}

# -- logs --
mkfifo fifo
mkdir folder
truncate -s 20M zeros
try "report of a pipe" 1 "'fifo' is a pipe that nobody writes to" report fifo
for command in report tune; do
    try "$command of a folder" 1 "'folder' is not a file" $command folder
    try "$command of /dev/zero" 1 "'/dev/zero' is not a file" $command /dev/zero
    try "$command of /dev/null" 1 "'/dev/null' is empty" $command /dev/null
done
try "report of zeros" 1 "'zeros' is not a log of the shim" report zeros
if [ -r /proc/kmsg ]; then
    try "report of /proc/kmsg" 1 "'/proc/kmsg' is empty" report /proc/kmsg
fi
record='{"time":"2026-11-21T02:00:00.000000Z","pid":1,"tid":1,"symbol":"dgemm_","routine":"dgemm",
"sizes":{"m":9,"n":9,"k":9},"bytes":1944,"flops":1458,"target":"cpu","reason":"policy_never",
"device":-1,"math":"-","predicted_cpu_ns":-1,"predicted_gpu_ns":-1,"elapsed_ns":100}'
printf '%s' "$record" | tr -d '\n' >log
echo >>log
try "report into a pipe that nobody reads" 3 "fifo" \
    report --html fifo log

# -- profiles and config files --
try "profile is a pipe" 2 "fifo: not a regular file" explain --profile ./fifo dgemm 9 9 9
try "profile is /dev/zero" 2 "/dev/zero: not a regular file" \
    explain --profile /dev/zero dgemm 9 9 9
for config in fifo folder /dev/zero; do
    EPOCHLY_GPU_CONFIG=$config timeout 20 "$tool" doctor >text 2>&1 || true
    if grep -q "config file $config: left out: not a regular file" text; then
        echo "ok   doctor, config is $config"
    else
        echo "FAIL doctor, config is $config"
        grep config text
        failed=1
    fi
done
escape=$(printf '\033')
{
    printf 'profile = 1\nname = "a%s[2Jb"\n' "$escape"
    sed '/^profile/d;/^name/d' "$machines/h200.conf"
} >evil.conf
try "profile with escapes" 0 'machine +a\?\[2Jb' explain --profile ./evil.conf dgemm 9000 9000 9000

# -- programs: the doctor runs no loader but glibc's --
install -m 755 "$evil" ld-linux-evil.so.2
./ld-linux-evil.so.2
[ -e mark ] || { echo "FAIL the loader of the test makes no mark"; exit 1; }
LC_ALL=C sed "s|/tmp/gpushim.PLACEHOL|$folder|" "$program" >victim
chmod 755 victim
LC_ALL=C grep -q "$folder/ld-linux-evil" victim ||
	{ echo "FAIL the placeholder is not there"; exit 1; }
ask() {
    rm -f mark
    timeout 20 "$tool" doctor ./victim >text 2>&1 </dev/null || true
    if [ -e mark ]; then
        echo "FAIL doctor runs a foreign loader: $1"
        failed=1
    elif ! grep -qE "$2" text; then
        echo "FAIL doctor: $1: no '$2'"
        grep -A9 '^program' text
        failed=1
    else
        echo "ok   doctor, $1"
    fi
}
mv ld-linux-evil.so.2 evil
ln -s evil ld-linux-evil.so.2
ask "a link with the loader's name" 'its loader cannot be asked'
rm ld-linux-evil.so.2
mv evil ld-linux-evil.so.2
chmod 777 ld-linux-evil.so.2
ask "a loader that all can write" 'its loader cannot be asked'
if [ "$(id -u)" -eq 0 ]; then
    chmod 755 ld-linux-evil.so.2
    chown 65534 ld-linux-evil.so.2
    ask "a loader of another user" 'its loader cannot be asked'
    chown 65534 victim
    chown 0 ld-linux-evil.so.2
    ask "a program of another user" 'belongs to another user, so root does not list its libraries'
fi
exit "$failed"
