# doctor_program.sh - routines that a program needs, without running it
# SPDX-License-Identifier: Apache-2.0
"$GPUSHIM" doctor -- "$WANTS" >report
echo "status $?"
sed -n -e '/^program/,/^what/p' report
"$GPUSHIM" doctor "$STATIC" | sed -n -e '/^program/,$p' | sed '/driver\|CUDA\|GPU/d'
"$GPUSHIM" doctor ./nowhere | sed -n -e '/^program/,$p' | sed '/driver\|CUDA\|GPU/d'
printf '#!/usr/bin/env sh\n' >script
chmod +x script
"$GPUSHIM" doctor ./script | sed -n -e '/^program/,$p' |
	sed -E -e '/driver|CUDA|GPU/d' -e 's|for /.*|for SH|'
# The tool itself looks names up with dlsym.
"$GPUSHIM" doctor "$GPUSHIM" | grep -e '--audit'
