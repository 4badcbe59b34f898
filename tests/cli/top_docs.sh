# top_docs.sh - the page in the documentation has the lines of a real one
# SPDX-License-Identifier: Apache-2.0
command -v script >/dev/null ||
	{ echo "skipped: script (Debian: bsdutils), which makes a terminal, is not here"; exit 77; }
make=$(dirname "$PROBE")/top_make
docs=$(dirname "$0")/../../docs/tuning.md
escape=$(printf '\033')
mkdir files
start=$(date +%s%N)
"$make" files $$ "$start" /opt/bin/simulation forwarded 1
"$make" files 1 "$start" /opt/bin/simulation forwarded 1
# Numbers become N, so that their widths do not matter; values that change over time are left out.
shape() {
	sed -E -e 's/[0-9]{2}:[0-9]{2}:[0-9]{2}/CLOCK/' -e 's/last [0-9.]+ s/SINCE/' -e 's/ +[0-9.]+[kMG]?\b/ N/g' \
		-e 's/ (predicted_slower|dry_run_faster|below_threshold)$/ REASON/' -e 's/ -$/ REASON/' -e 's/ (N %|-) / SHARE /' | sed -E 's/  +/ /g'
}
sed -n '/^## Top/,/^## Trace/p' "$docs" |
	grep -E '^    (gpushim top  | +pid| +[0-9]+ sim| +total)' | sed 's/^    //' | shape >written
echo 'stty cols 80 rows 24; exec "$GPUSHIM" top --folder files --interval 0.1 --count 2' >inside
TERM=xterm script -qec "sh inside" screen </dev/null >/dev/null
tr -d '\r' <screen | sed -e "s/$escape\[H/\n/g" -e "s/$escape\[?*[0-9]*[a-zA-Z]//g" |
	awk '/^gpushim top/ { page = "" } { page = page $0 "\n" } END { printf "%s", page }' |
		grep -v ^Script | shape >real
diff written real && cat real
