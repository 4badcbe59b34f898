# log_small_lapack.sh - small calls of LAPACK have their letters, bytes and flops; queries have none
# SPDX-License-Identifier: Apache-2.0
program=$(dirname "$PROBE")/cli_small
[ -x "$program" ] || { echo "skipped: LAPACK was not found when this was built"; exit 77; }
"$GPUSHIM" run --quiet --policy threshold --log-level call --log calls.log -- "$program"
# The outer calls; which ones they make inside is the library's business.
lines() {
	grep -E '"routine":"d(gesv|syev|gesvd)"' calls.log |
		sed -E 's/.*("routine".*"flops":[0-9]*),.*("reason":"[a-z_]*").*/\1 \2/' | sort
}
lines
sed -n 's/.*"routine":"\(d[a-z]*\)".*"jobs":"\([^"]*\)".*/\1 \2/p' calls.log |
	grep -E '^d(syev|gesvd) ' | sort
"$GPUSHIM" tune calls.log | grep -E '^d(gesv|syev|gesvd) ' | cut -d ' ' -f 1
