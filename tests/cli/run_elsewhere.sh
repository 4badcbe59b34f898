# run_elsewhere.sh - a library path that the loader would split is refused
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
mkdir 'a folder'
cp "$GPUSHIM" 'a folder/gpushim'
"a folder/gpushim" run true
echo "status $?"
: >'a folder/libgpushim.so'
"a folder/gpushim" run true
echo "status $?"
mkdir -p there/bin there/lib/some-triplet
cp "$GPUSHIM" there/bin/
there/bin/gpushim run true
echo "status $?"
cp "$(dirname "$GPUSHIM")/libgpushim.so" there/lib/some-triplet/
there/bin/gpushim run "$PROBE" environment 2>/dev/null | sed 1q
