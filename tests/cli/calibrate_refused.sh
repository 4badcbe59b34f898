# calibrate_refused.sh - what cannot be stored is refused first; full disk or signal leaves no file
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
try() {
	"$GPUSHIM" calibrate "$@"
	echo "status $?"
}
try --quick
try --frobnicate
try --output
try --output ''
try --quick=yes --output x
try --output x more
try --output /dev/null
: >file
try --output file/machine.conf
mkdir folder
try --output folder
env -u HOME -u XDG_CACHE_HOME "$GPUSHIM" calibrate
echo "status $?"
echo "the one before" >machine.conf
(
	ulimit -f 0
	"$GPUSHIM" calibrate --quick --cpu-blas nowhere.so --output machine.conf 2>&1
	echo "full: status $?"
) | grep -E '^(gpushim: cannot write|full)'
timeout -s INT 2 "$GPUSHIM" calibrate --output machine.conf >report 2>steps
echo "status $?"
cat machine.conf
ls
