# shellcheck shell=sh disable=SC2034,SC2154 # variables of run.sh
# campaign_tune.sh - the part tune of run.sh: which constants are wrong, and Python programs
# SPDX-License-Identifier: Apache-2.0
part_lasts 90
# shellcheck disable=SC2086 # nothing or one word
step_own calibrate 85 "$here/gpushim" calibrate $quick --cpu-blas libopenblas.so.0 \
	--output "$folder/calibrated.conf"
part_lasts 200
# shellcheck disable=SC2086 # nothing or one word
step_own engine 100 "$here/bench/sweep" $quick --seconds "$(scaled 90)"
part_lasts 290
# shellcheck disable=SC2086
step_own crossover 80 "$here/bench/crossover" $quick --seconds "$(scaled 40)" \
	--html "$folder/crossover.html"
part_lasts 400
size=2000
[ -z "$quick" ] || size=100
if command -v python3 >/dev/null; then
	for client in numpy scipy pyfftw torch cupy together; do
		step "client-$client" 45 env CLIENTS_LIMIT="$(scaled 20)" python3 "$here/bench/clients.py" "$here/libgpushim.so" \
			--size "$size" --only "$client"
	done
else
	say "clients: left out, there is no python3"
fi
part_lasts 470
step_own faults 30 "$here/bench/memory" --faults
cat "$here/campaign/residency.txt" >"$folder/residency.txt"
# As many as the time allows: they need no GPU, or little of it. Both preload the library from the
# bundle, whose path the loader would cut at a blank or a colon.
case $here in
*[[:space:]:]*) say "compare, overhead: left out, the bundle's path has a blank or a colon" ;;
*)
	step_own compare 40 "$here/gpushim" compare --runs 4 -- "$here/simulation"
	step_own overhead 60 "$here/bench/overhead"
	;;
esac
