# golden_show.sh - the tables of show in 80 columns
# SPDX-License-Identifier: Apache-2.0
here=$(dirname "$0")
. "$here/golden.inc"
golden exact "$GPUSHIM" show options
golden exact "$GPUSHIM" show reasons
golden exact "$GPUSHIM" show routines
golden exact "$GPUSHIM" show nothing
