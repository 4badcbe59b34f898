# executions.awk - a log has as many calls as the program made; without a GPU none is on it
# SPDX-License-Identifier: Apache-2.0
#
# usage: awk -v way=always|nan|nogpu -f ../driver/decision_log.awk -f executions.awk EXPECT EXECUTIONS LOG
#
# EXPECT has one symbol a line, which is called with a form on the GPU; it matters without a GPU
# only, else eligible.awk looks. EXECUTIONS has lines "symbol kind count": kind is eligible, or the
# reason why such a call has no form on the GPU. Of a symbol that is there all calls are.

# What the record says about its call, were there a GPU.
function kind(target, reason) {
	if (way == "nogpu")
		return target == "cpu" && reason ~ /^(no_cuda_libraries|no_driver|no_device)$/ ? "eligible" : reason
	return target == "gpu" && reason == "policy_always" ? "eligible" : reason
}

FILENAME == ARGV[1] { expected[$1] }
FILENAME == ARGV[2] { wanted[$1, $2] += $3; told[$1] }

END {
	for (entry in count) {
		split(entry, part, SUBSEP)
		found[part[1], kind(part[2], part[3])] += count[entry]
		if (way == "nogpu" && part[2] != "cpu")
			on_gpu += count[entry]
	}
	if (on_gpu)
		fault(on_gpu " calls on a GPU that is not there")
	for (symbol in expected)
		if (way == "nogpu" && !((symbol, "eligible") in found))
			fault("no call of " symbol " was kept from the GPU for want of one")
	for (entry in wanted)
		found[entry] += 0
	for (entry in found) {
		split(entry, part, SUBSEP)
		if (!(part[1] in told))
			continue
		if (found[entry] == wanted[entry] + 0)
			counted = counted " " part[1] " " part[2] " " found[entry]
		else
			fault(part[1] " " part[2] ": " found[entry] " records, the program made " wanted[entry] + 0)
	}
	print "executions:" (counted == "" ? " none were counted" : counted)
	exit faults > 0
}
