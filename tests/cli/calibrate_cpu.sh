# calibrate_cpu.sh - without a GPU, or without a BLAS, all other parts are measured and stored
# SPDX-License-Identifier: Apache-2.0
"$GPUSHIM" calibrate --quick --output machine.conf >report 2>steps
status=$?
grep -q '^cpu_dgemm_t1' machine.conf ||
	{ echo "skipped: there is no BLAS here: $(grep measured: steps | head -n 1)"; exit 77; }
echo "status $status"
grep -cE 'the GPU is not measured: .*; predictions assume links and an ordinary card' steps
grep -cE '^(link|fixed)' report
grep -cE '^(gpu|link|cuda|start|operation)' machine.conf
grep -cE '^cpu_dgemm_t1 = 32:' machine.conf
tail -n 1 machine.conf
# The manual's table, for which one thread was measured, and this one must have equal first words of
# lines.
rows() {
	sed -n '/^rates/,/^stored/p' |
		sed -E -e 's/^( +).*thread.*/\1threads/' -e 's/( +([0-9.]+|-|<?[0-9]+ %))+ *$//' \
			-e 's/[0-9.]+ of [0-9]+ processor.*/LOAD/' -e '/figures? var/,/^stored/d'
}
sed -n '/^## Calibrate/,/^## /s/^    //p' "$(dirname "$0")/../../docs/tuning.md" | rows >says
rows <report | diff says - && echo "docs/tuning.md says what is printed"
# The profile may be stored in the cache where the shim looks for it.
mkdir -p "$HOME/.cache/gpushim"
"$GPUSHIM" calibrate --quick --cpu-blas nowhere.so \
	--output "$HOME/.cache/gpushim/machine-$(uname -n).conf" >report 2>steps
echo "status $?"
grep -cE "the CPU's BLAS is not measured: nowhere.so: .*; its rates are assumed" steps
grep -E '^  dgemm' report | sed -E 's/ +-/ -/g; s/( -)+/ NONE/'
grep -c '^cpu_.gemm' "$HOME/.cache/gpushim/machine-$(uname -n).conf"
rm -r "$HOME/.cache"
# A library that ends its process costs only the part of the measurement that calls it; here that is
# each part.
"$GPUSHIM" calibrate --quick --cpu-blas "$(dirname "$PROBE")/libcli_crash.so" \
	--output crashed.conf >report 2>steps
echo "status $?"
grep 'signal' steps | head -n 1
tail -n 1 steps
[ -e crashed.conf ] || echo "no profile"
true
