# tune_ranks.sh - logs of several ranks and hosts with equal pids, in one file or several
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
here=$(dirname "$0")
tune() {
	"$GPUSHIM" tune --threads 1 --profile a100 "$@"
}
rank() {
	awk -v pid="$1" -v calls="$2" -v size="$3" -v reason=predicted_slower -f "$here/report_log.awk" </dev/null
}
echo "-- one rank has the work, the other one hardly any; both have the same number, in containers of two hosts"
rank 7 40 2500 >log-host0-rank0
rank 7 6 300 >log-host1-rank1
"$GPUSHIM" report log-host0-rank0 log-host1-rank1 | grep '^logs'
tune log-host0-rank0 log-host1-rank1 | sed -n '/^log/p; /^setting/,/^best threshold:/p'
tune log-host1-rank1 log-host0-rank0 >turned
tune log-host0-rank0 log-host1-rank1 | cmp - turned && echo "the order of the files does not matter"
echo "-- a rank's log is named twice"
tune log-host0-rank0 log-host1-rank1 ./log-host0-rank0 | cmp - turned
echo "-- of forty ranks, a file each, then all in one file that they wrote to in turn"
pid=101
while [ "$pid" -le 140 ]; do
	rank "$pid" 8 2000 >"many-$pid"
	pid=$((pid + 1))
done
tune many-* | sed -n '/^setting/,/^best threshold:/p' >apart
paste -d '\n' many-* >together
tune together | sed -n '/^setting/,/^best threshold:/p' | cmp - apart &&
	grep -E '^policy auto' apart
