# report_refused.sh - files that are no log, or only partly: one sentence each, and a status
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
here=$(dirname "$0")
try() {
	"$GPUSHIM" report "$@" >report
	echo "status $?, $(grep -c '^calls' report) report of $*"
}
awk -v calls=20 -f "$here/report_log.awk" </dev/null >whole
try
try --html
try --what whole
try --json=yes whole
try --profile h200 whole
try --profile h201 whole
try nowhere
mkdir folder
try folder
: >empty
try empty
head -c 100000 /dev/zero | tr '\0' '\377' >binary
try binary
printf 'gpushim: warn: this is no log\n' >words
try words
head -c 1000 whole >cut
try cut
head -n 10 whole >partly
cat words >>partly
tail -n 10 whole >>partly
try partly
sed 's/}$/,"lane":[1,{"a":null}]}/' whole >newer
try newer
sed -E 's/"object":"[^"]*",//; s/,"math":"[^"]*"//' whole >older
try older
head -n 1 whole | tr -d '\n' >open_end
try open_end
gzip -c whole >whole.gz 2>/dev/null || printf '\037\213\010' >whole.gz
try whole.gz
try whole ./whole nowhere
"$GPUSHIM" report - <whole | grep -c '^calls'
# Text as some editors store it: with a byte order mark and CR LF line ends.
{
	printf '\357\273\277'
	sed 's/$/\r/' whole
} >marked
try marked
{
	head -n 10 whole
	head -c 3000000 /dev/zero | tr '\0' x
	printf '\n\0\0\n'
	tail -n 10 whole
} >long
try long
mkfifo pipe
cat whole >pipe &
try pipe
wait
cp whole ./-dash
try -- -dash
# For root every file is readable.
chmod 0 whole
if [ "$(id -u)" -ne 0 ]; then
	try whole 2>&1 |
		grep -v "^gpushim: cannot read 'whole': Permission denied$\|^gpushim: there is no\|^status 1, 0 report"
fi
chmod 600 whole
if [ -w /dev/full ]; then
	"$GPUSHIM" report cut >/dev/full
	echo "status $?, a full disk"
fi
"$GPUSHIM" report cut >&-
echo "status $?, stdout is closed"
"$GPUSHIM" report whole 2>&- | grep -c '^calls'
