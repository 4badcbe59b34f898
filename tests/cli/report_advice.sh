# report_advice.sh - the first change that report advises, for different logs
# SPDX-License-Identifier: Apache-2.0
here=$(dirname "$0")
advise() {
	title=$1
	shift
	awk -v calls=50 "$@" -f "$here/report_log.awk" </dev/null >log
	echo "$title:"
	"$GPUSHIM" report log | sed '1,/^the first thing/d'
}
# shellcheck disable=SC2013 # names of reasons are plain words
for reason in $("$GPUSHIM" show reasons | awk '$1 ~ /_/ { print $1 }'); do
	advise "$reason" -v reason="$reason"
done
advise "small calls that would pay" -v reason=below_threshold -v size=500
advise "small calls of which nobody knows" -v reason=below_threshold -v size=50 -v predicted=no
advise "the GPU is used for too much" -v reason=policy_always -v side=gpu -v size=100
advise "a model that expects too much of the GPU" -v reason=predicted_faster -v side=gpu -v slow=40
advise "a model that is off" -v reason=predicted_faster -v side=gpu -v slow=4
advise "all is well" -v reason=predicted_faster -v side=gpu
advise "the CPU is faster" -v reason=predicted_slower -v size=100
for reason in start_not_paid warming_up no_driver; do
	advise "CUDA's start costs more than $reason" -v reason=$reason -v calls=5
done
echo "CUDA was starting:"
for side in cpu gpu; do
	reason=no_driver
	[ $side = cpu ] || reason=predicted_faster
	awk -v calls=50 -v reason=warming_up -f "$here/report_log.awk" </dev/null >log
	awk -v calls=1 -v reason=$reason -v side=$side -f "$here/report_log.awk" </dev/null >>log
	"$GPUSHIM" report log | sed '1,/^the first thing/d'
done
