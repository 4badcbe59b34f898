# compare_failure.sh - a program that fails: by itself, at times, with the shim only
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
# try OPTION... PROGRAM: the messages, the status, and of a report the lines on this.
try() {
	rm -f count
	status=0
	"$GPUSHIM" compare "$@" >report || status=$?
	grep -E '^(INCOMPLETE|exit status|[0-9]+ pairs?|  (with|without) )' report || true
	echo "status $status"
}
# A program that counts its runs, and then does what the words say.
counted() {
	printf '%s' 'n=$(cat count 2>/dev/null || echo 0); n=$((n + 1)); echo $n >count; '"$1"
}
echo "== always"
try --runs 2 -- sh -c 'echo "why it failed" >&2; exit 7'
try --runs 2 --warmup-runs 0 -- sh -c 'echo "why it failed" >&2; exit 7'
try --runs 2 -- "$PROBE" killed
try --runs 2 --ignore-failure -- sh -c 'exit 7'
echo "== every third run, which is one without the shim, or one with it"
third=$(counted '[ $((n % 3)) -ne 0 ] || exit 9')
try --runs 4 --seed 1 -- sh -c "$third"
try --runs 4 --seed 2 -- sh -c "$third"
try --runs 4 --ignore-failure -- sh -c "$third"
echo "== after some pairs"
try --runs 4 --warmup-runs 0 -- sh -c "$(counted '[ $n -lt 5 ] || exit 3')"
echo "== with the shim only"
try --runs 2 -- sh -c '[ -z "$LD_PRELOAD" ] || exit 4'
try --runs 2 -- sh -c '[ -z "$LD_PRELOAD" ] || kill -SEGV $$'
try --runs 2 -- sh -c "$(counted '[ $n -ne 2 ] || exit 4')"
try --runs 2 --try policy=never --try policy=always -- \
	sh -c '[ "$EPOCHLY_GPU_POLICY" != always ] || exit 4'
try --runs 2 --ignore-failure -- sh -c '[ -z "$LD_PRELOAD" ] || exit 4'
echo "== a signal with the shim, where the program has several statuses by itself"
try --runs 3 --ignore-failure --warmup-runs 0 -- \
	sh -c "$(counted '[ -z "$LD_PRELOAD" ] || kill -SEGV $$; [ $n -gt 3 ] || exit 5')"
echo "== the shim is not in it"
try --runs 2 -- "$STATIC"
