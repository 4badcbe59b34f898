# golden_logs.sh - report and tune in 80 columns, of logs made by a rule
# SPDX-License-Identifier: Apache-2.0
here=$(dirname "$0")
. "$here/golden.inc"
width_log() {
	awk "$@" -f "$here/report_log.awk" </dev/null
}
width_log -v calls=200 -v pid=10 >rank0.log
width_log -v calls=100 -v pid=10 -v object=a_library_with_a_long_name_of_its_own.so.2 >rank1.log
width_log -v calls=40 -v reason=dry_run_faster -v size=4000 >dry.log
width_log -v calls=20 -v reason=predicted_slower -v size=100 >small.log
# Four ranks on two nodes: the third one has more calls, and the GPU of the last two is shared.
rank=0
for node in node1 node1 node2 node2; do
	calls=$((rank == 2 ? 240 : 100))
	head="\"program\":\"pw.x\",\"host\":\"$node\",\"machine\":\"\",\"measured\":\"\""
	head="$head,\"rank\":\"$rank\",\"size\":\"4\""
	width_log -v calls=$calls -v pid=$((20 + rank)) -v slow=$((1 + rank / 2)) -v inner=80 \
		-v head="$head,\"launcher\":\"Slurm\",\"job\":\"4711\",\"step\":\"0\"" \
		-v pci=0000:$((rank < 3 ? rank + 1 : 3))a:00.0 >job.$rank
	rank=$((rank + 1))
done
: >empty.log
{
	head -n 5 rank0.log
	echo "no record"
} >broken.log
golden exact "$GPUSHIM" report --profile a100 rank0.log rank1.log
golden exact "$GPUSHIM" report --profile h200 dry.log
golden exact "$GPUSHIM" report --profile h200 --html page.html small.log
golden exact "$GPUSHIM" report --profile a100 broken.log
golden exact "$GPUSHIM" report empty.log
golden exact "$GPUSHIM" report there-is-no-such-log-in-this-folder.log
golden exact "$GPUSHIM" report --profile a100 job.0 job.1 job.2 job.3
golden exact "$GPUSHIM" tune --profile a100 rank0.log rank1.log
golden exact "$GPUSHIM" tune --profile h200 --threads 1 dry.log
golden exact "$GPUSHIM" tune --profile h200 --write settings.conf dry.log
golden exact "$GPUSHIM" tune --profile h200 --write settings.conf dry.log
golden exact "$GPUSHIM" tune --profile a100 small.log
golden exact "$GPUSHIM" tune --profile a100 broken.log
golden exact "$GPUSHIM" tune empty.log
golden exact "$GPUSHIM" tune --profile nosuch dry.log
