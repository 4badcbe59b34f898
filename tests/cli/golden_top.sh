# golden_top.sh - a block of top in a pipe, in 80 columns
# SPDX-License-Identifier: Apache-2.0
here=$(dirname "$0")
. "$here/golden.inc"
make=$build/tests/cli/top_make
mkdir files none
"$make" files $$ "$(date +%s%N)" /opt/bin/a-program-with-a-name-that-is-longer-than-its-column \
	memory 512000000 1230000000 forwarded 1234567890
golden top "$GPUSHIM" top --folder files --interval 100ms
golden top "$GPUSHIM" top --folder none --interval 100ms
golden top "$GPUSHIM" top --folder nowhere
