#!/bin/sh
# probing.sh - a program that probes for routines which its library lacks and the shim has
# SPDX-License-Identifier: Apache-2.0
# usage: probing.sh BUILD LIBRARIES PROVIDER WAY    see tests/suites/suites.sh; libraries without
# gemm_batch and gemmt
set -eu
suite=probing
# shellcheck source=tests/suites/suites.sh
. "$(dirname "$0")/../suites/suites.sh"
suites_begin "$@"
suites_needs_command cc
cc -O1 -D_GNU_SOURCE ${bits:+-DBLAS_INTEGER=long} "$here/probing.c" -Wl,--no-as-needed "$work/blas/$soname" -ldl \
	-o "$work/probing"

# The shim prints once that the CPU library lacks a routine; that line is expected.
suites_mask='/^gpushim: warn: no CPU library provides /d'
printf '%s\n' 'dgemm_batch_ gpu 1' 'dgemmt_ gpu 1' >"$work/expect"
suites_try /dev/null "$work/probing" || :

# On the CPU the shim calls the library's gemm instead.
settings="$settings EPOCHLY_GPU_POLICY=never"
: >"$work/expect"
suites_try /dev/null "$work/probing" || :
suites_end
