# run_refused.sh - programs that cannot be started, and programs that no preload can reach
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
try() {
	"$GPUSHIM" run -- "$@"
	echo "status $?"
}
try ./nowhere
try no-such-program-anywhere
echo 'echo text' >text
try ./text
chmod +x text
try ./text
mkdir folder
try ./folder
printf '#!/nowhere/interpreter\n' >script
chmod +x script
try ./script
printf '#!/usr/bin/env sh\necho from a script\n' >script
try ./script
try "$STATIC"
printf '\177ELF\001\001\001%045d' 0 >small
chmod +x small
try ./small 2>&1 | sed 1q
try ''
