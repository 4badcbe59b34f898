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
cp -R "$build/bench/." "$bundle/bench/"
cp -RP "$build/simcuda" "$bundle/"
cp "$source"/config/machines/*.conf "$bundle/machines/"
find "$build/tests/gpu" -maxdepth 1 -type f -perm -u+x -exec cp {} "$bundle/tests/" \; 2>/dev/null || true
find "$build/tests/simcuda" -maxdepth 1 -name 'simcuda_rules_test' -exec cp {} "$bundle/" \;

# OpenBLAS and FFTW with their own runtime libraries; the C library is the machine's.
for program in "$bundle/simulation" "$bundle"/tests/*; do
	[ -f "$program" ] || continue
	ldd "$program" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }'
done | sort -u | while read -r library; do
	case "$(basename "$library")" in
	libc.so* | ld-linux* | libm.so* | libpthread* | libdl.so* | librt.so* | libgpushim.so) ;;
	*) cp -L "$library" "$bundle/lib/" ;;
	esac
done
strip --strip-debug "$bundle/lib/"* "$bundle/libgpushim.so" "$bundle/gpushim" 2>/dev/null || true

floor=$(find "$bundle" -type f -exec sh -c 'objdump -T "$1" 2>/dev/null' _ {} \; | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
cp "$source/cmake/bundle_run.sh" "$bundle/run.sh"
chmod +x "$bundle/run.sh"
cat >"$bundle/README" <<TXT
libgpushim, ready to run: ./run.sh tests and measures everything here.
It needs x86-64 Linux with glibc ${floor#GLIBC_} or newer; a GPU, its driver and the CUDA libraries are used where they are found.
TXT
size_kib=$(du -sk "$bundle" | cut -f 1)
[ "$size_kib" -le "$limit_kib" ] || { echo "bundle: $size_kib KiB are more than $limit_kib"; exit 1; }
echo "bundle: $bundle, $size_kib KiB, needs glibc ${floor#GLIBC_}"
