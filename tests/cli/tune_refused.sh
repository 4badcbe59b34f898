# tune_refused.sh - invalid arguments of tune: one sentence each, status 2
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
try() {
	"$GPUSHIM" tune "$@"
	echo "status $?"
}
: >some.log
try
try --json
try --threads
try --threads 0 some.log
try --threads many some.log
try --profile nosuch some.log
try --profile
try --write
try --force some.log
try --json=yes some.log
try --jsn some.log
try --policy sometimes some.log
try --workload-threshold -1 some.log
echo 'link_up_bytes = -1' >broken.conf
try --profile broken.conf some.log
try --help
