# rlang_solve.R - products and solutions against what they have to fulfil, for sizes on both sides of R's blocks
# SPDX-License-Identifier: Apache-2.0
options(warn = 1)
set.seed(1)
tolerance <- 1e-10
failed <- 0

check <- function(what, size, good) {
  cat("check", what, size, if (isTRUE(good)) "passed" else "FAILED", "\n")
  if (!isTRUE(good)) failed <<- failed + 1
}
near <- function(x, y) {
  x <- unname(x)
  y <- unname(y)
  identical(dim(x), dim(y)) && sqrt(sum(Mod(x - y)^2)) <= tolerance * (1 + sqrt(sum(Mod(y)^2)))
}
slow_product <- function(x, y) {
  result <- matrix(0, nrow(x), ncol(y))
  for (l in seq_len(ncol(x))) result <- result + outer(x[, l], y[l, ])
  result
}
random <- function(m, n) matrix(rnorm(m * n), m, n)

real <- function(n) {
  A <- random(n, n) + n * diag(n)
  B <- random(n, n + 3)
  S <- crossprod(random(n + 2, n)) + diag(n)
  check("product", n, near(A %*% B, slow_product(A, B)))
  check("crossprod", n, near(crossprod(A, B), slow_product(t(A), B)))
  check("crossprod_one", n, near(crossprod(B), slow_product(t(B), B)))
  check("tcrossprod", n, near(tcrossprod(B), slow_product(B, t(B))))
  check("solve", n, near(A %*% solve(A, B), B))
  check("inverse", n, near(solve(A) %*% A, diag(n)))
  check("chol", n, near(crossprod(chol(S)), S))
  check("chol2inv", n, near(chol2inv(chol(S)) %*% S, diag(n)))
  check("backsolve", n, near(chol(S) %*% backsolve(chol(S), B), B))
  check("forwardsolve", n, near(t(chol(S)) %*% forwardsolve(t(chol(S)), B), B))
  for (LAPACK in c(FALSE, TRUE)) {
    q <- qr(A, LAPACK = LAPACK)
    check("qr", n, near(qr.Q(q) %*% qr.R(q), A[, q$pivot, drop = FALSE]))
    check("qr_solve", n, near(A %*% qr.coef(q, B), B))
  }
  for (C in list(B, t(B))) {
    s <- svd(C)
    check("svd", n, near(s$u %*% (s$d * t(s$v)), C))
  }
  e <- eigen(A)
  check("eigen_general", n, near(A %*% e$vectors, e$vectors %*% diag(e$values, n)))
  e <- eigen(S)
  check("eigen", n, near(S %*% e$vectors, e$vectors %*% diag(e$values, n)))
  check("det", n, near(as.matrix(determinant(S)$modulus[1]), as.matrix(2 * sum(log(diag(chol(S)))))))
}

complex <- function(n) {
  A <- random(n, n) + 1i * random(n, n) + n * diag(n)
  B <- random(n, n + 3) - 1i * random(n, n + 3)
  check("product_complex", n, near(A %*% B, slow_product(A, B)))
  check("crossprod_complex", n, near(crossprod(A, B), slow_product(t(A), B)))
  check("solve_complex", n, near(A %*% solve(A, B), B))
  q <- qr(A)
  check("qr_complex", n, near(qr.Q(q) %*% qr.R(q), A[, q$pivot, drop = FALSE]))
  for (C in list(B, t(B))) {
    s <- svd(C)
    check("svd_complex", n, near(s$u %*% (s$d * Conj(t(s$v))), C))
  }
  e <- eigen(A)
  check("eigen_complex", n, near(A %*% e$vectors, e$vectors %*% diag(e$values, n)))
  H <- A + Conj(t(A))
  e <- eigen(H)
  check("eigen_hermitian", n, near(H %*% e$vectors, e$vectors %*% diag(e$values, n)))
}

missing_values <- function(n) {
  A <- random(n, n)
  A[2, 3] <- NA
  A[4, 1] <- NaN
  B <- random(n, n)
  B[3, ] <- 0
  P <- A %*% B
  check("missing", n, identical(which(rowSums(is.na(P)) > 0), c(2L, 4L)) && all(is.na(P[c(2, 4), ])))
  check("missing_rest", n, near(P[-c(2, 4), ], slow_product(A[-c(2, 4), ], B)))
  check("missing_crossprod", n, all(is.na(tcrossprod(A)[2, ])))
}

# "default" looks for NaN and multiplies by hand where there is one; "blas" leaves all to the library.
for (way in c("default", "blas")) {
  options(matprod = way)
  cat("matprod", way, "\n")
  for (n in c(1, 2, 7, 64, 129)) {
    real(n)
    complex(n)
  }
  missing_values(9)
}
quit(status = as.integer(failed > 0))
