# shellcheck shell=sh disable=SC2034,SC2154 # variables of run.sh
# campaign_peers.sh - the part peers of run.sh: the shim beside its peers, one table of all cases
# SPDX-License-Identifier: Apache-2.0
figures=$folder/peers.csv

# The table of what was measured so far.
campaign_tabulate() {
	[ -s "$figures" ] || return
	awk -v kind="$kind" -f "$here/campaign/peers_table.awk" "$figures" >"$folder/table.part" &&
		mv "$folder/table.part" "$folder/table.txt"
}

campaign_conclude() {
	campaign_tabulate
	cat "$folder/table.txt" 2>/dev/null
}

part_lasts 110
if campaign_need_profile 45 --brief; then
	part_lasts 530
	for group in goals products others break-even; do
		# shellcheck disable=SC2086 # nothing or one word
		step_own "$group" 125 "$here/bench/peers" $quick --profile "$results/machine.conf" \
			--group "$group" --figures "$figures" --seconds "$(scaled 105)" \
			--case-seconds "$(scaled 20)"
		campaign_tabulate
		campaign_archive main
	done
else
	say "peers: left out, link wrote no profile"
fi
