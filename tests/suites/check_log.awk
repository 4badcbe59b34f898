# check_log.awk - each record of a decision log is on the GPU or not eligible for it, and all expected ones are there
# SPDX-License-Identifier: Apache-2.0
#
# usage: awk -v reason=policy_always -f ../driver/decision_log.awk -f check_log.awk EXPECT LOG
#
# reason is that of the calls on the GPU. Lines of EXPECT are `SYMBOL KIND COUNT`; COUNT is N or N+
# (at least). KIND is gpu, legal (gpu, quick_return and operands_overlap together) or a reason of
# calls on the CPU. Illegal arguments, quick returns and overlaps are not eligible; any other reason
# is a fault, unless EXPECT counts it. So is another symbol.

FILENAME == ARGV[1] {
	expected[$1, $2] = $3
	known[$1] = 1
}

END {
	for (entry in count) {
		split(entry, part, SUBSEP)
		symbol = part[1]; target = part[2]; why = part[3]; n = count[entry]
		total += n
		if (!(symbol in known))
			fault(symbol " was not expected at all: " n " calls, " target " " why)
		else if (target == "gpu" && why == reason) {
			found[symbol, "gpu"] += n; found[symbol, "legal"] += n; on_gpu += n
		} else if (target == "cpu" && (is_ineligible(why) || (symbol, why) in expected)) {
			found[symbol, why] += n
			if (why == "quick_return" || why == "operands_overlap")
				found[symbol, "legal"] += n
		} else
			fault(symbol ": " n " eligible calls: " target " " why)
	}
	for (entry in expected) {
		split(entry, part, SUBSEP)
		want = expected[entry]; n = found[entry] + 0
		if (want ~ /\+$/ ? n < want + 0 : n != want + 0)
			fault(part[1] ": " n " calls " part[2] ", expected " want)
	}
	end_with_summary(total, on_gpu)
}
