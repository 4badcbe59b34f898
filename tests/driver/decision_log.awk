# decision_log.awk - counts the records of a decision log; shared by the checks of whole logs
# SPDX-License-Identifier: Apache-2.0
#
# usage: awk [-v demand=FIELD -v of=N] -f decision_log.awk -f CHECK.awk FILE... LOG
#
# CHECK.awk reads the lines of its files (the first one's FILENAME is ARGV[1]). In END it finds
# count[symbol, target, reason], reports each fault with fault(), and ends with end_with_summary().
# FIELD is a number that at least one in N calls on the GPU has to have in its record.

# The text after "key":" in the record.
function value(key,    rest) {
	rest = substr($0, index($0, "\"" key "\":\"") + length(key) + 4)
	return substr(rest, 1, index(rest, "\"") - 1)
}

function fault(text) {
	print "log: FAIL " text
	faults++
}

# Reasons for which a call stays on the CPU even if the GPU works; the last eight are those of LAPACK,
# and of what it calls below a call that came back.
function is_ineligible(reason) {
	return reason ~ /^(illegal_argument|quick_return|operands_overlap)$/ ||
		reason ~ /^(workspace_query|short_workspace|cpu_only_job|not_finite|not_solved|zero_matrix|extreme_scale|below_fallback)$/
}

function end_with_summary(total, on_gpu) {
	if (demand != "" && (with_field == 0 || with_field * of < on_gpu))
		fault(with_field + 0 " of " on_gpu " calls on the GPU have " demand)
	printf "log: %d records, %d on the GPU, %s%d faults\n", total, on_gpu,
		demand == "" ? "" : with_field + 0 " with " demand ", ", faults
	exit faults > 0
}

FILENAME == ARGV[ARGC - 1] && !/^\{"time":"[^"]*".*\}$/ {
	if (cut++ == 0)
		fault("line " FNR " is not a whole record: " substr($0, 1, 100))
	next
}

FILENAME == ARGV[ARGC - 1] {
	count[value("symbol"), value("target"), value("reason")]++
	if (demand != "")
		with_field += $0 ~ "\"" demand "\":[0.]*[1-9]"
}
