# run_pipe.sh - nobody reads the summary: the tool still cleans up, and the program has SIGPIPE as ever
# SPDX-License-Identifier: Apache-2.0
"$GPUSHIM" run -- sh -c 'kill -PIPE $$; echo still here' 2>&1
echo "status $?"
(
	"$GPUSHIM" run -- sh -c 'sleep 1; exit 6' 2>&1
	echo "status $?" >status
) | :
cat status
