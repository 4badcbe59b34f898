# golden_run.sh - the summary of run, and of a dry run with its prediction, in 80 columns
# SPDX-License-Identifier: Apache-2.0
here=$(dirname "$0")
. "$here/golden.inc"
ln -s "$PROBE" probe
ln -s "$STATIC" static
golden times "$GPUSHIM" run --warmup wait -- ./probe calls
golden times "$GPUSHIM" run --policy never -- ./probe calls
golden times "$GPUSHIM" run --policy dry --profile a100 -- ./probe calls
golden times "$GPUSHIM" run --policy never -- ./probe fork
golden times "$GPUSHIM" run -- ./probe killed
golden times "$GPUSHIM" run -- true
golden times "$GPUSHIM" run -- ./static
golden times "$GPUSHIM" run -- ./nowhere
