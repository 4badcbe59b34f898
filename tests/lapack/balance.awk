# balance.awk - whether a decision log accounts for each call of LAPACK that a program made
# SPDX-License-Identifier: Apache-2.0
#
# usage: awk -v program=NAME -v way=WAY -f ../driver/decision_log.awk -f balance.awk TAKEN TALLY LOG
#
# TAKEN has lines `routine reasons`: without its letter of type, then the reasons, besides those of
# every routine, for which a call may stay on the CPU although the policy is always. TALLY has lines
# `symbol own other` of lapack_tally.c, counted without the shim: own counts the calls by the program
# itself. WAY is always, never or another of suites.sh. Records of other objects are those of
# LAPACK's calls of LAPACK, which depend on where the outer call ran.

# What the CPU library has to do, or what the GPU left to it.
BEGIN {
	split("illegal_argument quick_return operands_overlap workspace_query short_workspace not_finite not_solved",
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

FILENAME == ARGV[2] && routine_of($1) in taken { made[$1] = $2; total_made += $2 }

FILENAME == ARGV[ARGC - 1] && routine_of(value("symbol")) in taken && value("object") == program {
	seen[value("symbol"), value("target"), value("reason")] += number("calls")
}

END {
	for (entry in seen) {
		split(entry, part, SUBSEP)
		found[part[1]] += seen[entry]
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
		if (way != "default" && found[symbol] + 0 != made[symbol])
			fault(symbol ": " found[symbol] + 0 " calls are accounted for, the program made " made[symbol])
		if (way == "always" && made[symbol] > 0 && !(symbol in gpu))
			fault(symbol ": none of " made[symbol] " calls was on the GPU")
	}
	for (symbol in found)
		if (!(symbol in made))
			fault(symbol ": " found[symbol] " records, the program made no call")
	if (way != "default" && total_made == 0 && length(taken) > 0)
		fault("the program made no call of these routines")
	end_with_summary(total_made, on_gpu)
}
