#!/bin/sh
# bundle.sh - gathers what another machine needs to run, test and measure the shim
# SPDX-License-Identifier: Apache-2.0
# usage: bundle.sh SOURCE BUILD BUNDLE
set -eu
source=$1 build=$2 bundle=$3
# Without the simulated CUDA, which only machines without a GPU need.
limit_kib=49152

rm -rf "$bundle"
mkdir -p "$bundle/lib" "$bundle/bench" "$bundle/tests" "$bundle/machines" "$bundle/campaign"
cp "$build/libgpushim.so" "$build/gpushim" "$build/simulation" "$bundle/"
for library in libgpushim-audit.so libgpushim-coverage.so; do
	if [ -f "$build/$library" ]; then
		cp "$build/$library" "$bundle/"
	fi
done
for name in crossover libbench_noop.so link memory orders overhead overhead_loop peers peers_cuda \
	peers_host sweep transfer; do
	if [ -f "$build/bench/$name" ]; then
		cp "$build/bench/$name" "$bundle/bench/"
	fi
done
cp "$source/bench/clients.py" "$bundle/bench/"
cp "$source/bench/campaign/run.sh" "$bundle/"
cp "$source"/bench/campaign/campaign_*.sh "$source"/bench/campaign/*.awk \
	"$source/bench/campaign/residency.txt" "$bundle/campaign/"
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
	ldd "$program" 2>/dev/null | sed -n 's|.* => \(/.*\) (0x.*|\1|p'
done | sort -u | while read -r library; do
	case "$(basename "$library")" in
	libc.so* | ld-linux* | libm.so* | libpthread* | libdl.so* | librt.so*) ;;
	libgpushim.so | libbench_noop.so) ;;
	*) cp -L "$library" "$bundle/lib/" ;;
	esac
done
strip "$bundle/lib/"* "$bundle/tests/"* "$bundle/bench/"* "$bundle"/libgpushim*.so \
	"$bundle/gpushim" "$bundle/simulation" "$bundle/simcuda_rules_test" 2>/dev/null || true

floor=$(find "$bundle" -type f -exec sh -c 'objdump -T "$1" 2>/dev/null' _ {} \; |
	grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
# OpenBLAS is most of the bundle, and run.sh unpacks it.
find "$bundle/lib" -type f -size +16384k -exec gzip -6n {} +
cat >"$bundle/README" <<TXT
libgpushim, ready to test and to measure here; nothing is installed, and root is not needed.

    ./run.sh            explains itself
    ./run.sh first      8 minutes: does everything work, and the profile of this machine
    ./run.sh peers      9 minutes: the shim beside NVBLAS, cuFFTW, plain cuBLAS and cuFFT, the CPU
    ./run.sh tune       8 minutes: calibrate, the engine's copies, crossover, Python programs

It needs x86-64 Linux with glibc ${floor#GLIBC_} or newer, a shell, awk, tar and gzip. The driver
and the CUDA libraries are the machine's, those that pip installed too. python3 is needed for the
Python programs only. results/PART has a file for each step, results/results-PART.tar.gz all.
TXT
size_kib=$(du -sk --exclude=simcuda "$bundle" | cut -f 1)
whole_kib=$(du -sk "$bundle" | cut -f 1)
echo "bundle: $bundle, $size_kib KiB, with the simulated CUDA $whole_kib KiB, needs glibc" \
	"${floor#GLIBC_}"
[ "$size_kib" -le "$limit_kib" ] || {
	echo "bundle: $size_kib KiB are more than $limit_kib"
	exit 1
}
