#!/bin/sh
# wheels.sh - NumPy's and SciPy's wheels with their OpenBLAS in one process with the system's BLAS
# SPDX-License-Identifier: Apache-2.0
# usage: wheels.sh BUILD LIBRARIES PROVIDER WAY    see tests/suites/suites.sh; PROVIDER is the
# module's
set -eu
suite=wheels
# shellcheck source=tests/suites/suites.sh
. "$(dirname "$0")/../suites/suites.sh"
# shellcheck source=tests/driver/venv.sh
. "$(dirname "$0")/../driver/venv.sh"
suites_begin "$@"
suites_needs_command cc
suites_needs_command python3
why=$(venv_need "$build/tests/providers/wheels" numpy scipy) || suites_skip "$why"
module=$work/libwheels_module.so
cc -O1 -shared -fPIC ${bits:+-DBLAS_INTEGER=long} "$here/wheels_module.c" "$work/blas/$soname" \
	-o "$module"
soname=

# Each is run twice. NumPy's integers have 64 bits, SciPy's 32, the module's as its provider has.
cat >"$work/expect" <<'END'
dgemm_ gpu 2
cblas_dsyrk gpu 2
scipy_cblas_dgemm64_ gpu 2
scipy_cblas_sgemm64_ gpu 2
scipy_cblas_zgemm64_ gpu 2
scipy_cblas_dsyrk64_ gpu 2
scipy_dgemm_ gpu 2
scipy_dsyrk_ gpu 2
scipy_dtrsm_ gpu 2
scipy_dtrmm_ gpu 2
scipy_zher2k_ gpu 2
scipy_zhemm_ gpu 2
scipy_csymm_ gpu 2
END
suites_try /dev/null "$build/tests/providers/wheels/bin/python" "$here/wheels_program.py" \
	"$module" || :
grep -q '^scipy dtrtrs' "$work/base.out" ||
	suites_fail "the program does not run to its end without the shim"
suites_end
