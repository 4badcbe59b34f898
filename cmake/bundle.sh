#!/bin/sh
# bundle.sh - gathers what another machine needs to run, test and measure the shim
# SPDX-License-Identifier: Apache-2.0
# usage: bundle.sh SOURCE BUILD BUNDLE
set -eu
source=$1 build=$2 bundle=$3
limit_kib=61440

rm -rf "$bundle"
mkdir -p "$bundle/lib" "$bundle/bench" "$bundle/tests" "$bundle/machines"
cp "$build/libgpushim.so" "$build/gpushim" "$build/simulation" "$bundle/"
for library in libgpushim-audit.so libgpushim-coverage.so; do
	if [ -f "$build/$library" ]; then
		cp "$build/$library" "$bundle/"
	fi
done
find "$build/bench" -maxdepth 1 -type f \( -perm -u+x -o -name '*.so' \) \
	-exec cp {} "$bundle/bench/" \;
cp "$source/bench/clients.py" "$bundle/bench/"
cp -RP "$build/simcuda" "$bundle/"
cp "$source"/config/machines/*.conf "$bundle/machines/"
# The programs of the tests with the label gpu: each is there a second time as NAME_real.
for program in "$build"/tests/gpu/*_test; do
	[ -x "$program" ] || continue
	name=$(basename "$program")
	if grep -q "${name%_test}_real" "$build/tests/gpu/CTestTestfile.cmake"; then
		cp "$program" "$bundle/tests/"
	fi
done
find "$build/tests/simcuda" -maxdepth 1 -name 'simcuda_rules_test' -exec cp {} "$bundle/" \;

# OpenBLAS and FFTW with their own runtime libraries; the C library is the machine's.
for program in "$bundle/simulation" "$bundle"/tests/* "$bundle"/bench/*; do
	[ -f "$program" ] || continue
	ldd "$program" 2>/dev/null | awk '$2 == "=>" && $3 ~ /^\// { print $3 }'
done | sort -u | while read -r library; do
	case "$(basename "$library")" in
	libc.so* | ld-linux* | libm.so* | libpthread* | libdl.so* | librt.so*) ;;
	libgpushim.so | libbench_noop.so) ;;
	*) cp -L "$library" "$bundle/lib/" ;;
	esac
done
strip --strip-debug "$bundle/lib/"* "$bundle/tests/"* "$bundle/bench/"* \
	"$bundle"/libgpushim*.so "$bundle/gpushim" 2>/dev/null || true

floor=$(find "$bundle" -type f -exec sh -c 'objdump -T "$1" 2>/dev/null' _ {} \; |
	grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
cp "$source/cmake/bundle_run.sh" "$bundle/run.sh"
chmod +x "$bundle/run.sh"
cat >"$bundle/README" <<TXT
libgpushim, ready to run: ./run.sh FOLDER tests and measures everything here within nine minutes
and leaves its results in FOLDER: the tests, the link (link.txt, and machine.conf for
EPOCHLY_GPU_PROFILE), the shim beside its peers (peers.txt), from which size on the GPU pays
(crossover.txt, and crossover.html for a browser), NumPy, SciPy, PyTorch and CuPy under the shim
(clients.txt), the cost of a small call (overhead.txt).
It needs x86-64 Linux with glibc ${floor#GLIBC_} or newer; a GPU, its driver and the CUDA libraries
are used if they are found.
TXT
size_kib=$(du -sk "$bundle" | cut -f 1)
[ "$size_kib" -le "$limit_kib" ] || {
	echo "bundle: $size_kib KiB are more than $limit_kib"
	exit 1
}
echo "bundle: $bundle, $size_kib KiB, needs glibc ${floor#GLIBC_}"
