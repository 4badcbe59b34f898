# rlang_examples.R - runs the examples of R's own help pages on matrices, fits and decompositions
# SPDX-License-Identifier: Apache-2.0
topics <- c("matmult", "crossprod", "solve", "chol", "chol2inv", "qr", "svd", "eigen", "det", "backsolve", "kappa",
            "norm", "outer", "prcomp", "princomp", "lm", "lm.fit", "lm.influence", "cancor", "factanal", "mahalanobis",
            "cmdscale", "loess", "arima", "glm", "optim", "ar", "StructTS", "predict.lm", "biplot.princomp", "fft",
            "convolve")
for (topic in topics) {
  set.seed(1)
  outcome <- tryCatch({
    capture.output(suppressMessages(example(topic, character.only = TRUE, ask = FALSE, echo = FALSE)))
    "passed"
  }, error = function(problem) paste("FAILED", conditionMessage(problem)))
  cat("check example", topic, outcome, "\n")
}
