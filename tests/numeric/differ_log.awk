# differ_log.awk - whether the log tells of as many calls on the GPU as the program says that it made
# SPDX-License-Identifier: Apache-2.0
# usage: awk -v way=WAY -f differ_log.awk CALLS LOG    CALLS: lines SYMBOL NUMBER; WAY of run_differ.sh

function value(key,   parts) {
	split($0, parts, "\"" key "\":\"")
	return substr(parts[2], 1, index(parts[2], "\"") - 1)
}

function fail(text) {
	print "FAIL log: " text
	failed = 1
}

FNR == NR { expected[$1] = $2; calls += $2; next }

{
	symbol = value("symbol")
	reason = value("reason")
	target = value("target")
	if (!(symbol in expected))
		foreign[symbol]++
	if (target == "gpu")
		gpu[symbol]++
	else if (way == "memory" && (reason == "device_memory_full" || reason == "host_memory_full"))
		back[symbol]++
	else if (reason != "quick_return" && reason != "operands_overlap")
		unexpected[symbol " stayed on the CPU: " reason]++
	total += target == "gpu"
	if (index($0, "\"cpu_part\":") > 0) {
		shared++
		batches += symbol ~ /batch/
	}
	kept += /"kept":[1-9]/
}

END {
	for (text in unexpected)
		fail(text ", " unexpected[text] " times")
	for (symbol in foreign)
		fail(symbol " was not called")
	for (symbol in expected)
		if (gpu[symbol] + back[symbol] != expected[symbol])
			fail(symbol ": " gpu[symbol] + 0 " calls on the GPU, " back[symbol] + 0 " came back, the program made " expected[symbol])
	if ((way ~ /^share/) != (shared > 0))
		fail(shared + 0 " calls were shared with the CPU")
	if (way ~ /^share/ && batches == 0)
		fail("no batch was shared with the CPU")
	if (way == "track" && kept * 20 < total)
		fail(kept + 0 " of " total " calls found operands on the device")
	if (total == 0)
		fail("no call at all was on the GPU")
	print total + 0 " of " calls " eligible calls on the GPU, " kept + 0 " found operands there, " shared + 0 " were shared"
	exit failed
}
