# eligible.awk - every record of a program's log is on the GPU or not eligible for it, and expected symbols are there
# SPDX-License-Identifier: Apache-2.0
#
# usage: awk -f eligible.awk EXPECT LOG
#
# EXPECT has one symbol a line: at least one call of it ran on the GPU. Other symbols may be there as well: what a
# program calls besides depends on its version. The log is that of policy `always`.

# The text behind "key":" in the record.
function value(key,    rest) {
	rest = substr($0, index($0, "\"" key "\":\"") + length(key) + 4)
	return substr(rest, 1, index(rest, "\"") - 1)
}

function fault(text) {
	print "log: FAIL " text
	faults++
}

function eligible(symbol, reason) {
	if (reason ~ /^(illegal_argument|quick_return|operands_overlap)$/)
		return 0
	# Plans of kinds that cuFFT has no form for, and plans that were made where the shim does not look.
	return !(symbol ~ /fftwf?_/ && reason ~ /^(unsupported_layout|unknown_plan)$/)
}

FILENAME == ARGV[1] { expected[$1]; next }

!/^\{"time":"[^"]*".*\}$/ {
	if (cut++ == 0)
		fault("line " FNR " is not a whole record: " substr($0, 1, 100))
	next
}

{ count[value("symbol"), value("target"), value("reason")]++ }

END {
	for (entry in count) {
		split(entry, part, SUBSEP)
		total += count[entry]
		if (part[2] == "gpu" && part[3] == "policy_always") {
			on_gpu[part[1]] += count[entry]
			gpu += count[entry]
		} else if (part[2] != "cpu" || eligible(part[1], part[3]))
			fault(part[1] ": " count[entry] " eligible calls are " part[2] " " part[3])
		else
			aside = aside " " part[1] " " part[3] " " count[entry]
	}
	for (symbol in expected)
		if (!(symbol in on_gpu))
			fault(symbol " was expected on the GPU, and no call was")
	for (symbol in on_gpu)
		seen = seen " " symbol " " on_gpu[symbol]
	print "log: on the GPU:" seen
	if (aside != "")
		print "log: not eligible:" aside
	printf "log: %d records, %d on the GPU, %d faults\n", total, gpu, faults
	exit faults > 0
}
