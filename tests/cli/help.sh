# help.sh - help, version, and a mistake in the arguments of each command
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
try() {
	"$GPUSHIM" "$@"
	echo "status $?"
}
"$GPUSHIM" --version | sed 's/[0-9].*/VERSION/'
"$GPUSHIM" --help | sed '1s/ [0-9.]*:/ VERSION:/'
try help compare
try run --help
try help explain
try help nothing
try
try shwo
try launch
try --frobnicate
try run
try run --
try run --polcy never true
try run --policy sometimes true
try run --policy
try run --workload-threshold=many true
try run -x true
try run --zzzzzzzzzz=1 true
try compare
try compare --runs 0 true
try compare --runs
try compare --tolerance=-1 true
try compare --counters=/tmp true
try compare --frobnicate true
try doctor --frobnicate
try show --frobnicate
try doctor true false
try show
try show options reasons
try show everything
# A failed write is reported, whatever the status would be otherwise.
"$GPUSHIM" show reasons >/dev/full
echo "status $?"
"$GPUSHIM" doctor >/dev/full
echo "status $?"
exec "$GPUSHIM" show nothing
