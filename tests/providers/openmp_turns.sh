#!/bin/sh
# openmp_turns.sh - batches of transforms shared with the CPU, whose FFTW has OpenMP threads
# SPDX-License-Identifier: Apache-2.0
# usage: openmp_turns.sh BUILD LIBRARIES PROVIDER WAY    see tests/suites/suites.sh
set -eu
suite=openmp_turns
# shellcheck source=tests/suites/suites.sh
. "$(dirname "$0")/../suites/suites.sh"
suites_begin "$@"
suites_needs_command cc
cc -O1 -fopenmp "$here/openmp_turns.c" "$here/openmp_watch.c" -lfftw3_omp -lfftw3 -lm \
	-o "$work/openmp_turns" 2>"$work/build.log" ||
	suites_skip "no OpenMP or no FFTW with it: $(tail -n 1 "$work/build.log")"
# shellcheck source=tests/providers/openmp_watch.sh
. "$here/openmp_watch.sh"

watch_program "$work/openmp_turns"
check 1
check "$processors"
check "$processors" region
check "$processors" nested
exit "$failed"
