# shellcheck shell=sh disable=SC2034,SC2154 # variables of run.sh
# campaign_first.sh - the part first of run.sh: does it work, and the profile of this machine
# SPDX-License-Identifier: Apache-2.0
part_lasts 190
for test in "$here"/tests/*_test; do
	[ -x "$test" ] && step_own "$(basename "$test" _test)" 25 "$test"
done

part_lasts 290
rm -f "$results/machine.boot"
if campaign_need_profile 90 ''; then
	part_lasts 370
	# shellcheck disable=SC2086 # nothing or one word
	step_own orders 80 "$here/bench/orders" "$results/machine.conf" $quick
else
	say "orders: left out, link wrote no profile"
fi

# Last, because they take the GPU to its limits: what the stand-in demands, of the real libraries.
part_lasts 470
if [ -n "$cuda_folders" ]; then
	cd "$work" || exit 1
	step_own rules 180 "$here/simcuda_rules_test" "$cuda_folders" "$cuda_major"
else
	say "rules: left out, the doctor found no CUDA libraries"
fi
