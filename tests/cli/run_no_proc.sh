# run_no_proc.sh - without /proc the tool finds its library, and the program runs with it
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
hide='mount -t tmpfs none /proc'
unshare -rm sh -c "$hide" 2>/dev/null ||
	{ echo "skipped: /proc cannot be hidden here (unshare, mount)"; exit 77; }
unshare -rm sh -c "$hide"'; exec "$GPUSHIM" run --warmup wait -- "$PROBE" calls'
echo "status $?"
