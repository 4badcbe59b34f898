# report_ranks.sh - ranks and GPUs as text, JSON and page; many ranks; a single one; odd names
# SPDX-License-Identifier: Apache-2.0
here=$(dirname "$0")
# log RANK SIZE HOST STEP CALLS PCI [PID]: the log of a rank.
log() {
	printf '"program":"x","host":"%s","machine":"","measured":"","rank":"%s","size":"%s",' \
		"$3" "$1" "$2" >head
	printf '"local_rank":"0","launcher":"Hydra","step":"%s"' "$4" >>head
	awk -v calls="$5" -v pid="${7-$((100 + $1))}" -v inner=80 -v pci="$6" \
		-v head="$(sed 's/\\/\\\\/g' head)" -f "$here/report_log.awk" </dev/null
}
show() {
	"$GPUSHIM" report --profile a100 "$@" |
		awk '/^(ranks|GPUs|what the ranks)/ { on = 1 } /^(routines|the first)/ { on = 0 } on'
}
page() {
	"$GPUSHIM" report --quiet --html page.html "$@"
	sed -E 's/<[^>]*>/ /g' page.html | tr -s ' ' ' '
}
echo "== one file, three of four ranks"
log 2 4 node2 a 40 0000:01:00.0 >job
log 0 4 node1 a 40 0000:01:00.0 >>job
log 1 4 node1 a 90 0000:02:00.0 >>job
show job
"$GPUSHIM" report --json job | grep -o '"ranks":.*"timeline"' |
	sed -E 's/"(bytes|flops|wait_ns)":[0-9.e+]*,?//g'
page job | tr ' ' '\n' | grep -cx '0000:01:00.0'
page job | grep -o 'The longest is [0-9.]* times the mean; 3 of 4 ranks have records'
echo "== two launches in one log"
{ log 0 2 n first 20 ''; log 1 2 n first 20 ''; log 0 2 n second 20 '' 70; } >launches
show launches
echo "== twenty ranks"
for rank in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do
	log "$rank" 20 "node$((rank / 4))" a $((10 + rank)) "0000:0$((rank % 4)):00.0"
done >many
show many
echo "== a single rank, and processes without ranks"
log 0 1 node1 a 40 0000:01:00.0 >one
show one
"$GPUSHIM" report --json one | grep -c '"ranks"\|"cards"\|"findings"'
page one | grep -c 'Ranks\|PCI'
for pid in 1 2; do
	awk -v calls=40 -v pid=$pid -v head='"host":"h"' -v pci=0000:0$pid:00.0 \
		-f "$here/report_log.awk" </dev/null
done >two
show two
echo "== names that are no words of a terminal"
log 0 2 '<b>\u001b[31m\u202e' a 20 '0000\n<i>' >odd
log 1 2 "$(printf 'x\377y')" a 40 'a\\\"b' >>odd
show odd
"$GPUSHIM" report --json odd | grep -o '"cards":[^]]*' | grep -o '"\(host\|pci\)":"[^,]*'
page odd | grep -c "$(printf '\033')"
