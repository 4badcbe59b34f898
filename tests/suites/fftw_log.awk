# fftw_log.awk - the records of a decision log are the executions of these problems in turn, each where it belongs
# SPDX-License-Identifier: Apache-2.0
#
# usage: awk -v symbol=fftw_execute -v target=gpu -v reason=policy_always \
#            -f ../driver/decision_log.awk -f fftw_log.awk EXPECT LOG
#
# EXPECT is of eligible_fftw.awk. What is eligible must have this target and this reason (A|B: one
# of them), all else its own reason on the CPU. Of each problem there must be all executions, and of
# what is eligible the sizes must be right. Up to as many records as more says may follow.

# The product of the record's sizes; it has none where the problem has no form on the GPU.
function points(    part, i, numbers, product) {
	if (!match($0, /"sizes":\{[^}]*\}/))
		return -1
	numbers = split(substr($0, RSTART + 8, RLENGTH - 8), part, ":")
	product = 1
	for (i = 2; i <= numbers; i++)
		product *= part[i] + 0
	return numbers < 2 ? -1 : product
}

# The first fault of a problem stands for all of it, and the first few problems for all of them.
function fault_of(about, text) {
	if (about != told && told_problems++ < 5)
		fault(about ": " text)
	told = about
}

function check(    eligible, wanted, reasons, why) {
	eligible = form[at] == "gpu"
	wanted = eligible ? target : "cpu"
	reasons = eligible ? reason : form[at]
	why = value("reason")
	if (value("symbol") != symbol)
		fault_of(problem[at], "a record of " value("symbol"))
	if (value("target") != wanted || index("|" reasons "|", "|" why "|") == 0)
		fault_of(problem[at], value("target") " " why ", expected " wanted " " reasons)
	else if (eligible && points() != size[at])
		fault_of(problem[at], "a record of " points() " points, expected " size[at])
}

BEGIN { at = 1 }

FILENAME == ARGV[1] {
	problem[++problems] = $1
	form[problems] = $2
	left[problems] = $3
	size[problems] = $4
	next
}

{ on_gpu += value("target") == "gpu" }

at > problems {
	extra++
	next
}

{
	check()
	if (--left[at] == 0)
		at++
}

END {
	if (at <= problems)
		fault(problem[at] ": " left[at] " executions are missing, and those of all problems after it")
	if (extra > more)
		fault(extra " records too many")
	end_with_summary(FNR, on_gpu)
}
