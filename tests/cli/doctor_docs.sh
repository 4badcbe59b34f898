# doctor_docs.sh - what README.md shows of doctor equals doctor's output for the example
# SPDX-License-Identifier: Apache-2.0
readme=$(dirname "$0")/../../README.md
build=$(dirname "$GPUSHIM")
[ -x "$build/simulation" ] || { echo "skipped: the example is not built"; exit 77; }
ln -s "$build/simulation" simulation
# Advice about the GPU differs between machines, as does the BLAS behind the common name; the order
# of names differs between linkers. So words are compared.
shape() {
	sed -E -e '/NVIDIA|CUDA|driver|GPU/d' -e 's|: /.*/|: .../|' \
		-e 's|lib[a-z]*blas[^ ]*|BLAS|' | tr ' ' '\n' | LC_ALL=C sort
}
sed -n '/^    \$ gpushim doctor/,/^$/s/^    //p' "$readme" | sed -e 1,2d | shape >says
"$GPUSHIM" doctor -- ./simulation | sed -n '/^program/,$p' | shape >is
if diff says is; then echo "README.md says what is printed"; fi
