# differ_fft_log.awk - whether the log tells of each execution of differ_fft, in order, what it has to
# SPDX-License-Identifier: Apache-2.0
# usage: awk -v way=WAY -f differ_fft_log.awk CALLS LOG    CALLS: lines TRIAL SYMBOL REASON SIZES; WAY of run_differ.sh

function value(key,   parts) {
	split($0, parts, "\"" key "\":\"")
	return substr(parts[2], 1, index(parts[2], "\"") - 1)
}

# {"n0":4,"n1":6,"howmany":2} is 4x6x2.
function sizes(   parts) {
	split($0, parts, "\"sizes\":{")
	sub(/}.*/, "", parts[2])
	gsub(/"[a-z0-9]*":/, "", parts[2])
	gsub(/,/, "x", parts[2])
	return parts[2]
}

function fail(text) {
	if (++failed <= 10)
		print "FAIL log: " text
}

# Where the device has little memory, what does not fit into it comes back.
function is_back(   reason) {
	reason = value("reason")
	return way == "memory" && value("target") == "cpu" && (reason == "device_memory_full" || reason == "host_memory_full")
}

function compare(trial, symbol, reason, size,   eligible, found) {
	eligible = reason == "policy_always"
	found = value("symbol") " " value("target") " " value("reason")
	if (eligible && is_back()) {
		back++
		return
	}
	if (found != symbol " " (eligible ? "gpu" : "cpu") " " reason)
		fail("trial " trial ": " found ", and not " symbol " " (eligible ? "gpu" : "cpu") " " reason)
	else if (eligible && sizes() != size)
		fail("trial " trial ": sizes " sizes() ", and not " size)
	gpu += value("target") == "gpu"
}

FNR == NR { trial[FNR] = $1; symbol[FNR] = $2; reason[FNR] = $3; size[FNR] = $4; calls = FNR; next }

{
	records = FNR
	kept += /"kept":[1-9]/
	shared += /"cpu_part":/
	if (records <= calls)
		compare(trial[FNR], symbol[FNR], reason[FNR], size[FNR])
}

END {
	if (records != calls)
		fail(records + 0 " records of " calls " executions")
	if (gpu == 0)
		fail("no execution at all was on the GPU")
	if (way == "track" && kept * 50 < gpu)
		fail(kept + 0 " of " gpu " executions found their input on the device")
	if ((way ~ /^share/) != (shared > 0) || (way ~ /^share/ && shared * 20 < gpu))
		fail(shared + 0 " of " gpu " executions were shared with the CPU")
	print gpu + 0 " of " calls " executions on the GPU, " kept + 0 " found their input there, " back + 0 " came back, " shared + 0 " were shared"
	exit failed != 0
}
