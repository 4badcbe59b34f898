# run_profile.sh - a profile is a file or a reference machine's name; other names are refused
# SPDX-License-Identifier: Apache-2.0
cp "$(dirname "$GPUSHIM")/machines/a100.conf" mine.conf
for profile in a100 "$WORK/mine.conf" ./mine.conf mine.conf; do
	"$GPUSHIM" run --policy dry --profile "$profile" --workload-threshold 1e6 --log log \
		-- "$PROBE" calls 2>&1 |
		grep -c '^gpushim: warn'
	grep -o '"predicted_gpu_ns":[0-9]*' log | sort -u
	rm log
done
# A file of that name in the current folder takes precedence.
sed 's/^link_up_bytes.*/link_up_bytes = 1e6/' mine.conf >a100
"$GPUSHIM" run --policy dry --profile a100 --workload-threshold 1e6 --log log -- "$PROBE" calls \
	>/dev/null 2>&1
grep -o '"predicted_gpu_ns":[0-9]*' log | sort -u
for profile in a101 ../a100 ''; do
	"$GPUSHIM" run --policy dry --profile "$profile" -- "$PROBE" calls 2>&1 |
		sed -f "$WHOLE" | sed -n '/^gpushim: warn/p'
done
