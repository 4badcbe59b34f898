# configuration_docs.sh - tables and messages in docs/configuration.md equal those that are printed
# SPDX-License-Identifier: Apache-2.0
docs=$(dirname "$0")/../../docs/configuration.md
# Parts of the tables; "..." stands for lines left out.
COLUMNS='' "$GPUSHIM" show options >real
COLUMNS='' "$GPUSHIM" show reasons >>real
sed -n '/^    \$ gpushim show options/,/^$/s/^    //p' "$docs" | grep -vE '^([$] |[.]{3}$)' >shown
wc -l <shown
if grep -vxFf real shown; then echo "these are not in the tables"; fi
# The messages, in lines of 80 columns: for line 12 of a file, for a variable, a missing file.
mkdir etc
{ seq 11 | sed 's/^/# /'; echo 'workload_treshold = 1e6'; } >etc/gpushim.conf
COLUMNS='' EPOCHLY_GPU_CONFIG=etc/gpushim.conf "$GPUSHIM" explain dgemm 9 2>messages >/dev/null
COLUMNS='' EPOCHLY_GPU_POLICY=fast EPOCHLY_GPU_CONFIG=site.conf "$GPUSHIM" explain dgemm 9 \
	2>>messages >/dev/null
awk '/^```/ { shown = 0 } /^gpushim: warn: / { shown = 1 } shown' "$docs" >says
grep -c '^gpushim: warn: ' says
diff says messages
