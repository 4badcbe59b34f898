# run_audit.sh - the audit library is added before others; a tool without it says so
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
show='echo "LD_PRELOAD $LD_PRELOAD"; echo "LD_AUDIT ${LD_AUDIT-unset}"'
try() {
	"$GPUSHIM" "$@" 2>/dev/null
}
try run --audit -- sh -c "$show"
LD_AUDIT=/nowhere/libother.so:/nowhere/libgpushim-audit.so try run --audit -- sh -c "$show"
LD_AUDIT=/nowhere/libother.so try run -- sh -c "$show"
try run -- sh -c "$show"
try run --audit -- "$STATIC"
"$GPUSHIM" run --audit=yes -- true
echo "status $?"
"$GPUSHIM" compare --runs 1 --audit -- sh -c 'echo "LD_AUDIT ${LD_AUDIT+${LD_AUDIT##*/}}"' | grep 'LD_'
mkdir alone
cp "$GPUSHIM" "${GPUSHIM%/*}/libgpushim.so" alone
alone/gpushim run --audit -- true
echo "status $?"
alone/gpushim compare --audit -- true
echo "status $?"
