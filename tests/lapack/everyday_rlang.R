# everyday_rlang.R - one everyday call of R, and numbers that do not depend on who computes it
# SPDX-License-Identifier: Apache-2.0
N <- 60
i <- matrix(1:N, N, N, byrow = TRUE)
j <- t(i)
A <- sin(i * j * 0.37 + i) + N / 4 * diag(N)
S <- A + t(A)
P <- A %*% t(A) / N + diag(N)
B <- cos(i + 2 * j)[, 1:4]
TALL <- rbind(A, sin(2 * i - j))
show_numbers <- function(label, x) {
    x <- c(Re(x), Im(x)) + 0
    cat(label, sprintf("%.8e", head(x, 200)), "\n")
}
small <- function(label, residual, scale) {
    ratio <- max(colSums(Mod(residual))) / (N * .Machine$double.eps * scale)
    cat(label, if (ratio < 30) "within bounds" else paste("has a ratio of", ratio), "\n")
}
norm1 <- function(x) max(colSums(Mod(x)))
calls <- list(
    solve = function() show_numbers("solve", solve(A, B)),
    "solve(A)" = function() show_numbers("inv", solve(A)),
    det = function() show_numbers("det", det(A / N * 4)),
    chol = function() show_numbers("chol", chol(P)),
    chol2inv = function() show_numbers("chol2inv", chol2inv(chol(P))),
    qr = function() show_numbers("qr", abs(diag(qr.R(qr(A, LAPACK = TRUE))))),
    eigen = function() {
        e <- eigen(A)
        small("eigen", A %*% e$vectors - e$vectors %*% diag(e$values), norm1(A) * norm1(e$vectors))
    },
    "eigen, symmetric" = function() {
        e <- eigen(S)
        small("eigen", S %*% e$vectors - e$vectors %*% diag(e$values), norm1(S))
        show_numbers("eigen", e$values)
    },
    svd = function() {
        s <- svd(TALL)
        small("svd", TALL - s$u %*% diag(s$d) %*% t(s$v), norm1(TALL))
        show_numbers("svd", s$d)
    },
    lm.fit = function() show_numbers("lm.fit", lm.fit(TALL, rbind(B, B)[, 1])$coefficients)
)
arguments <- commandArgs(TRUE)
if (length(arguments) == 0) cat(names(calls), sep = "\n") else calls[[arguments[1]]]()
