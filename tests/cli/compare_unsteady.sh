# compare_unsteady.sh - a program whose output differs from itself is compared by what does not
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
try() {
	status=0
	"$GPUSHIM" compare "$@" >report || status=$?
	sed -n '/^output/,/^exit/p' report | grep -v '^exit' | sed -E 's/run [0-9]+/run PID/'
	echo "status $status"
}
echo "== every line"
try --runs 2 -- sh -c 'echo run $$'
echo "== one line of three"
try --runs 2 -- sh -c 'echo run $$; echo energy 1.5; echo done'
try --runs 2 -- sh -c 'echo run $$; [ -z "$LD_PRELOAD" ] && echo 1.5 || echo 1.50; echo done'
try --runs 2 -- sh -c 'echo run $$; [ -z "$LD_PRELOAD" ] && echo 1.5 || echo 1.6; echo done'
echo "== a line that changes late: the first four runs without the shim print the same"
cat >late <<'END'
[ -n "$LD_PRELOAD" ] || { n=$(cat count 2>/dev/null || echo 0); n=$((n + 1)); echo $n >count; }
echo "at $([ -n "$LD_PRELOAD" ] && echo three || { [ $n -gt 4 ] && echo two || echo one; })"
echo done
END
try --runs 2 -- sh late
echo "== the time in seconds, whether it changes in these few runs or not"
try --runs 4 -- sh -c 'date +%s; echo done' | grep status
echo "== one run of each is made: another one tells"
try --runs 1 --warmup-runs 0 -- sh -c 'echo run $$; echo done'
try --runs 1 --warmup-runs 0 -- sh -c 'echo run $$; echo "$LD_PRELOAD" | wc -w'
echo "== the number of lines"
try --runs 2 -- sh -c 'echo first; [ ! -e odd ] && touch odd || { rm odd; echo second; }; echo done'
echo "== a line with zero bytes, one of 20 MB, and nothing"
try --runs 1 -- sh -c 'printf "a\0%s\n" $$; echo done' | sed 's/a?[0-9]*/a?PID/'
try --runs 1 -- sh -c 'head -c 20000000 /dev/zero | tr "\0" 7; echo $$' | sed 's/7[0-9]*$/PID/'
try --runs 1 -- true
