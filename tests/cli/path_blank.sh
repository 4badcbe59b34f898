# path_blank.sh - an installation below "a folder": each command works, or says why it cannot
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
mkdir 'a folder'
from=$(dirname "$GPUSHIM")
for name in gpushim libgpushim.so libgpushim-audit.so libgpushim-coverage.so; do
	[ ! -e "$from/$name" ] || cp "$from/$name" 'a folder'
done
cp -RL "$from/machines" 'a folder'
tool='a folder/gpushim'
# try WORDS: the first line that the tool prints, and its status
try() {
	status=0
	"$tool" "$@" >out 2>&1 || status=$?
	echo "$1: status $status, $(sed 1q out)"
}
# -- programs would be run without the shim: these refuse --
try run true
try run --audit true
try compare true
try coverage true

# -- the doctor tells --
"$tool" doctor --json | tr '{' '\n' | grep '"name":"shim"'
"$tool" doctor | grep -A 1 -e '^  library: ' -e '^what to do next'

# -- all others need no shim --
log='a folder/log'
"$GPUSHIM" run --quiet --policy dry --profile a100 --log "$log" --log-level call -- \
	"$SIZES" dgemm 600
"$tool" report "$log" >out 2>&1 || cat out
"$tool" tune "$log" >out 2>&1 || cat out
"$tool" show options | grep -q '^policy = ' || echo "show: $?"
"$tool" explain --profile a100 dgemm 4096 | grep -q A100 || echo "explain: $?"
profile='a folder/machines/a100.conf'
"$tool" explain --profile "$profile" dgemm 4096 | grep -q A100 || echo "a profile: $?"
"$tool" --complete explain --profile '' | grep -q a100 || echo "complete: $?"
"$tool" --help | grep -q doctor || echo "help: $?"
