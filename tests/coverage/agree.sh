# agree.sh - measures a program until coverage and the program's own clock agree; to be sourced
# SPDX-License-Identifier: Apache-2.0

# agree COMMAND...: another process can disturb one run, but a wrong figure is wrong each time, so
# three runs are allowed. Leaves figures, clock, report and verdict of the last one, and its status.
agree() {
	for attempt in 1 2 3; do
		status=0
		"$GPUSHIM" coverage --export figures -- "$@" >clock 2>report || status=$?
		python3 "$compare" figures <clock >verdict
		grep -qv 'agrees$' verdict || break
	done
}
