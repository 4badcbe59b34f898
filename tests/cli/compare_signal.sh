# compare_signal.sh - a compare that is interrupted at once has nothing to tell, and leaves nothing
# SPDX-License-Identifier: Apache-2.0
mkfifo fifo
"$GPUSHIM" compare --export out.json -- sh -c 'echo ready >fifo; exec sleep 30' >report 2>errors &
read -r line <fifo
kill -TERM $!
wait $!
echo "$line, status $?"
cat report errors
ls out.json 2>/dev/null || echo "no out.json"
