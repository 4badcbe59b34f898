# top_many.sh - a thousand processes, some of which die between two readings
# SPDX-License-Identifier: Apache-2.0
make=$(dirname "$PROBE")/top_make
mkdir files
mkfifo hold
"$make" crowd files 1000 <hold >crowd 2>&1 &
crowd=$!
exec 3>hold
tries=0
until [ -s crowd ] || [ $((tries += 1)) -gt 600 ]; do sleep 0.05; done
grep -q ready crowd ||
	{ echo "skipped: a thousand processes are not allowed here: $(cat crowd)"; exit 77; }
"$GPUSHIM" top --folder files --interval 0.2 >once
sed -n '1s/[0-9]*:.*  \([0-9]* running\).*/\1/p' once
grep -c crowd once
"$GPUSHIM" top --folder files --interval 0.2 --count 600 >page 2>&1 3>&- &
top=$!
tries=0
until grep -sq running page || [ $((tries += 1)) -gt 600 ]; do sleep 0.05; done
exec 3>&-
wait $crowd
tries=0
until grep -q 'no process with the shim' page || [ $((tries += 1)) -gt 600 ]; do sleep 0.05; done
kill $top
wait $top
grep -cE 'crowd .*killed$' page
"$GPUSHIM" top --folder files --interval 0.1 2>&1 >/dev/null
