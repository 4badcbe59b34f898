# balance.awk - whether a decision log accounts for each call of LAPACK that a program made
# SPDX-License-Identifier: Apache-2.0
#
# usage: awk -v program=NAME -v way=WAY -f ../driver/decision_log.awk -f balance.awk TAKEN TALLY LOG
#
# TAKEN has lines `routine reasons`: without its letter of type, then the reasons, besides those of
# every routine, for which a call may stay on the CPU although the policy is always. TALLY has lines
# `symbol own other [cpu]` of lapack_tally.c, counted without the shim: own counts the calls by the
# program itself; cpu, which differ_lapack knows, those of them that only the CPU can do. WAY is always, never or another of suites.sh. Records of other objects are those of
# LAPACK's calls of LAPACK, which depend on where the outer call ran. With the policy never all calls
# are the CPU library's, small ones have no object, and all are accounted for together.

# What the CPU library has to do, or what the GPU left to it.
BEGIN {
	split("illegal_argument quick_return operands_overlap workspace_query short_workspace not_finite not_solved zero_matrix extreme_scale",
		names, " ")
	for (i in names)
		always_cpu[names[i]]
}

function routine_of(symbol) {
	gsub(/_/, "", symbol)
	return substr(symbol, 2)
}

function number(key,    rest) {
	if (!index($0, "\"" key "\":"))
		return 1
	rest = substr($0, index($0, "\"" key "\":") + length(key) + 3)
	return rest + 0
}

FILENAME == ARGV[1] && !/^#/ && NF {
	taken[$1] = 1
	for (i = 2; i <= NF; i++)
		may[$1, $i]
}

FILENAME == ARGV[2] && routine_of($1) in taken {
	made[$1] = way == "never" ? $2 + $3 : $2
	total_made += $2
	if (NF > 3)
		eligible[$1] = $2 - $4
}

FILENAME == ARGV[ARGC - 1] && routine_of(value("symbol")) in taken &&
	(way == "never" || value("object") == program) {
	seen[value("symbol"), value("target"), value("reason")] += number("calls")
	if (value("target") == "gpu" && !index($0, "\"calls\":") && $0 !~ /"recipe":"[a-z]/)
		fault("line " FNR " does not say how the GPU computed the call")
}

END {
	for (entry in seen) {
		split(entry, part, SUBSEP)
		found[part[1]] += seen[entry]
		if (part[2] == "cpu" && (routine_of(part[1]), part[3]) in may)
			allowed[part[1]] += seen[entry]
		if (part[2] == "gpu") {
			gpu[part[1]] += seen[entry]
			on_gpu += seen[entry]
		}
		if (way == "always" && part[2] == "cpu" && !(part[3] in always_cpu) &&
			!((routine_of(part[1]), part[3]) in may))
			fault(part[1] ": " seen[entry] " calls stayed on the CPU: " part[3])
		if (way == "never" && part[2] == "gpu")
			fault(part[1] ": " seen[entry] " calls on the GPU")
	}
	# By default small calls are not records.
	for (symbol in made) {
		# What differ_lapack counts are its own calls.
		more = way == "never" && (symbol in eligible) && found[symbol] + 0 > made[symbol]
		if (way != "default" && found[symbol] + 0 != made[symbol] && !more)
			fault(symbol ": " found[symbol] + 0 " calls are accounted for, the program made " made[symbol])
		if (way != "always")
			continue
		# Of matrices of deficient rank rounding decides whether a pivot is zero.
		if (symbol in eligible && routine_of(symbol) != "getrf") {
			# Calls that the CPU has to do may have letters that are for the CPU too.
			if (gpu[symbol] > eligible[symbol] || gpu[symbol] + allowed[symbol] < eligible[symbol])
				fault(symbol ": " gpu[symbol] + 0 " calls on the GPU, " eligible[symbol] " are eligible")
		} else if (made[symbol] > 0 && !(symbol in eligible) && !(symbol in gpu))
			fault(symbol ": none of " made[symbol] " calls was on the GPU")
	}
	for (symbol in found)
		if (way != "never" && !(symbol in made))
			fault(symbol ": " found[symbol] " records, the program made no call")
	end_with_summary(total_made, on_gpu)
}
