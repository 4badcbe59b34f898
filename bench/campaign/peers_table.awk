# peers_table.awk - one table of all cases from the lines that bench/peers appends
# SPDX-License-Identifier: Apache-2.0
# usage: awk -v kind=WORD -f peers_table.awk FIGURES

function number(value, digits) {
	return value > 0 ? sprintf("%." digits "f", value) : "-"
}

# How many times faster the shim is than this contestant.
function against(row, shim) {
	return shim > 0 && median[row] > 0 ? sprintf("%.2f", median[row] / shim) : "-"
}

BEGIN {
	FS = ","
}

/^#/ || NF < 14 {
	next
}

# A case that was measured again counts as measured last.
!($1 in first) {
	first[$1] = ++cases
	name[cases] = $1
}

{
	row = $1 SUBSEP $2
	if (!(row in median)) {
		who[$1, ++count[$1]] = $2
	}
	median[row] = $3
	least[row] = $4
	most[row] = $5
	turns[row] = $6
	bandwidth[row] = $7
	rate[row] = $8
	bound[row] = $9
	result[row] = $11
	clock[row] = $13 > 0 ? ($12 > 0 ? $12 : $13) "-" $13 : "-"
	watts[row] = $14
}

END {
	if (kind == "SIMULATED") {
		print "SIMULATED: this is the CUDA of the tests; no figure below is a speed"
	}
	print "median and spread of a call from memory to memory; bound x: parts of the least time that"
	print "this link and chip allow; CPU x: times faster than the CPU library; shim x: how many times"
	print "faster the shim is; MHz and W of the card during the case; n: runs, 0: the first one only, with"
	print "all one-time work"
	printf "%-24s %-14s %10s %21s %2s %7s %9s %7s %7s %7s %9s %5s  %s\n", "case", "contestant", \
		"median ms", "least..most", "n", "GB/s", "Gflop/s", "bound x", "CPU x", "shim x", "MHz", "W", \
		"result"
	for (i = 1; i <= cases; i++) {
		shim = median[name[i], "shim"]
		cpu = median[name[i], "CPU library"]
		for (j = 1; j <= count[name[i]]; j++) {
			row = name[i] SUBSEP who[name[i], j]
			spread = median[row] > 0 ? sprintf("%.3f..%.3f", least[row] * 1e3, most[row] * 1e3) : "-"
			printf "%-24s %-14s %10s %21s %2s %7s %9s %7s %7s %7s %9s %5s  %s\n", \
				(j == 1 ? name[i] : ""), who[name[i], j], number(median[row] * 1e3, 3), spread, \
				(median[row] > 0 ? turns[row] : "-"), \
				number(bandwidth[row], 1), number(rate[row], 1), \
				number(bound[row] > 0 ? median[row] / bound[row] : 0, 2), \
				number(median[row] > 0 ? cpu / median[row] : 0, 2), against(row, shim), \
				clock[row], number(watts[row], 0), result[row]
		}
	}
}
