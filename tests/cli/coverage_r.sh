# coverage_r.sh - R's own fft and LINPACK (lm), against R's clock, with what to do about them
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
unset COLUMNS
programs=$(dirname "$GPUSHIM")/tests/coverage
compare=$(dirname "$0")/../coverage/coverage_compare.py
. "$(dirname "$0")/../coverage/agree.sh"
[ -x "$programs/coverage_probe" ] ||
	{ echo "skipped: this build has no library that counts"; exit 77; }
command -v Rscript >/dev/null || { echo "skipped: R is not installed"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: no python3, which reads the JSON"; exit 77; }
cat >case.R <<'SCRIPT'
tell <- function(name, start)
	cat(name, format((proc.time()[[3]] - start) * 1e9, scientific = FALSE), "\n")
set.seed(1)
w <- fft(1:4)
fit <- lm.fit(matrix(1:4, 4), 1:4)
x <- matrix(rnorm(30000 * 80), 30000)
y <- rnorm(30000)
start <- proc.time()[[3]]
fit <- lm.fit(x, y)
tell("LINPACK", start)
z <- complex(real = rnorm(2^20), imaginary = 0)
start <- proc.time()[[3]]
w <- fft(z)
tell("fft", start)
SCRIPT
agree Rscript case.R
echo "status $status"
cat verdict
grep -oE 'crossprod|fftwtools' report | sort -u
awk 'length > 80' report
