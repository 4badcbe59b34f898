# compare_refused.sh - programs that cannot be compared
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
try() {
	"$GPUSHIM" compare --runs 1 -- "$@"
	echo "status $?"
}
try ./nowhere
: >text
try ./text
printf '\177ELF\001\001\001%045d' 0 >small
chmod +x small
try ./small
"$GPUSHIM" compare --runs 1 --ignore-failure -- "$STATIC" >report
echo "status $?"
grep -vE '^(shim|on /| )' report
# If stdout is closed, the first file that the tool opens must not get its number and the report.
"$GPUSHIM" compare --runs 1 -- true <&- >&-
echo "status $?, stdin and stdout are closed"
"$GPUSHIM" compare --runs 1 -- echo words 2>&- | grep '^output'
