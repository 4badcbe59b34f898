# trace_r.R - typical statistics: crossprod, solve, regressions, principal components
# SPDX-License-Identifier: Apache-2.0
set.seed(1)

# Ridge regression over a path of penalties, cross-validated.
X <- matrix(rnorm(10000 * 500), 10000)
y <- X %*% rnorm(500) + rnorm(10000)
for (fold in 1:3) {
  keep <- seq_len(nrow(X)) %% 3 != fold - 1
  gram <- crossprod(X[keep, ])
  right <- crossprod(X[keep, ], y[keep])
  for (penalty in 10^(-2:2)) {
    beta <- solve(gram + penalty * diag(500), right)
    loss <- sum((y[!keep] - X[!keep, ] %*% beta)^2)
  }
}

# Covariances, their Cholesky factor, and draws from it.
n <- 1500
A <- matrix(rnorm(n * n), n)
S <- crossprod(A) / n + diag(n)
U <- chol(S)
draws <- matrix(rnorm(2000 * n), 2000) %*% U
inverse <- chol2inv(U)
B <- solve(S, A)

# Principal components two ways.
P <- prcomp(matrix(rnorm(1500 * 600), 1500))
E <- eigen(crossprod(matrix(rnorm(1200 * 1000), 1200)), symmetric = TRUE)
V <- svd(matrix(rnorm(1000 * 1000), 1000), nu = 100, nv = 100)

# A mixed model's small products, and a large one at the end.
Z <- matrix(rnorm(60 * 60), 60)
for (i in 1:2000) Z <- (Z %*% Z) / max(abs(Z))
for (i in 1:3) A <- (A %*% S) / n
cat("r:", dim(A), "\n")
