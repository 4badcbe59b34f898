# eligible_blat3.awk - what a level-3 tester with this input file makes check_log.awk find
# SPDX-License-Identifier: Apache-2.0
#
# usage: awk -f eligible_blat3.awk INPUT
#
# A tester runs through all combinations of sizes, flags, alpha and beta. A call is eligible for the
# GPU if no size and no alpha is zero, so the counts follow from the lists of the input file.

function is_zero(number, family,    part) {
	gsub(/[()]/, "", number)
	split(number, part, ",")
	# The alpha of herk is the real part alone.
	return part[1] == 0 && (family == "herk" || part[2] == 0)
}

# Combinations of side, uplo, trans, diag.
function flags_of(family, type) {
	if (family ~ /^gemm(3m)?$/) return 9
	if (family ~ /^gemmtr?$/) return 18
	if (family ~ /^(symm|hemm)$/) return 4
	if (family ~ /^tr[ms]m$/) return 24
	if (family ~ /^her2?k$/) return 4
	if (family ~ /^syr2?k$/) return type ~ /[cz]/ ? 4 : 6
	print "eligible_blat3: unknown routine " family >"/dev/stderr"
	exit 1
}

BEGIN { orders = 1 }

heading != "" {
	for (i = 1; i <= number; i++)
		list[heading, i] = $i
	size[heading] = number
	heading = ""
	next
}
/NUMBER OF VALUES OF/ { heading = $NF; number = $1; next }
/TO TEST COLUMN-MAJOR/ { orders = $1 == 2 ? 2 : 1; next }
/TO TEST ERROR EXITS/ { exits = $1; next }

/T PUT F FOR NO TEST/ && $2 ~ /^T/ {
	symbol = $1 ~ /^cblas_/ ? $1 : tolower($1) "_"
	name = symbol
	sub(/^cblas_/, "", name)
	sub(/_$/, "", name)
	type = substr(name, 1, 1)
	family = substr(name, 2)
	sizes = alphas = 0
	for (i = 1; i <= size["N"]; i++)
		sizes += list["N", i] > 0
	for (i = 1; i <= size["ALPHA"]; i++)
		alphas += !is_zero(list["ALPHA", i], family)
	dimensions = family ~ /^gemm(3m)?$/ ? 3 : 2
	fixed = orders * flags_of(family, type) * (family ~ /^tr[ms]m$/ ? 1 : size["BETA"])
	print symbol, "gpu", fixed * sizes ^ dimensions * alphas
	print symbol, "legal", fixed * size["N"] ^ dimensions * size["ALPHA"]
	print symbol, "illegal_argument", exits ~ /^T/ ? "1+" : 0
}
