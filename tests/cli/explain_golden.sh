# explain_golden.sh - decisions on the machines of config/machines, and which calls use the GPU
# SPDX-License-Identifier: Apache-2.0
calls() {
	cat <<'END'
dgemm 500 500 500
dgemm 1000 1000 1000
dgemm 2000 2000 2000
dgemm 4096 4096 4096
dgemm 16384 16384 16384
dgemm 10000 10000 32
dgemm 64 64 1000000
sgemm 4096 4096 4096
zgemm 2000 2000 2000
dsyrk 4000 1000
dtrsm 8000 500
dgemm 2000 2000 2000 --pinned
dgemm 2000 2000 2000 --on-device A,B,C
dgemm 4096 4096 4096 --sharers 4
fft 1048576
fft 512x512x512
fft 4096x4096 --precision single
fft 256x256x256 --pinned
fft 1024 --batch 10000
END
}
printf '%-14s %-7s %-38s %s\n' machine threads call "side, speedup, band"
for path in "${GPUSHIM%/*}"/machines/*.conf; do
	machine=$(basename "$path" .conf)
	for threads in 1 all; do
		calls | while read -r call; do
			set -- --profile "$machine" --policy auto --json
			[ $threads = all ] || set -- "$@" --threads $threads
			# shellcheck disable=SC2086
			"$GPUSHIM" explain $call "$@" >facts || exit
			sed -E 's/.*"target":"([a-z]*)","reason":"[a-z_]*","first".*"speedup":([0-9.e+-]*),"band":"([a-z ]*)".*/\1 \2 \3/' facts |
				LC_ALL=C awk -v machine="$machine" -v threads="$threads" -v call="$call" '{
					side = $1; speedup = sprintf(($2 >= 10 ? "%.0f" : "%.2g"), $2); sub(/^[^ ]* [^ ]* /, "")
					printf "%-14s %-7s %-38s %s %6s  %s\n", machine, threads, call, side, speedup, $0 }'
		done
	done
done
