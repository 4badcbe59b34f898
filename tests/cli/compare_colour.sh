# compare_colour.sh - on a terminal the verdict and differences are coloured; not under NO_COLOR
# SPDX-License-Identifier: Apache-2.0
command -v script >/dev/null ||
	{ echo "skipped: script (Debian: bsdutils), which makes a terminal, is not here"; exit 77; }
# What is coloured, and with which code.
coloured() {
	script -qec "'$GPUSHIM' compare $*; true" typescript </dev/null |
		grep -oE "$(printf '\033')\[[1-9][0-9]*m[A-Za-z]*" | tr -d '\033'
}
slow='[ -z "$LD_PRELOAD" ] || sleep 0.1'
coloured "--runs 6 -- sh -c '$slow'"
coloured "--runs 1 -- sh -c 'echo \"\$LD_PRELOAD\"'"
coloured "--runs 1 --ignore-failure -- sh -c '[ -z \"\$LD_PRELOAD\" ]'"
echo "== NO_COLOR"
export NO_COLOR=1
coloured "--runs 1 -- sh -c 'echo \"\$LD_PRELOAD\"'"
