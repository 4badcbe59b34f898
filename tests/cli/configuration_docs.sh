# configuration_docs.sh - tables and messages in docs/configuration.md equal those that are printed
# SPDX-License-Identifier: Apache-2.0
docs=$(dirname "$0")/../../docs/configuration.md
# Parts of the tables; "..." stands for lines left out.
COLUMNS='' "$GPUSHIM" show options >real
COLUMNS='' "$GPUSHIM" show reasons >>real
sed -n '/^    \$ gpushim show options/,/^$/s/^    //p' "$docs" | grep -vE '^([$] |[.]{3}$)' >shown
wc -l <shown
if grep -vxFf real shown; then echo "these are not in the tables"; fi
# The messages: for line 12 of a file, for a variable, and for a missing file.
{ seq 11 | sed 's/^/# /'; echo 'workload_treshold = 1e6'; } >file.conf
EPOCHLY_GPU_CONFIG=file.conf "$GPUSHIM" explain dgemm 9 2>&1 >/dev/null |
	sed 's|file.conf|/etc/gpushim.conf|' >messages
EPOCHLY_GPU_POLICY=fast EPOCHLY_GPU_CONFIG=site.conf "$GPUSHIM" explain dgemm 9 \
	2>>messages >/dev/null
grep '^gpushim: warn: ' "$docs" >says
wc -l <says
LC_ALL=C sort messages >is
LC_ALL=C sort says | diff - is
