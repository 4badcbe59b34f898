# octave_signs.awk - a file of Octave's tests, where assertions on signs are replaced
# SPDX-License-Identifier: Apache-2.0
#
# usage: awk -v file=NAME -f octave_signs.awk octave_signs.table PATH
#
# Rows of the table that this version of Octave does not have are named on stderr.

FNR == NR {
	if (/^#/ || split($0, part, / \| /) != 4 || part[1] != file)
		next
	from[++rows] = part[2]
	to[rows] = part[3]
	next
}

{
	for (i = 1; i <= rows; i++)
		while (at = index($0, from[i])) {
			$0 = substr($0, 1, at - 1) to[i] substr($0, at + length(from[i]))
			found[i]++
		}
	print
}

END {
	for (i = 1; i <= rows; i++)
		if (!(i in found))
			print "this Octave's " file " has no " from[i] >"/dev/stderr"
}
