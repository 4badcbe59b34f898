# golden_explain.sh - explain in 80 columns: products, transforms, batches, what is not taken
# SPDX-License-Identifier: Apache-2.0
here=$(dirname "$0")
. "$here/golden.inc"
explain() {
	golden exact "$GPUSHIM" explain "$@"
}
explain dgemm 2000 --profile h200
explain dgemm 4096 --profile a100 --threads 1 --calls 100
explain zherk 3000 500 --profile rtx4090 --pinned
explain dtrsm 8000 500 --profile v100 --side R --policy never
explain dgemm 4096 --profile gh200 --sharers 4
explain dgemm_batch_strided 100 100 100 --batch 1000 --profile a100 --on-device A,B
explain fft 512x512x512 --profile h200 --threads 4
explain fft 1048576 --profile workstation --precision single --real --estimate
explain cblas_sgemm 64 --profile a100
explain dgelsd --profile a100
explain dgesv 4000 --profile h200 --threads 16
explain zpotrs 3000 500 --profile a100 --on-device A
explain dsyevd 3000 values --profile a100 --uplo L --pinned
explain cgesdd 3000 5000 --profile a100 --threads 8
explain sgetri 8000 --profile a100 --threads 4
explain dgesdd 20000 --profile h200 --threads 4
explain dgesdd 3000 --calls 20 --profile h200
explain dgeev 50000 --profile a100
explain dgetrf 3000 vectors --profile a100
explain dgesv 10 20 30 --profile a100
explain fft 64x64x64x64 --profile a100
golden exact "$GPUSHIM" explain --break-even --profile a100
explain dgem 1 2 3
explain dgemm 1 2
explain dgemm 10 --profile nosuch
explain dgemm 99999999999999999999
