# calibrate_bar.sh - on a terminal a bar shows the progress, and it is removed at the end
# SPDX-License-Identifier: Apache-2.0
[ -d "$SIMCUDA" ] || { echo "skipped: there is no simulated CUDA here"; exit 77; }
command -v script >/dev/null ||
	{ echo "skipped: script (Debian: bsdutils), which makes a terminal, is not here"; exit 77; }
EPOCHLY_GPU_CUDA_PATH=$SIMCUDA script -qec "'$GPUSHIM' calibrate --quick --output machine.conf" \
	typescript </dev/null >terminal
echo "status $?"
tr '\r' '\n' <terminal | grep -oE '^\[[#.]{24}\] +[0-9]+ %  the (CPU|GPU)' | sed 's/.*%/BAR/' | uniq
echo "lines: $(grep -c measuring terminal)"
