# calibrate_noisy.sh - figures that vary are repeated, and named if they vary all the same
# SPDX-License-Identifier: Apache-2.0
noisy=$(dirname "$PROBE")/libcli_noisy.so
# measure NAME: calibrates with a dgemm whose times differ by a factor of three.
measure() {
	"$GPUSHIM" calibrate --quick --cpu-blas "$noisy" --output "$1.conf" >"$1" 2>"$1.err"
	echo "status $?"
}
measure always
# Half of the calls take three times as long: the quartiles are that far apart, however busy the
# machine is.
grep -cE '^    dgemm with 1 thread at (32|64) +([4-9][0-9]|[1-9][0-9][0-9]) %$' always
grep -cE '^# varies by ([4-9][0-9]|[1-9][0-9][0-9]) %: dgemm with 1 thread at (32|64)$' always.conf
grep -E '^  dgemm +[0-9.]+ +[0-9]+ %' always | sed -E 's/[0-9.]+/N/g; s/ +/ /g' | cut -c -12
repetitions=$(sed -n 's/.*, after \([0-9]*\) repetitions*$/\1/p' always)
[ "$repetitions" -ge 4 ] && echo "both sizes were repeated twice"
# Steady from the fifteenth call on: the repetition replaces the first attempt.
NOISY_CALLS=14 measure at_first
grep -cE '^    dgemm with 1 thread at 32 +([4-9][0-9]|[1-9][0-9][0-9]) %$' at_first
repetitions=$(sed -n 's/.*, after \([0-9]*\) repetitions*$/\1/p' at_first)
[ "$repetitions" -ge 1 ] && echo "it was repeated"
# A profile with these comments is read like any other.
"$GPUSHIM" explain dgemm 64 64 64 --profile always.conf | sed -n 's/^machine .*\(QUICK\).*/\1/p'
grep -cE '^# meanwhile: other processes took [0-9.]+ of [0-9]+ processors?' always.conf
