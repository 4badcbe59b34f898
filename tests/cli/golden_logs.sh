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
golden exact "$GPUSHIM" tune --profile a100 rank0.log rank1.log
golden exact "$GPUSHIM" tune --profile h200 --threads 1 dry.log
golden exact "$GPUSHIM" tune --profile h200 --write settings.conf dry.log
golden exact "$GPUSHIM" tune --profile h200 --write settings.conf dry.log
golden exact "$GPUSHIM" tune --profile a100 small.log
golden exact "$GPUSHIM" tune --profile a100 broken.log
golden exact "$GPUSHIM" tune empty.log
golden exact "$GPUSHIM" tune --profile nosuch dry.log
