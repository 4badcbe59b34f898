# pool_work.R - workers of R's package parallel, which multiply and then meet
# SPDX-License-Identifier: Apache-2.0
#
# usage: pool_work.R WAY WORKERS FOLDER   as pool_work.py
library(parallel)
words <- commandArgs(trailingOnly = TRUE)
way <- sub("-late", "", words[1])
count <- as.integer(words[2])
multiply <- function() {
  ones <- matrix(1, 300, 300)
  all(ones %*% ones == 300)
}
work <- function(folder, multiply) {
  right <- multiply()
  file.create(file.path(folder, Sys.getpid()))
  end <- Sys.time() + 60
  while (!file.exists(file.path(folder, "go")) && Sys.time() < end) Sys.sleep(0.002)
  right
}
if (way != words[1]) stopifnot(multiply())
folders <- as.list(rep(words[3], count))
if (way == "mclapply") {
  answers <- mclapply(folders, work, multiply, mc.cores = count, mc.preschedule = FALSE)
} else {
  cluster <- makeCluster(count)
  answers <- clusterApply(cluster, folders, work, multiply)
  stopCluster(cluster)
}
cat(if (all(unlist(answers)) && length(answers) == count) "right\n" else "wrong\n")
