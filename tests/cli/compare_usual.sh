# compare_usual.sh - --prepare, --name, --min-runs; the terminal is given back as it was
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
echo "== a command before each run, without the shim and without the program's output"
"$GPUSHIM" compare --runs 2 --prepare 'echo "before ${LD_PRELOAD-}" >>log; echo seen' \
	-- sh -c 'echo "run" >>log' | grep -E '^(output|exit)'
uniq -c log | sort | uniq -c
"$GPUSHIM" compare --prepare 'exit 3' -- true
echo "status $?"
"$GPUSHIM" compare --prepare 'kill -9 $$' -- true
echo "status $?"
echo "== names"
"$GPUSHIM" compare --runs 1 --name first --try policy=never --try policy=always \
	--name "$(printf 'b\033c')" -- true | grep -E '^output'
"$GPUSHIM" compare --runs 1 --name first -- true >report
grep -cE '^first ' report
"$GPUSHIM" compare --name first --name second -- true
"$GPUSHIM" compare --name '' -- true
echo "== the least number of runs"
"$GPUSHIM" compare --min-runs 3 --seconds 0.000001 -- true | grep 'pairs of'
"$GPUSHIM" compare --min-runs 11 -- true | grep 'pairs of'
"$GPUSHIM" compare --min-runs 3 --runs 2 -- true
echo "status $?"
echo "== a program that leaves the terminal without echo"
command -v script >/dev/null || exit 0
cat >program <<'END'
stty -echo raw </dev/tty
END
script -qec "'$GPUSHIM' compare --runs 1 -- sh program >report; stty -a" typescript </dev/null |
	grep -oE '[-]?(echo|icanon|opost)( |;|$)' | tr -d ' ;\r'
