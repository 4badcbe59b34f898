#!/bin/sh
# openmp_share.sh - calls shared with the CPU, over libraries with OpenMP threads of their own
# SPDX-License-Identifier: Apache-2.0
# usage: openmp_share.sh BUILD LIBRARIES PROVIDER WAY    see tests/suites/suites.sh
set -eu
suite=openmp_share
# shellcheck source=tests/suites/suites.sh
. "$(dirname "$0")/../suites/suites.sh"
suites_begin "$@"
suites_needs_command cc
echo 'int main(void) { return 0; }' | cc -fopenmp -x c - -o "$work/probe" 2>"$work/build.log" ||
	suites_skip "the compiler has no OpenMP: $(tail -n 1 "$work/build.log")"
cc -O1 -fopenmp "$here/openmp_share.c" "$here/openmp_watch.c" -Wl,--no-as-needed \
	"$work/blas/$soname" -o "$work/openmp_share"
suites_check_provider "$work/openmp_share"
# shellcheck source=tests/providers/openmp_watch.sh
. "$here/openmp_watch.sh"

watch_program "$work/openmp_share"
check 1
check "$processors"
check "$processors" region
check "$processors" region batch
check "$processors" nested
exit "$failed"
