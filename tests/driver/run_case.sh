#!/bin/sh
# run_case.sh - runs a program without and with the shim, for each configuration of a .conf file
# SPDX-License-Identifier: Apache-2.0
#
# usage: run_case.sh NAME.conf BUILD PROGRAM [ARGUMENT...]
#
# BUILD holds libgpushim.so and simcuda/. The program runs in a folder of its own with a clean
# environment. In the .conf file @BUILD@, @HERE@ (the program's folder) and @TMP@ (the folder of the
# run) are replaced. Its lines:
#
#   KEY=VALUE              environment; before the first `config` line also for the run without the
#                          shim
#   needs FILE             skipped if FILE does not exist
#   needs-processor FLAG   skipped if the processor has no such flag, as /proc/cpuinfo names it
#   config NAME            starts one more run with the shim; the lines that follow belong to it
#   stderr REGEX           one line of stderr that the run without the shim does not have; exactly
#                          one, in any order; messages of the shim are whole
#   stderr-maybe REGEX     at most one such line
#   output LINE            the expected stdout, line by line, if it is not that of the run without
#                          the shim
#   status N               likewise for the exit status
#   input FILE             stdin; /dev/null otherwise
#   log SYMBOL TARGET REASON COUNT
#                          lines of the decision log; * is any, COUNT is N, N+ (at least) or N-M
#   sum FIELD COUNT        the numbers of this field, of all lines of the log together
#   calls TARGET           each line `call SYMBOL N` of stdout agrees with the log's lines of that
#                          symbol and target; transforms with no work stay on the CPU in any case
#   cut                    one line of the log may be cut off
#   silent                 the decision log is empty or was not made
#   file NAME TEXT         @TMP@/NAME gets this line before the run; repeated, it gets more lines
#   fifo NAME              @TMP@/NAME is a pipe that nobody opens
#   counted SYMBOL COUNT   the counters files in @TMP@/counters have so many calls, read by the
#                          program's read_counters
#   untouched              @TMP@ has no files but the above after the run
#
# GPUSHIM_CASE_UNDER in the environment: words of a command that runs the program in the runs with
# the shim, such as that of valgrind.
set -eu
export LC_ALL=C # grep and awk take twice as long with characters of several bytes

conf=$1
build=$(cd "$2" && pwd)
program=$3
shift 3
messages=$(dirname "$0")/whole_messages.sed
shim=$build/libgpushim.so
case $program in
*/*) here=$(cd "$(dirname "$program")" && pwd) ;;
*) here=$build ;;
esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
ran=0

sed -e "s|@BUILD@|$build|g" -e "s|@HERE@|$here|g" -e "s|@TMP@|$folder/run|g" \
	-e '/^[[:space:]]*#/d' \
    -e 's/^[[:space:]]*//' -e '/^$/d' "$conf" >"$folder/conf"

say() {
    printf '%s\n' "$*"
}

fail() {
    say "FAIL [$name] $*"
    failed=1
}

# launch NAME PRELOAD ENVIRONMENT PROGRAM ARGUMENT...: writes NAME.out, NAME.err, NAME.status.
launch() {
    run=$1
    preload=$2
    settings=$3
    shift 3
    rm -rf "$folder/run"
    mkdir -p "$folder/run/home/.config" "$folder/run/runtime"
    chmod 700 "$folder/run/runtime"
    mkdir "$folder/run/counters"
    sed -n 's/^fifo //p' "$settings" | while read -r made; do
        mkfifo "$folder/run/$made"
    done
    sed -n 's/^file //p' "$settings" | while read -r made text; do
        mkdir -p "$(dirname "$folder/run/$made")"
        printf '%s\n' "$text" >>"$folder/run/$made"
    done
    input=$(sed -n 's/^input //p' "$settings")
    if [ -n "$preload" ] && [ -n "${GPUSHIM_CASE_UNDER:-}" ]; then
        # shellcheck disable=SC2086 # words of a command
        set -- $GPUSHIM_CASE_UNDER "$@"
    fi
    # Each is put in front, the last line first: if a key occurs twice, the later line applies.
    grep -E '^[A-Za-z_][A-Za-z0-9_]*=' "$settings" | sed -n '1!G;h;$p' >"$folder/backwards"
    while IFS= read -r line; do
        set -- "$line" "$@"
    done <"$folder/backwards"
    result=0
    (
        cd "$folder/run"
        exec env -i PATH="$PATH" LC_ALL=C HOME="$folder/run/home" \
            XDG_CONFIG_HOME="$folder/run/home/.config" \
            XDG_RUNTIME_DIR="$folder/run/runtime" TMPDIR="$folder/run" OPENBLAS_NUM_THREADS=1 \
            CUDA_VISIBLE_DEVICES=-1 ${preload:+LD_PRELOAD="$preload"} "$@"
    ) <"${input:-/dev/null}" >"$folder/$run.out" 2>"$folder/$run.err" || result=$?
    say "$result" >"$folder/$run.status"
}

check_output() {
    if grep -q '^output ' "$folder/only"; then
        sed -n 's/^output //p' "$folder/only" >"$folder/want.out"
    else
        cp "$folder/base.out" "$folder/want.out"
    fi
    cmp -s "$folder/want.out" "$folder/shim.out" || {
        fail "stdout differs"
        diff "$folder/want.out" "$folder/shim.out" | head -n 20
    }
    want=$(sed -n 's/^status //p' "$folder/only")
    got=$(cat "$folder/shim.status")
    [ "$got" = "${want:-$(cat "$folder/base.status")}" ] ||
        fail "exit status $got, expected ${want:-$(cat "$folder/base.status")}"
}

# Removes the expected lines from stderr; the rest must equal stderr of the run without the shim.
check_stderr() {
    sed -f "$messages" "$folder/shim.err" >"$folder/left"
    sed -n 's/^stderr\(-maybe\)* //p' "$folder/only" >"$folder/patterns"
    while IFS= read -r pattern; do
        found=$(grep -cE -- "$pattern" "$folder/left" || true)
        [ "$found" -le 1 ] || fail "$found lines of stderr match: $pattern"
        if [ "$found" -eq 0 ] && grep -qxF "stderr $pattern" "$folder/only"; then
            fail "no line of stderr matches: $pattern"
        fi
        grep -vE -- "$pattern" "$folder/left" >"$folder/rest" || true
        mv "$folder/rest" "$folder/left"
    done <"$folder/patterns"
    cmp -s "$folder/base.err" "$folder/left" || {
        fail "stderr differs"
        diff "$folder/base.err" "$folder/left" | head -n 20
    }
}

count_lines() {
    cat "$folder"/run/log* 2>/dev/null | awk -v symbol="$1" -v target="$2" -v reason="$3" '
        function is(key, value) { return value == "*" || index($0, "\"" key "\":\"" value "\"") }
        is("symbol", symbol) && is("target", target) && is("reason", reason) { n++ }
        END { print n + 0 }'
}

# within N WANTED: whether N is in WANTED, which is N, N+ or N-M.
within() {
    case $2 in
    *+) [ "$1" -ge "${2%+}" ] ;;
    *-*) [ "$1" -ge "${2%-*}" ] && [ "$1" -le "${2#*-}" ] ;;
    *) [ "$1" -eq "$2" ] ;;
    esac
}

check_log() {
    bad=$(cat "$folder"/run/log* 2>/dev/null | grep -cvE '^\{"time":"[^"]*".*\}$' || true)
    grep -qx 'cut' "$folder/only" && bad=$((bad > 1))
    [ "$bad" -eq 0 ] || fail "$bad lines of the log are not whole records"
    if grep -qx 'silent' "$folder/only" && [ -n "$(cat "$folder"/run/log* 2>/dev/null)" ]; then
        fail "the decision log is not empty"
    fi
    sed -n 's/^log //p' "$folder/only" >"$folder/counts"
    while read -r symbol target reason count; do
        found=$(count_lines "$symbol" "$target" "$reason")
        within "$found" "$count" ||
        	fail "log: $symbol $target $reason: $found lines, expected $count"
    done <"$folder/counts"
    sed -n 's/^sum //p' "$folder/only" >"$folder/counts"
    while read -r field count; do
        found=$(cat "$folder"/run/log* 2>/dev/null |
            sed -n 's/.*"'"$field"'":\([0-9]*\)[,}].*/\1/p' | awk '{ n += $1 } END { printf "%.0f\n", n }')
        within "$found" "$count" || fail "log: $field: $found in all, expected $count"
    done <"$folder/counts"
    target=$(sed -n 's/^calls //p' "$folder/only")
    [ -n "$target" ] || return 0
    sed -n 's/^call //p' "$folder/shim.out" >"$folder/counts"
    [ -s "$folder/counts" ] || fail "the program does not tell its calls"
    while read -r symbol count; do
        found=$(count_lines "$symbol" "$target" '*')
        [ "$target" = cpu ] || found=$((found + $(count_lines "$symbol" cpu no_transform)))
        [ "$found" -eq "$count" ] ||
        	fail "log: $symbol: $found calls on $target, the program made $count"
    done <"$folder/counts"
}

check_files() {
    sed -n 's/^counted //p' "$folder/only" >"$folder/counts"
    while read -r symbol count; do
        found=$("$here/read_counters" "$symbol" "$folder"/run/counters/*) ||
        	fail "the counters cannot be read"
        within "${found:-0}" "$count" || fail "counters: $symbol: $found calls, expected $count"
    done <"$folder/counts"
    if grep -qx 'untouched' "$folder/only" && [ -n "$(find "$folder/run" ! -type d)" ]; then
        fail "files are left behind: $(find "$folder/run" ! -type d)"
    fi
}

explain() {
    say "--- stderr with the shim:"
    head -n 20 "$folder/shim.err"
    say "--- log, by reason:"
    cat "$folder"/run/log* 2>/dev/null |
    	sed 's/.*"symbol":"\([^"]*\)".*"target":"\([^"]*\)","reason":"\([^"]*\)".*/\1 \2 \3/' |
        sort | uniq -c | head -n 40
}

missing() {
    sed -n 's/^needs //p' "$1" | while IFS= read -r file; do
        [ -e "$file" ] || { say "$file"; break; }
    done
    sed -n 's/^needs-processor //p' "$1" | while IFS= read -r flag; do
        grep -qw "$flag" /proc/cpuinfo || { say "processor with $flag"; break; }
    done
}

sed -n "s|^config ||p" "$folder/conf" >"$folder/names"
: >"$folder/common"
awk -v folder="$folder" \
	'/^config / { n++; next } { print >> (folder "/" (n ? "part" n : "common")) }' \
	"$folder/conf"

lacking=$(missing "$folder/common")
if [ -n "$lacking" ]; then
    say "skipped: there is no $lacking"
    exit 77
fi
launch base '' "$folder/common" "$program" "$@"
if [ "$(cat "$folder/base.status")" -eq 77 ]; then
    say "skipped: $(cat "$folder/base.out")"
    exit 77
fi
if [ "$(cat "$folder/base.status")" -eq 139 ]; then
    say "skipped: without the shim the program crashes: $(head -n 1 "$folder/base.err")"
    exit 77
fi

number=0
while read -r name; do
    number=$((number + 1))
    touch "$folder/part$number"
    cat "$folder/common" "$folder/part$number" >"$folder/only"
    lacking=$(missing "$folder/only")
    if [ -n "$lacking" ]; then
        say "skipped [$name]: there is no $lacking"
        continue
    fi
    ran=$((ran + 1))
    before=$failed
    failed=0
    launch shim "$shim" "$folder/only" "$program" "$@"
    check_output
    check_stderr
    check_log
    check_files
    if [ "$failed" -eq 0 ]; then
        say "ok   [$name]"
        failed=$before
    else
        explain
    fi
done <"$folder/names"
[ "$ran" -gt 0 ] || exit 77
exit "$failed"
