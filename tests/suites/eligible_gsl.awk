# eligible_gsl.awk - what a source file of gsl's level-3 tests makes check_log.awk find
# SPDX-License-Identifier: Apache-2.0
#
# usage: awk -f eligible_gsl.awk test_ROUTINE.c
#
# Each call stands in the source once, runs once, and has its alpha above it; no size is zero.

function is_zero(numbers,    part) {
	gsub(/[^0-9.,]/, "", numbers)
	split(numbers, part, ",")
	return part[1] + 0 == 0 && part[2] + 0 == 0
}

/ alpha(\[2\])? = / {
	numbers = $0
	sub(/.*= */, "", numbers)
	zero = is_zero(numbers)
}

match($0, /cblas_[a-z0-9]+ *\(/) {
	symbol = substr($0, RSTART, RLENGTH)
	sub(/ *\(/, "", symbol)
	legal[symbol]++
	gpu[symbol] += !zero
}

END {
	for (symbol in legal) {
		print symbol, "legal", legal[symbol]
		print symbol, "gpu", gpu[symbol]
	}
}
