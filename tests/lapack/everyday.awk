# everyday.awk - a row of docs/lapack.md: the LAPACK routines of a call, on the GPU and not
# SPDX-License-Identifier: Apache-2.0
# usage: awk -v program=TITLE -v call=NAME -f ../driver/decision_log.awk -f everyday.awk LOG

# BLAS is not what the rows tell of.
function is_blas(symbol) {
	return symbol ~ /cblas_|gemm|(sy|he)(mm|rk|r2k)_|tr[ms]m_/
}

function add(list, text) {
	return list == "" ? text : list ", " text
}

END {
	n = 0
	for (entry in count) {
		split(entry, part, SUBSEP)
		if (is_blas(part[1]))
			continue
		if (part[2] == "gpu")
			text[++n] = "0`" part[1] "`"
		else if (part[3] !~ /^(workspace_query|below_fallback)$/)
			text[++n] = "1`" part[1] "` (" part[3] ")"
	}
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && text[j - 1] > text[j]; j--) {
			swap = text[j]; text[j] = text[j - 1]; text[j - 1] = swap
		}
	for (i = 1; i <= n; i++)
		if (text[i] != text[i - 1])
			list[substr(text[i], 1, 1)] = add(list[substr(text[i], 1, 1)], substr(text[i], 2))
	printf "| %s | %s | %s | %s |\n", program, call, list[0] == "" ? "-" : list[0], list[1] == "" ? "-" : list[1]
	exit faults > 0
}
