#!/bin/sh
# docs.sh - the commands of docs/residency.md run, and its reasons are those of the table
# SPDX-License-Identifier: Apache-2.0
#
# usage: docs.sh BUILD SOURCE LIVES
#
# ./simulation of the page is LIVES, a program that calls the same product again and again.
set -eu

build=$1
page=$2/docs/residency.md
reasons=$2/policy/resident/track_reason.def
lives=$3
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/driver/verdict.sh
. "$here/../driver/verdict.sh"

# A row of the page for each of the table but the first, whose two last texts are its cells.
(sed -n '/^TRACK_REASON/,$p' "$reasons" | tr '\n' ' ' && echo) | sed 's/ TRACK_REASON/\n&/g' |
	sed -n -E 's/^.*, +"[a-z_]+", +"([^"]*)", +"([^"]*)"\).*/| \1 | \2 |/p' | sed 1d >"$work/is"
sed -n '/^<!-- reasons: begin/,/^<!-- reasons: end/{/^| /p}' "$page" | sed 1d >"$work/says"
verdict "$([ "$(wc -l <"$work/is")" -gt 20 ] && echo yes)" "the table has hardly any reasons"
verdict "$(diff "$work/is" "$work/says" >"$work/diff" && echo yes)" \
	"the page (>) has other reasons than the table (<): $(cat "$work/diff")"

if [ ! -e "$build/simcuda" ]; then
	verdict_tell
	echo "skipped: there is no simulated CUDA"
	exit 77
fi

mkdir "$work/home"
printf '#!/bin/sh\nexec "%s" plain\n' "$lives" >"$work/home/simulation"
chmod +x "$work/home/simulation"
ln -s "$build/gpushim" "$work/home/gpushim"
# Of a slow link, for which small operands are worth a look.
printf '%s = 1e9\n' link_up_bytes link_down_bytes gpu_gemm_flops_d >"$work/slow"
sed -n 's/^    //p' "$page" >"$work/commands"
verdict "$([ "$(wc -l <"$work/commands")" -gt 5 ] && echo yes)" "the page has hardly any commands"
while read -r command; do
	status=0
	(cd "$work/home" && env -i PATH="$work/home:$PATH" HOME="$work/home" TMPDIR="$work" \
		SIMCUDA_MEMORY=64M EPOCHLY_GPU_POLICY=always EPOCHLY_GPU_WARMUP=wait \
		EPOCHLY_GPU_CUDA_PATH="$build/simcuda" EPOCHLY_GPU_PROFILE="$work/slow" sh -c "$command" </dev/null) \
		>"$work/out" 2>&1 || status=$?
	verdict "$([ $status -eq 0 ] && echo yes)" \
		"$command: status $status: $(cat "$work/out")"
done <"$work/commands"

# What the page names is there.
verdict "$(grep -q '"sent":' "$work/home/calls.log" && echo yes)" "the log has no sent"
if "$build/gpushim" doctor | grep -q '^  tracking of writes: possible$'; then
	verdict "$(grep -q '"kept":' "$work/home/calls.log" && echo yes)" "the log has no kept"
fi
verdict_tell
