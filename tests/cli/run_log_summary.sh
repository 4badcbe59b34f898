# run_log_summary.sh - log_level summary: totals of each process at its end, in one file
# SPDX-License-Identifier: Apache-2.0
run() {
	"$GPUSHIM" run --log log --log-level summary --warmup wait "$@" >/dev/null 2>&1
	echo "status $?"
}
totals() {
	grep -oE '"reason":"[a-z_]*"|"bytes":[0-9]*|"calls":[0-9]*|}$' log |
		sed 's/no_cuda_libraries/no_driver/' | tr -d '"\n' | tr '}' '\n'
}
run -- "$PROBE" calls
totals
rm log
echo "a child, which counts its own calls, and a process that is killed:"
run -- "$PROBE" fork
run -- "$PROBE" killed
totals | sort
echo "report and tune:"
"$GPUSHIM" report log | sed -n "s/^host .*/host/; 1,/^on the GPU/p"
"$GPUSHIM" tune log 2>&1 | head -n 2
"$GPUSHIM" run --log nowhere/log --log-level summary -- "$PROBE" calls 2>&1 |
	sed -f "$WHOLE" | grep warn
"$GPUSHIM" run --log /dev/full --log-level summary -- "$PROBE" calls 2>&1 |
	sed -f "$WHOLE" | grep warn
