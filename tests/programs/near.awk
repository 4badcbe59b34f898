# near.awk - replaces numbers near those of the run without the shim by the latter
# SPDX-License-Identifier: Apache-2.0
#
# usage: awk -v absolute=A -v relative=R [-v exact=REGEX] -f near.awk BASE RUN
#
# Lines and their words correspond. Near is |x - base| <= A + R |base|; in lines that match exact
# nothing is.

function is_number(word) {
	return word ~ /^[-+]?[0-9]*\.[0-9]+([eE][-+]?[0-9]+)?$/
}

FNR == NR { base[FNR] = $0; next }

exact != "" && $0 ~ exact { print; next }

{
	words = split(base[FNR], was)
	for (i = 1; i <= NF && i <= words; i++) {
		difference = $i > was[i] ? $i - was[i] : was[i] - $i
		size = was[i] > 0 ? was[i] + 0 : -was[i]
		if (is_number($i) && is_number(was[i]) && difference <= absolute + relative * size)
			$i = was[i]
	}
	$1 = $1
	print
}
