# eligible_fftw.awk - what FFTW's bench, verifying a problem, makes fftw_log.awk find
# SPDX-License-Identifier: Apache-2.0
#
# usage: awk -v rounds=N [-v twice=1] -f eligible_fftw.awk
#
# From problems in bench's words, one a line, to `PROBLEM REASON EXECUTIONS POINTS`. REASON is gpu,
# or why it has no form there (A|B for several), EXECUTIONS how often bench executes the plan,
# POINTS the product of all lengths. twice: fftw_guard.c executes plans once more.

# Leaves the axes of a list in axes, their lengths' product in product and how many are longer than
# one in longer.
function read_axes(list,    axis, i) {
	axes = list == "" ? 0 : split(list, axis, "x")
	product = 1
	longer = 0
	for (i = 1; i <= axes; i++) {
		product *= axis[i] + 0
		longer += axis[i] + 0 > 1
	}
}

function because(reason) { reasons = reasons (reasons == "" ? "" : "|") reason }

{
	match($0, /^[a-z\/]+/)
	head = substr($0, 1, RLENGTH)
	split(substr($0, RLENGTH + 1), lists, /[*v]/)
	vectors = $0 ~ /[*v]/ ? lists[2] : ""
	read_axes(vectors)
	loops = axes; howmany = product
	read_axes(lists[1])
	rank = axes

	reasons = ""
	if (head ~ /k/) because("real_to_real")
	if (head ~ /\//) because("split_arrays")
	if (rank > 3) because("unsupported_rank")
	if (loops > 8) because("unsupported_layout")
	if (longer == 0 || howmany == 0) because("no_transform")

	# verify_dft, verify_rdft2 and verify_r2r of libbench2. A c2r transform of more than one
	# dimension loses its input.
	kept = head !~ /[id]/ && !(head ~ /r/ && head ~ /b/ && rank > 1)
	impulses = head ~ /k/ ? 1 : 2
	shifts = head ~ /[kr]/ ? 1 : 2
	executions = impulses * (1 + 2 * rounds) + 3 * rounds + shifts * 2 * rank * rounds + kept * rounds
	if (twice && head !~ /[k\/]/)
		executions *= 2
	print $0, reasons == "" ? "gpu" : reasons, executions, product * howmany
}
