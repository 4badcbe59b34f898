# doctor_docs.sh - what README.md shows of doctor equals doctor's output for the example
# SPDX-License-Identifier: Apache-2.0
readme=$(dirname "$0")/../../README.md
build=$(dirname "$GPUSHIM")
[ -x "$build/simulation" ] || { echo "skipped: the example is not built"; exit 77; }
ln -s "$build/simulation" simulation
# Driver, card and libraries differ between machines; the order of names differs between linkers. So
# words of the other lines are compared.
shape() {
	sed -E -e '/^[^ ]+ +(driver|card|libraries) /d' -e '/NVIDIA|GPU/d' | tr -s ' ,:' '\n' |
		grep . | LC_ALL=C sort
}
sed -n '/^    \$ gpushim doctor/,/^\[/s/^    //p' "$readme" | sed 1d | shape >says
# Where srun is on PATH the doctor advises it.
PATH=$build LC_ALL=C.UTF-8 gpushim doctor -- ./simulation | sed '/^shim$/,$d' | shape >is
wc -l <says
if diff says is; then echo "README.md says what is printed"; fi
