# explain_refused.sh - arguments that cannot be explained: one sentence each, status 2
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
try() {
	"$GPUSHIM" explain "$@"
	echo "status $?"
}
huge=4611686018427387904
try
try dgem 1 2 3
try qwertyuiop 5
try ''
try dgemm 1 2
try dgemm 1 2 3 4
try dsyrk 1 2 3
try dgemm -5 3 3
try dgemm 0 3 3
try dgemm x 3 3
try dgemm 1.5 3 3
try dgemm $huge $huge $huge
try dtrmm $huge 1
try dgemm 99999999999999999999 1 1
try fft
try fft 512x
try fft 64x64x64xa
try fft 1000000000000000000
try fft $huge --batch 2147483647
try fftw_destroy_plan 5
try fft 512 --precision half
try fft 512 --uplo L
try dgemm 10 10 10 --side L
try dgemm 10 10 10 --trans X
try dgemm 10 10 10 --trans
try dgemm 10 10 10 --batch 4
try dgemm 10 10 10 --precision single
try dgemm 10 10 10 --real
try dgemm 10 10 10 --in-place
try zsyrk 10 10 --trans C
try zherk 10 10 --trans T
try dgemm 10 10 10 --profile nosuch
try dgemm 10 10 10 --profile
try dgemm 10 10 10 --threads 0
try dgemm 10 10 10 --threads 1e9
try dgemm 10 10 10 --sharers none
try dgemm 10 10 10 --on-device D
try dgemm 10 10 10 --on-device in
try dgemm 10 10 10 --on-device A,,B
try fft 64 --on-device A
try dsyrk 10 10 --on-device B
try dtrsm 10 10 --on-device C
try dgemm 10 10 10 --unchanged C
try dgetrs 10 10 --unchanged B
try dgetrf 10 10 --unchanged A
try dgemm_batch_strided 10 10 10 --unchanged A
try fft 64 --unchanged out
try dgemm 10 10 10 --unchanged A --residency off
try dgemm 10 10 10 --unchanged A --residency migrate
try dgemm 10 10 10 --unchanged A,B --on-device B
try dgemm 10 10 10 --policy nver
try dgemm 10 10 10 --plicy never
try dgemm 10 10 10 --json=yes
try --break-even dgemm
try --break-even --profile nosuch
echo 'link_up_bytes = -1' >broken.conf
try dgemm 10 10 10 --profile broken.conf
printf 'link_up_bytes = 1e9\n\0\n' >garbage.conf
try dgemm 10 10 10 --profile garbage.conf
: >empty.conf
try dgemm 10 10 10 --profile empty.conf
try dgemm 10 10 10 --profile .
