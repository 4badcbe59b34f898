# eligible.awk - every record is on the GPU or not eligible; expected symbols are there
# SPDX-License-Identifier: Apache-2.0
#
# usage: awk -f ../driver/decision_log.awk -f eligible.awk EXPECT LOG
#
# EXPECT has one symbol per line: at least one call of it ran on the GPU. Other symbols are allowed,
# because the program's other calls depend on its version. The log is that of policy `always`.

# Plans of kinds that cuFFT has no form for, and plans that were made where the shim does not look.
BEGIN {
	split("real_to_real split_arrays unsupported_rank unsupported_precision no_transform unsupported_layout unknown_plan",
		names, " ")
	for (i in names)
		without_form[names[i]]
}

# These programs pass the lengths that their LAPACK asks for.
function eligible(symbol, reason) {
	return reason == "short_workspace" ||
		(!is_ineligible(reason) && !(symbol ~ /fftw[flq]?_/ && reason in without_form))
}

FILENAME == ARGV[1] { expected[$1] }

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
	end_with_summary(total, gpu)
}
