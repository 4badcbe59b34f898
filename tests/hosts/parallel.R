# parallel.R - forked and socket workers of R's package parallel
# SPDX-License-Identifier: Apache-2.0
library(parallel)
work <- function(n) {
  a <- outer(1:n, 1:n, "+")
  c(sum(a %*% a), sum(crossprod(a)))
}
print(work(30))
print(mclapply(c(4, 30, 55), work, mc.cores = 2))
cluster <- makePSOCKcluster(2)
print(parLapply(cluster, c(4, 30, 55), work))
stopCluster(cluster)
print(work(55))
