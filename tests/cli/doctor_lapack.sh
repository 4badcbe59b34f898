# doctor_lapack.sh - doctor, coverage and explain say the same of LAPACK routines
# SPDX-License-Identifier: Apache-2.0
export COLUMNS=1000
programs=$(dirname "$PROBE")
[ -x "$programs/cli_lapack_solve" ] ||
	{ echo "skipped: LAPACK was not found when this was built"; exit 77; }
[ -r "$(dirname "$GPUSHIM")/libgpushim-coverage.so" ] ||
	{ echo "skipped: this build has no library that counts"; exit 77; }
try() {
	"$GPUSHIM" doctor -- "$programs/$1" >doctor
	"$GPUSHIM" coverage -- "$programs/$1" 2>&1 >output | tr -s ' \n' ' ' >coverage
	"$GPUSHIM" explain "$2" >explain
	grep -o "wants LAPACK, not taken: $2_\$" doctor
	sed -n "/wants LAPACK, not taken: $2_\$/{n;s/.*why: //p}" doctor >why
	if grep -qFf why coverage; then echo "coverage says so too"; else cat why coverage; fi
	if grep -qFf why explain; then echo "explain says so too"; else cat why explain; fi
	# The verdict: its work is seen exactly where coverage counts calls that are taken.
	seen=$(grep -c 'LAPACK, whose calls of BLAS are seen$' doctor)
	if grep -q 'the shim can take nothing' coverage; then taken=0; else taken=1; fi
	[ "$seen" -eq "$taken" ] || cat doctor coverage
}
try cli_lapack_solve dtrtrs
try cli_lapack_eigen dgees
