# rlang_fp.R - products in the floating-point environment that SIGSTKFLT sets
# SPDX-License-Identifier: Apache-2.0
a <- outer(1:141, 1:137, function(i, j) sin(i + 2 * j))
b <- outer(1:137, 1:141, function(i, j) cos(3 * i - j))
shows <- if (Sys.getenv("FP_WAY") == "upward") "%s %.17g %.17g\n" else "%s %.9g %.9g\n"
cat("begin\n")
tools::pskill(Sys.getpid(), 16L)
for (turn in 1:3) {
  c <- a %*% b
  cat(sprintf(shows, "dgemm", c[4, 6], c[101, 8]))
  c <- crossprod(a)
  cat(sprintf(shows, "dsyrk", c[4, 6], c[101, 8]))
}
