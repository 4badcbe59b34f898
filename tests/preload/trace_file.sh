#!/bin/sh
# trace_file.sh - the trace's content, also after fork, kill and a full disk
# SPDX-License-Identifier: Apache-2.0
# usage: trace_file.sh BUILD THREADS CALLS RANGES PYTHON
# THREADS, CALLS: programs; RANGES: the stand-in of a profiler
set -eu

build=$(cd "$1" && pwd)
threads=$2 calls=$3 ranges=$4 python=$5
messages=$(dirname "$0")/../driver/whole_messages.sed
check="$python $(cd "$(dirname "$0")" && pwd)/trace_check.py"
folder=$(mktemp -d)
background=
trap '[ -z "$background" ] || kill -9 "$background" 2>/dev/null || :; rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

fail() {
	echo "trace_file: FAIL $*"
	failed=1
}

cat >"$folder/launch" <<END
#!/bin/sh
exec env -i PATH="$PATH" HOME="$folder" XDG_CONFIG_HOME="$folder" XDG_RUNTIME_DIR="$folder" OPENBLAS_NUM_THREADS=1 \
	CUDA_VISIBLE_DEVICES=-1 EPOCHLY_GPU_CUDA_PATH="$build/simcuda" EPOCHLY_GPU_POLICY=always EPOCHLY_GPU_WARMUP=wait \
	EPOCHLY_GPU_RESIDENCY=off \
	LD_PRELOAD="$build/libgpushim.so" "\$@"
END
chmod +x "$folder/launch"

# run [ENVIRONMENT...] PROGRAM [ARGUMENT...]: writes output and errors.
run() {
	"$folder/launch" "$@" >"$folder/output" 2>"$folder/errors"
}

# read_trace HOW FILE [LOG]: writes seen.
read_trace() {
	$check "$@" >"$folder/seen" 2>"$folder/why" ||
		{ fail "$1 $2: $(tail -n 1 "$folder/why")"; : >"$folder/seen"; }
}

# expect PATTERN WHAT: a line of seen must match.
expect() {
	grep -qE "$1" "$folder/seen" || fail "$2: $(cat "$folder/seen")"
}

# said COUNT PATTERN WHAT: so many messages of errors must match.
said() {
	[ "$(sed -f "$messages" "$folder/errors" | grep -cE "$2")" -eq "$1" ] ||
		fail "$3: $(cat "$folder/errors")"
}

# Several threads: the trace has the calls of the log, each with its stages on the GPU.
run EPOCHLY_GPU_LOG="$folder/log" EPOCHLY_GPU_TRACE="$folder/trace" "$threads" ||
	fail "the threads end with $?"
read_trace whole "$folder/trace" "$folder/log"
expect '^calls 50 gpu 50 verified 0 ' "fifty calls on the GPU"
for stage in commit gather kernels load plan scatter 'start CUDA' 'create context' \
	'make cuFFT plan' store 'take lane'; do
	expect "stages.* $stage( |\$)" "no '$stage' in the trace"
done

# Verify mode: the box of a call includes its run on the CPU.
run EPOCHLY_GPU_VERIFY=1 EPOCHLY_GPU_LOG="$folder/log-verified" \
	EPOCHLY_GPU_TRACE="$folder/verified" "$threads" ||
	fail "the verified threads end with $?"
read_trace whole "$folder/verified" "$folder/log-verified"
expect '^calls 50 gpu 50 verified 50 ' "fifty calls that the CPU computes too"

# No trace file is made if the option is off, or if no call passes the gate, where an existing file
# also stays as it is.
run "$calls" once || fail "without a trace the program ends with $?"
[ "$(find "$folder" -name 'trace*' | wc -l)" -eq 1 ] ||
	fail "there is a trace that nobody asked for"
before=$(cksum <"$folder/trace")
run EPOCHLY_GPU_POLICY=threshold EPOCHLY_GPU_TRACE="$folder/trace" "$calls" small ||
	fail "small calls end with $?"
[ "$(cksum <"$folder/trace")" = "$before" ] || fail "small calls are traced"

# CUDA starts on a thread of its own, whatever stack the call has that waits for it.
run EPOCHLY_GPU_TRACE="$folder/large" "$calls" once || fail "one call ends with $?"
run EPOCHLY_GPU_TRACE="$folder/stack" "$calls" stack ||
	fail "one call on a small stack ends with $?"
read_trace whole "$folder/stack"
expect '^calls 1 gpu 1 ' "a call on a small stack"
if ! grep -q 'gpushim-warmup' "$folder/large" || ! grep -q 'gpushim-warmup' "$folder/stack"; then
	fail "CUDA is not started on a thread of its own"
fi

# A fork child writes its own file, or none if the path is the same for both.
run EPOCHLY_GPU_TRACE="$folder/one" "$calls" fork || fail "parent and child end with $?"
read_trace whole "$folder/one"
expect '^calls 2 gpu 2 ' "the parent's calls alone"
run EPOCHLY_GPU_TRACE="$folder/own-%p" "$calls" fork || fail "parent and child end with $?"
[ "$(find "$folder" -name 'own-*' | wc -l)" -eq 2 ] || fail "a file for each of two processes"
for file in "$folder"/own-*; do
	read_trace whole "$file"
	expect "pid ${file##*-} " "whose calls are in $file"
	cat "$folder/seen" >>"$folder/both"
done
[ "$(cut -d ' ' -f 2,4 "$folder/both" | sort | paste -sd ' ')" = "1 0 2 2" ] ||
	fail "two calls on the GPU, and the child's on the CPU: $(cat "$folder/both")"

# A child made without fork handlers leaves the trace to its parent.
run EPOCHLY_GPU_TRACE="$folder/copied" "$calls" copy || fail "a process and its copy end with $?"
read_trace whole "$folder/copied"
expect '^calls 200 gpu 200 ' "the calls of a process that was copied"

# If another process is writing the file, the shim prints one sentence. After a kill in the middle
# all whole lines are valid.
"$folder/launch" EPOCHLY_GPU_TRACE="$folder/busy" "$calls" loop &
background=$!
until [ -f "$folder/busy" ] && [ "$(wc -l <"$folder/busy")" -gt 200 ]; do sleep 0.05; done
run EPOCHLY_GPU_TRACE="$folder/busy" "$calls" once ||
	fail "beside another process the program ends with $?"
said 1 "another process is writing the trace" "that is not said once"
kill -9 "$background"
wait "$background" 2>/dev/null || :
background=
read_trace cut "$folder/busy"
expect '^calls [0-9]{2,} ' "the calls of a killed process"

# A program whose name is no valid text and hardly fits a line.
odd=$folder/$(printf '"%.0s' $(seq 200))$(printf '\\\377')
ln -s "$calls" "$odd"
run EPOCHLY_GPU_TRACE="$folder/odd" "$odd" once || fail "by another name the program ends with $?"
read_trace whole "$folder/odd"

# If the file cannot be made, or the disk is full at once or later, one sentence is printed and the
# program goes on.
run EPOCHLY_GPU_TRACE="$folder/nowhere/trace" "$calls" once ||
	fail "without a folder the program ends with $?"
said 1 "cannot open the trace .*No such file or directory; nothing more is traced" \
	"a folder that is missing"
run EPOCHLY_GPU_TRACE=/dev/full "$calls" fork || fail "with a full disk the program ends with $?"
said 1 "cannot write the trace '/dev/full': No space left on device; nothing more is traced" \
	"a full disk"
printf '#!/bin/sh\nulimit -f 150\nexec "$@"\n' >"$folder/limited"
chmod +x "$folder/limited"
run EPOCHLY_GPU_TRACE="$folder/short" "$folder/limited" "$threads" ||
	fail "with a limit the program ends with $?"
said 1 "cannot write the trace .*File too large; nothing more is traced" \
	"a limit of the file's size"
read_trace cut "$folder/short"

# NVTX ranges for a profiler, found by the variable that it sets or by the library that it loaded;
# also without a trace.
run NVTX_INJECTION64_PATH="$ranges" "$calls" once || fail "with a profiler the program ends with $?"
grep -qx "1 calls, 1 planned, balanced" "$folder/output" ||
	fail "by the variable: $(cat "$folder/output")"
run LD_PRELOAD="$build/libgpushim.so $ranges" EPOCHLY_GPU_TRACE="$folder/ranges" "$calls" once ||
	fail "with the library the program ends with $?"
grep -qx "1 calls, 1 planned, balanced" "$folder/output" ||
	fail "by the library: $(cat "$folder/output")"
read_trace whole "$folder/ranges"
run NVTX_INJECTION64_PATH="$folder/none.so" "$calls" once ||
	fail "with no profiler there the program ends with $?"
[ ! -s "$folder/errors" ] || fail "a profiler that is not there: $(cat "$folder/errors")"
[ $failed -eq 0 ] && echo "trace_file: threads, forks, a kill, full disks and ranges"
exit $failed
