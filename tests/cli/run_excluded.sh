# run_excluded.sh - programs that only and except leave out: every place says so, of all calls
# SPDX-License-Identifier: Apache-2.0
reasons() {
	awk '$2 == "cpu" { print $1, $3, $4 }'
}
echo "only:"
"$GPUSHIM" run --only 'python*,R' -- "$PROBE" calls 2>&1 | reasons
echo "except:"
"$GPUSHIM" run --except 'cli_*' --log log --log-level call -- "$PROBE" calls 2>summary
grep -E 'program_excluded:|below' summary
grep -o '"reason":"[a-z_]*"' log | sort | uniq -c
"$GPUSHIM" report log | grep -oE '^  program_excluded +8|^  program_excluded is 100 %.*'
echo "compare:"
"$GPUSHIM" compare --runs 1 --only python3 -- "$PROBE" calls | grep -E 'every call|^  cpu'
echo "one routine:"
"$GPUSHIM" run --policy-dgemm never -- "$PROBE" calls 2>&1 | reasons
"$GPUSHIM" run --policy-sgemm never --warmup wait -- "$PROBE" calls 2>&1 | reasons
