# doctor_program.sh - routines that a program needs, without running it
# SPDX-License-Identifier: Apache-2.0
export COLUMNS=1000
# The line of the verdict, and the section.
examine() {
	"$GPUSHIM" doctor -- "$@" >report
	echo "status $?"
	sed -n -E -e '/^.. program/p' -e '/^program/,$p' report | sed -E 's|for /.*|for SH|'
}
examine "$WANTS"
examine "$STATIC"
examine ./nowhere
printf '#!/usr/bin/env sh\n' >script
chmod +x script
examine ./script
# The tool itself looks names up with dlsym.
"$GPUSHIM" doctor "$GPUSHIM" | grep -e '--audit'
