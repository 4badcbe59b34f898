# run_pipe.sh - with no reader of the summary the tool cleans up; the program's SIGPIPE is unchanged
# SPDX-License-Identifier: Apache-2.0
"$GPUSHIM" run -- sh -c 'kill -PIPE $$; echo still here' 2>&1
echo "status $?"
(
	"$GPUSHIM" run -- sh -c 'sleep 1; exit 6' 2>&1
	echo "status $?" >status
) | :
cat status
