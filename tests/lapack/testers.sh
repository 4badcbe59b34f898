#!/bin/sh
# testers.sh - netlib's LAPACK testers: verdicts as without the shim, each call accounted for
# SPDX-License-Identifier: Apache-2.0
#
# usage: testers.sh BUILD LIBRARIES PROVIDER WAY    see ../suites/suites.sh
#
# In the environment: TESTERS_SIZE short (see shorten.awk) or whole; TESTERS_TYPES of s d c z;
# TESTERS_INPUTS of test nep sep se2 svd ec ed gg gd sb sg bb glm gqr gsv csd lse.
set -eu
suite=lapack
# shellcheck source=tests/suites/suites.sh
. "$(dirname "$0")/../suites/suites.sh"
suites_begin "$@"
size=${TESTERS_SIZE:-short}
testers=$libraries/lapack$bits
[ -e "$testers/xlintstd" ] || suites_skip "there are no testers; package liblapack$bits-test has them"
tally=$build/tests/lapack/liblapack_tally.so
[ -e "$tally" ] || suites_skip "there is no $tally"

# The reference has its LAPACK in a folder of its own.
lapack=$folder
[ "$provider" != "reference$bits" ] || lapack=$libraries/lapack$bits
[ -e "$lapack/liblapack$bits.so.3" ] ||
	suites_skip "there is no LAPACK of ${provider%64}; package liblapack$bits-3 has the reference's"
ln -sf "$lapack/liblapack$bits.so.3" "$work/blas/"

# The calls that the tester's own object makes, and what the log and the counters say of them.
testers_balance() {
	touch "$work/tally" "$work/log.json"
	if ! awk -v program="$name" -v way="$way" -f "$here/../driver/decision_log.awk" \
		-f "$here/balance.awk" "$here/taken.list" "$work/tally" "$work/log.json" \
		>"$work/verdict"; then
		suites_fail "$1: the log does not account for the calls"
		head -n 40 "$work/verdict"
	else
		suites_say "$1: $(cat "$work/verdict")"
	fi
}

# testers_try PROGRAM INPUT
testers_try() {
	name=$1
	[ -e "$testers/$2.in" ] || { suites_fail "there is no $2.in"; return; }
	programs=$((programs + 1))
	input=$testers/$2.in
	if [ "$size" = short ]; then
		awk -v large="$large" -f "$here/shorten.awk" "$input" >"$work/input"
		input=$work/input
	fi
	suites_check_provider "$testers/$1"
	rm -f "$work/tally" "$work/log.json"
	suites_launch base "$tally$behind" "$surroundings LAPACK_TALLY=$work/tally" "$input" \
		"$testers/$1"
	if ! suites_runs_alone; then
		suites_say "$1 $2 is left out: status without the shim is $(cat "$work/base.status")"
		head -n 3 "$work/base.err"
		left_out=$((left_out + 1))
		return
	fi
	grep -qE 'passed|PASSED|All tests' "$work/base.out" ||
		suites_fail "$1 $2 passes nothing without the shim"
	suites_launch shim "$shim$behind" "$surroundings $settings" "$input" \
		"$testers/$1"
	suites_note_demand
	for run in base shim; do
		awk -f "$here/verdicts.awk" "$work/$run.out" >"$work/verdict"
		mv "$work/verdict" "$work/$run.out"
	done
	suites_compare "$1 $2"
	testers_balance "$1 $2"
}

# The C testers of BLAS need a symbol of the reference, these do not.
behind= large=0
case $way in
nan | huge) behind=:$build/tests/suites/libnan_malloc.so ;;
track) behind=:$build/tests/suites/libnan_malloc.so:$build/tests/suites/libheap_stack.so large=1 ;;
esac
inputs='test sep svd sg ed'
[ "$size" = short ] || inputs='test nep sep se2 svd ec ed gg gd sb sg bb glm gqr gsv csd lse'
for type in ${TESTERS_TYPES:-s d c z}; do
	for input in ${TESTERS_INPUTS:-$inputs}; do
		case $input in
		test) testers_try "xlintst$type" "${type}test" ;;
		ec | ed | gg | gd | sb | sg | bb) testers_try "xeigtst$type" "$type$input" ;;
		*) testers_try "xeigtst$type" "$input" ;;
		esac
	done
done
suites_end
