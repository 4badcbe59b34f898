# predict_one.sh - compare, tune, the dry run, report and explain tell one prediction
# SPDX-License-Identifier: Apache-2.0
#
# Three programs (products and transforms of mixed sizes; few executions of plans; few large calls,
# where CUDA's start decides) on three machines, and on one where CUDA starts so soon that the
# first program has calls on the GPU. compare keeps no log: the program copies it.
build=$(dirname "$GPUSHIM")
[ -x "$build/simulation" ] || { echo "skipped: the example is not built"; exit 77; }
export build
cat >program <<'END'
case $1 in
mixed) "$build/simulation" --size 256 --steps 6 >output 2>&1 ;;
plans)
	for n in 65536 1048576 4194304 4194304; do
		"$SIZES" fftw_c2c "$n"
	done
	;;
large)
	for n in 8192 4096 8192; do
		"$SIZES" dgemm "$n"
	done
	;;
esac
[ -z "$EPOCHLY_GPU_LOG" ] || [ "$EPOCHLY_GPU_LOG" -ef kept ] || cp "$EPOCHLY_GPU_LOG" kept
END
words() {
	awk '/^here: /{on = 1} on && !/^here: |^  /{exit} on && !/the program/'
}
same() {
	cmp -s "$1" "$2" || { echo "FAIL: $1 and $2 differ"; diff "$1" "$2"; }
}
members() {
	grep -o '"prediction":{[^}]*}'
}
# The lines of the prediction on a page of report.
page() {
	sed 's|</p>|\n|g' | sed -n '/What the policy auto would do/,/<\/div>/p' |
		sed -n -e 's/&gt;/>/g' -e "s/&#39;/'/g" -e 's/.*<p>\(here.*\)/\1/p' -e 's/.*<p>/  /p'
}
sed -e 's/^name.*/name = "quick H200"/' -e 's/^start_ns.*/start_ns = 1e6/' \
	-e 's/^fft_plan_ns.*/fft_plan_ns = 1e5/' "$build/machines/h200.conf" >quick.conf
for machine in h200 a100 rtx4090 ./quick.conf; do
	for name in mixed plans large; do
		rm -f kept dry
		"$GPUSHIM" compare --runs 1 --warmup-runs 0 --profile $machine \
			--export exported -- sh program $name |
			words >compared
		"$GPUSHIM" tune --profile $machine kept | words >tuned
		"$GPUSHIM" report --profile $machine --html html kept | words >reported
		"$GPUSHIM" tune --profile $machine --json kept | members >tuned.json
		"$GPUSHIM" report --profile $machine --json kept | members >reported.json
		same compared tuned
		same tuned reported
		same tuned.json reported.json
		members <exported >exported.json
		same exported.json reported.json
		page <html >paged
		same reported paged
		"$GPUSHIM" run --policy dry --profile $machine --log dry -- sh program $name 2>&1 |
			words >ran
		"$GPUSHIM" tune --profile $machine dry | words >tuned
		"$GPUSHIM" report --profile $machine dry | words >reported
		same ran tuned
		same tuned reported
		echo "$machine $name: $(head -n 1 ran)"
		[ "$machine$name" != ./quick.confmixed ] ||
			sed -n 's/^  [1-9][0-9]* of .*/  on the GPU/p' ran
	done
done

# Calls that take what explain expects, in a log. Arguments: a line of the log, its routine and
# sizes for explain, how many calls.
record() {
	printf '{"time":"2026-11-21T02:10:25.000000Z","pid":7,"tid":7,"object":"prog",%s,' "$1"
	printf '"target":"cpu","reason":"policy_never","device":-1,"math":"-",'
	printf '"predicted_cpu_ns":-1,"predicted_gpu_ns":-1,"elapsed_ns":%d}\n' "$2"
}
explain() {
	line=$1 calls=$2
	shift 2
	for machine in h200 a100 rtx4090; do
		"$GPUSHIM" explain "$@" --calls "$calls" --profile $machine --json |
			members >explained
		cpu=$(sed 's/.*"cpu_ns":\([0-9]*\).*/\1/' explained)
		i=0
		while [ $i -lt "$calls" ]; do
			record "$line" $((cpu / calls))
			i=$((i + 1))
		done >log
		"$GPUSHIM" tune --profile $machine --json log | members >tuned
		"$GPUSHIM" report --profile $machine --json log | members >reported
		same explained tuned
		same tuned reported
		"$GPUSHIM" explain "$@" --calls "$calls" --profile $machine | words >explained
		"$GPUSHIM" tune --profile $machine log | words >tuned
		same explained tuned
		echo "$machine $*: $(sed -n 2p explained)"
	done
}
products='"symbol":"dgemm_","routine":"dgemm","sizes"'
transforms='"symbol":"fftw_execute","routine":"fftw_c2c","sizes"'
explain "$products"':{"m":8192,"n":8192,"k":8192},"bytes":1610612736,"flops":1099511627776' \
	9 dgemm 8192
explain "$transforms"':{"n0":16777216,"howmany":1},"bytes":536870912,"flops":2013265920' \
	40 fft 16777216
explain "$products"':{"m":512,"n":512,"k":512},"bytes":6291456,"flops":268435456' \
	2 dgemm 512

echo "-- no call is large enough, and why"
gated() {
	routine=$1 size=$2
	shift 2
	"$GPUSHIM" run --policy dry --profile h200 "$@" -- "$SIZES" "$routine" "$size" 2>&1 |
		words >ran
	"$GPUSHIM" compare --runs 1 --warmup-runs 0 --profile h200 "$@" --export exported \
		-- "$SIZES" "$routine" "$size" | words >compared
	same ran compared
	members <exported | grep -c '"calls":0,'
	sed 1d ran
}
gated dgemm 40
gated dgemm 40 --workload-threshold 1e9
"$GPUSHIM" explain dgemm 40 --profile h200 --workload-threshold 1e9 | words >explained
same ran explained
EPOCHLY_GPU_WORKLOAD_THRESHOLD_SGEMM=7 gated dgemm 40
EPOCHLY_GPU_POLICY_DGEMM=never "$GPUSHIM" run --policy dry -- "$SIZES" dgemm 40 2>&1 | words
echo "-- a policy of one routine alone"
untimed() { words | sed -E 's/[0-9.]+ (ns|us|ms|s)\b/T/g'; }
"$GPUSHIM" run --policy dry -- "$SIZES" dgemm 4096 2>&1 | untimed >ran
EPOCHLY_GPU_POLICY_DGEMM=dry "$GPUSHIM" run -- "$SIZES" dgemm 4096 2>&1 | untimed >alone
same ran alone
cat alone
echo "-- no call, or none that may be decided on: nothing"
"$GPUSHIM" run --policy dry -- true 2>&1 | words
"$GPUSHIM" run --policy dry --only nothing -- "$SIZES" dgemm 40 2>&1 | words
"$GPUSHIM" compare --runs 1 --warmup-runs 0 --policy never --export exported \
	-- "$SIZES" dgemm 40 | words
grep '"prediction"' exported

echo "-- the first call and those once CUDA runs"
states() {
	"$GPUSHIM" explain "$@" | sed -n -e '/^here/,/^$/s/^\([a-z].*: .PU.*\)/\1/p' -e '/^decision/p' |
		grep -v ^here
}
states dgemm 4096 --profile h200
states dgemm 4096 --profile h200 --calls 9
states dgemm 4096 --profile ./quick.conf
states dgemm 40 --profile h200
for policy in always threshold never dry; do
	states dgemm 4096 --profile h200 --policy $policy
done
"$GPUSHIM" explain dgemm 4096 --profile h200 --json |
	grep -o '"target":"gpu","reason":"[a-z_]*","first":{[^}]*},"cold":{[^}]*}'

echo "-- tune and report take the machine that the log of a dry run names"
"$GPUSHIM" run --policy dry --profile rtx4090 --log named -- sh program large >/dev/null 2>&1
"$GPUSHIM" tune named | head -n 1
"$GPUSHIM" report named | head -n 1
echo "-- no machine named, no driver: the first words"
"$GPUSHIM" explain dgemm 4096 | head -n 1
"$GPUSHIM" tune kept --profile h200 | head -n 1
"$GPUSHIM" report kept --profile h200 | head -n 1
"$GPUSHIM" run --policy dry -- sh program large 2>&1 | grep ^here:
"$GPUSHIM" compare --runs 1 --warmup-runs 0 -- sh program large | grep ^here:
for command in "explain dgemm 4096" "tune kept" "report kept"; do
	# shellcheck disable=SC2086
	"$GPUSHIM" $command --json | members |
		grep -o '"here":"cpu","absence":"[^"]*"\|"source":"[a-z]*"' | tr '\n' ' '
	echo
done
