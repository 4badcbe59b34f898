# mutant.awk - replaces the text $TEXT, which stands once in a source file, by $WRONG
# SPDX-License-Identifier: Apache-2.0
#
# usage: TEXT=... WRONG=... awk -f mutant.awk FILE
#
# Blanks, line ends and the backslashes that continue a macro's lines do not count in the
# comparison, so that the text is found however the file is wrapped. Prints the changed file;
# exit status 1 if the text is not there or is there more than once.

function without_blanks(text) {
	gsub(/\\\n|[ \t\n]/, "", text)
	return text
}

# The position in `text` of the character that is the `wanted`-th one when blanks do not count.
function find_place(text, wanted,    at, seen) {
	for (at = 1; at <= length(text); at++) {
		if (substr(text, at, 2) == "\\\n" || substr(text, at, 1) ~ /[ \t\n]/)
			continue
		if (++seen == wanted)
			return at
	}
}

{ file = file $0 "\n" }

END {
	dense = without_blanks(file)
	text = without_blanks(ENVIRON["TEXT"])
	begin = index(dense, text)
	if (text == "" || !begin || index(substr(dense, begin + 1), text))
		exit 1
	printf "%s%s%s", substr(file, 1, find_place(file, begin) - 1), ENVIRON["WRONG"],
		substr(file, find_place(file, begin + length(text) - 1) + 1)
}
