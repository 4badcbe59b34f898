# report_head.sh - the report names program, host, date and machine with its source
# SPDX-License-Identifier: Apache-2.0
here=$(dirname "$0")
# log FILE PROGRAM HOST MACHINE MEASURED: a log of three calls, with texts as in JSON.
log() {
	printf '"program":"%s","host":"%s","machine":"%s","measured":"%s"' "$2" "$3" "$4" "$5" >head
	awk -v calls=3 -v head="$(sed 's/\\/\\\\/g' head)" -f "$here/report_log.awk" </dev/null >"$1"
}
show() {
	"$GPUSHIM" report "$@" | sed '/^calls/,$d'
	echo
}
log a simulation node1 'node1, with an H200' 2026-11-20T10:11:12Z
show a
"$GPUSHIM" report --json a | grep -o '"programs":[^]]*.'
# A job on two hosts, and a program without a profile.
log b simulation node2 'node1, with an H200' 2026-11-20T10:11:12Z
log c python3 node2 '' ''
log d octave node2 'H200 SXM, PCIe Gen5 (public figures)' ''
show a b c d
# More programs than there is room for; nothing is left out of the sums.
for i in 1 2 3 4 5 6; do
	log "e$i" "program $i" node1 '' ''
done
show e?
# Quotes, escapes, letters of other alphabets; what turns text or controls a terminal.
log f 'a \"b\" \\ <script> \u05e9\u05dc é \u001b[31m\u202e\n\ud800 ' "$(printf 'x\377y')" '' ''
show f
"$GPUSHIM" report --json f | grep -o '"programs":[^]]*.'
# A log of an older version; one whose values are of another type, or there twice.
awk -v calls=3 -f "$here/report_log.awk" </dev/null >old
show old
awk -v calls=3 -v head='"program":5' -f "$here/report_log.awk" </dev/null >odd
awk -v calls=3 -v head='"host":"a","host":"b"' -f "$here/report_log.awk" </dev/null >>odd
show odd 2>&1
# As the shim writes it: once for each process, however many records there are.
cp "$PROBE" 'a "program"'
for level in decision call; do
	"$GPUSHIM" run --policy dry --profile a100 --log-level "$level" --workload-threshold 0 \
		--log real -- './a "program"' calls >/dev/null 2>&1
done
echo "$(grep -c '"program":"a \\"program\\"","host":"[^"]*","machine":"A100[^"]*","measured":""' \
	real) heads"
"$GPUSHIM" report real | sed -n '/^program/p;/^machine/p'
echo "$("$GPUSHIM" report real | grep -c "^host       $(uname -n)$") host"
