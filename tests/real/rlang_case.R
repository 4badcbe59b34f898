# rlang_case.R - products, printed in full precision
# SPDX-License-Identifier: Apache-2.0
options(matprod = "blas")
show <- function(label, kind, x) {
  x <- c(Re(as.vector(x)), if (is.complex(x)) Im(as.vector(x)))
  cat(label, kind, sprintf("%.17g", x), "\n")
}
A <- outer(1:41, 1:37, function(i, j) sin(i + 2 * j))
B <- outer(1:37, 1:41, function(i, j) cos(3 * i - j))
show("dgemm", "double", A %*% B)
show("dgemm_t", "double", crossprod(A, A + 1))
show("zgemm", "double", (A + 1i * A^2) %*% (B - 1i * B))
