# golden_mask.awk - replaces what differs between runs and machines in a command's text
# SPDX-License-Identifier: Apache-2.0
#
# build, work: folders, which become BUILD and WORK. In texts of all kinds the version and processes
# are replaced, and why no GPU can be used here. kind:
#   exact      hardly anything else
#   times      measured times become TIME, at their right edge if they stand in a column
#   compare    also the verdict and the plot; sentences on how steady the runs were are left out
#   coverage   also shares, and how many times as fast
#   calibrate  also rates and how much they vary; the names of the machine and of its libraries
#   top        also processes' numbers and the time of day
#   doctor     what the kernel and the folders of this machine say
# A line with a folder of any length goes on to the end of its sentence, wherever it was broken.
function fill(text, width) {
	while (length(text) < width)
		text = " " text
	return text
}
function replace(line, from, to,    at) {
	if (from != "")
		while ((at = index(line, from)) > 0)
			line = substr(line, 1, at - 1) to substr(line, at + length(from))
	return line
}
# A cell of a table keeps its width; in a sentence words have one blank between them.
function put(cell, word) {
	return cell ~ /^  / ? fill(word, length(cell)) : cell ~ /^ / ? " " word : word
}
function mask_times(line,    done, cell, rest) {
	while (match(line, / *[<>]?[0-9][0-9.,]* (ns|us|ms|s|min)([^a-z]|$)/)) {
		cell = substr(line, RSTART, RLENGTH)
		rest = substr(line, RSTART + RLENGTH)
		if (cell !~ /[a-z]$/) {
			rest = substr(cell, length(cell)) rest
			cell = substr(cell, 1, length(cell) - 1)
		}
		done = done substr(line, 1, RSTART - 1) put(cell, "TIME")
		line = rest
	}
	return done line
}
function mask_cells(line, expression, word,    done) {
	while (match(line, expression)) {
		done = done substr(line, 1, RSTART - 1) put(substr(line, RSTART, RLENGTH), word)
		line = substr(line, RSTART + RLENGTH)
	}
	return done line
}
function indentation(line) {
	match(line, /^ */)
	return RLENGTH
}
# Takes the lines behind the present one that go on with its sentence.
function join(least,    text, more) {
	text = lines[at]
	while (at < count && lines[at + 1] != "" && indentation(lines[at + 1]) >= least) {
		more = lines[++at]
		sub(/^ +/, "", more)
		text = text " " more
	}
	return text
}
function mask_absence(line) {
	gsub(/here: CPU \(no (driver|GPU)\)/, "here: CPU (NO_GPU)", line)
	if (kind == "exact")
		return line
	sub(/(no_cuda_libraries|no_driver|no_device): .*/, "NO_GPU: WHY", line)
	if (match(line, /(no_cuda_libraries|no_driver|no_device) +/))
		line = substr(line, 1, RSTART - 1) "NO_GPU" fill("", RLENGTH - 6) \
			substr(line, RSTART + RLENGTH)
	return line
}
# Sentences on how steady the runs were stand between the table and what is said of the output.
function print_compare(line) {
	if (line ~ /^[0-9]+ (pair|round)s? of runs/)
		timed = 1
	else if (line ~ /^(output|exit)/)
		timed = 0
	if (timed && line ~ /^  [^ ]/)
		return
	if (line ~ /^result: .* (times|seen)/)
		line = "result: WORDS"
	else if (line ~ /^          [^ ]/)
		line = "          WORDS"
	else if (line ~ /^        (best:|.* since (no usable|the NVIDIA|the driver))/) {
		line = join(8)
		sub(/since .*/, "since WHY", line)
		sub(/best: .*/, "best: NAME", line)
	} else if (line ~ /^on \/ off/)
		line = "on / off     RATIO"
	else if (line ~ /^distribution/)
		drawn = 1
	else if (timed && drawn && line ~ /^ +[0-9.]+ [mnu]?s( |$)/)
		line = "               TIME"
	else if (timed)
		sub(/\|.*/, "|", line)
	else if (line ~ /^  cpu .*NO_GPU/)
		line = mask_absence(join(30))
	print mask_times(line)
}
function print_coverage(line) {
	if (line ~ /^of .* are calls/ && lines[at + 1] !~ /^(with|the shim|$)/)
		line = line " " lines[++at]
	sub(/at best [0-9.,]+ times/, "at best N times", line)
	line = mask_cells(line, " *[<>]?[0-9.]+ %", "# %")
	print mask_times(line)
}
function print_calibrate(line) {
	if (line ~ /^steadiness/)
		steadiness = 1
	else if (line ~ /^stored/)
		steadiness = 0
	else if (steadiness)
		return
	if (line ~ /^    \//) # a path that the line before has no room for
		return
	if (line ~ /^  (host|processor|BLAS|LAPACK|FFTW|CUDA)(  |$)/)
		line = sprintf("%-17sNAME", substr(line, 1, 17))
	sub(/keeps [0-9]+ %/, "keeps # %", line)
	line = mask_cells(line, "  +[0-9.]+ [num]?s +<?[0-9]+ %", "TIME   # %")
	print mask_times(mask_cells(line, "  +[0-9.]+ +<?[0-9]+ %", "RATE   # %"))
}
function print_top(line) {
	sub(/[0-9][0-9]:[0-9][0-9]:[0-9][0-9]/, "CLOCK", line)
	if (match(line, /^ *[0-9]+ [a-z]/))
		line = fill("PID", RLENGTH - 2) substr(line, RLENGTH - 1)
	print mask_times(line)
}
function print_section(title) {
	print title
	print "  (of this machine)"
	while (at < count && lines[at + 1] != "")
		at++
}
# The simulated GPU is the same everywhere.
function print_doctor(line,    simulated) {
	simulated = ENVIRON["EPOCHLY_GPU_CUDA_PATH"] != ""
	if (line ~ /^(driver|residency)$/ || (!simulated && line ~ /^(CUDA libraries|what to do next)$/)) {
		print_section(line)
		return
	}
	if (line ~ /^  searched:/) {
		join(4)
		return
	}
	if (line ~ /^(x |! |ok) residency / ||
		(!simulated && line ~ /^(x |! |ok) (driver|card|libraries) /)) {
		join(13)
		line = "??" substr(line, 3, 12) "(of this machine)"
	} else if (line ~ /^(x |! |ok) [a-z]+  / && line lines[at + 1] ~ /BUILD/)
		line = join(13)
	else if (line ~ /^  [^ ].*BUILD/ ||
		(line ~ /^  [^ ]/ && lines[at + 1] ~ /^    .*BUILD/ && lines[at + 1] !~ /BUILD\/gpushim /)) {
		line = join(4)
		gsub(/ +/, " ", line)
		line = " " line
	}
	sub(/, NUMA node .*/, "", line)
	print line
}
# Where the kernel does not track writes the summary says so.
/^(in [0-9,]+ of [0-9,]+ processes )?(operands are sent each time|not all operands could stay): / || (refused && /^  +[^ ]/) {
	refused = 1
	next
}
{
	refused = 0
	$0 = replace(replace($0, work, "WORK"), build, "BUILD")
	sub(/^gpushim [0-9]+\.[0-9]+\.[0-9]+/, "gpushim VERSION")
	sub(/version [0-9]+\.[0-9]+\.[0-9]+$/, "version VERSION")
	gsub(/pid [0-9]+/, "pid PID")
	lines[++count] = $0
}
END {
	for (at = 1; at <= count; at++) {
		line = mask_absence(lines[at])
		if (kind == "compare")
			print_compare(line)
		else if (kind == "coverage")
			print_coverage(line)
		else if (kind == "calibrate")
			print_calibrate(line)
		else if (kind == "top")
			print_top(line)
		else if (kind == "doctor")
			print_doctor(line)
		else
			print kind == "times" ? mask_times(line) : line
	}
}
