# rlang.fp - R: products
need() { needs_command Rscript; }
[ "$way" != traps ] || FP_WAY=zero # R itself computes what is invalid
program() { start Rscript --vanilla "$here/rlang_fp.R"; }
