# coverage_steady.awk - a report of coverage without its times: rows sorted, each with its reason
# SPDX-License-Identifier: Apache-2.0
function keep(list, text) { count[list]++; held[list, count[list]] = text }
function drop_share(text) {
	sub(/^ *([<>]?[0-9.]+ %|-)/, "", text)
	return text
}
function drop_time(text) {
	sub(/^ *([0-9.,]+ (ns|us|ms|s|min)|-)/, "", text)
	sub(/^ +/, "", text)
	return text
}
function describe(row,    seen, library, letter) {
	library = row
	sub(/.* /, "", library)
	sub(/ +[0-9]+$/, "", row)
	seen = row
	sub(/.*  /, "", seen)
	row = substr(row, 1, length(row) - length(seen))
	if (seen ~ /^\(/) {
		sub(/- +$/, "", row)
		seen = "- " seen
	}
	sub(/ +([0-9.,]+ (ns|us|ms|s|min)|-) +([<>]?[0-9.]+ %|-) *$/, "", row)
	gsub(/ +/, " ", row)
	letter = seen
	sub(/ *\(.*/, "", seen)
	if (sub(/.*\(/, "", letter))
		seen = seen ": " why[substr(letter, 1, 1)]
	return row ", " names[library] ", " seen
}
function show(list, title,    i, j, swap) {
	for (i = 1; i <= count[list]; i++)
		if (list == "rows")
			held[list, i] = describe(held[list, i])
	for (i = 1; i <= count[list]; i++)
		for (j = i + 1; j <= count[list]; j++)
			if (held[list, j] < held[list, i]) {
				swap = held[list, i]
				held[list, i] = held[list, j]
				held[list, j] = swap
			}
	if (count[list] > 0)
		print title
	for (i = 1; i <= count[list]; i++)
		print "  " held[list, i]
	count[list] = 0
}
# Lines that belong together are one: where they are broken depends on the times in them.
function end_part() {
	sub(/at best [0-9.,]+ times/, "at best N times", part)
	if (part != "")
		print part
	part = ""
}
function flush() {
	show("rows", "rows")
	show("who", "who calls")
}
/^routine .*seen/ { mode = "rows"; next }
/^libraries$/ { mode = "libraries"; next }
/^why not$/ { mode = "why"; next }
/^who calls$/ { mode = "who"; next }
/^where the time goes$/ { flush(); mode = "where"; next }
NF == 0 {
	end_part()
	mode = mode == "where" ? "tail" : ""
	next
}
mode == "rows" { keep("rows", $0); next }
mode == "libraries" { names[$1] = $2; next }
mode == "why" {
	text = $0
	if (sub(/^ +\(/, "", text)) {
		letter = substr(text, 1, 1)
		why[letter] = substr(drop_share(substr(text, 3)), 3)
	} else {
		sub(/^ +/, "", text)
		why[letter] = why[letter] " " text
	}
	next
}
mode == "who" { text = drop_share($0); gsub(/ +/, " ", text); keep("who", text); next }
mode == "where" && /^several threads/ { next }
mode == "where" && /^up to / { next }
mode == "where" && /^the times of/ { end_part(); part = $0; next }
mode == "where" && !/^                      / {
	end_part()
	part = "time: " drop_time(drop_share($0))
	next
}
/^gpushim: .* call/ {
	flush()
	end_part()
	part = $0
	mode = "headline"
	next
}
mode == "tail" && /^(of|with|the shim) / {
	end_part()
	part = $0
	next
}
mode == "where" || mode == "headline" || (mode == "tail" && part != "" && !/^status/) {
	sub(/^ +/, "")
	part = part " " $0
	next
}
{
	end_part()
	print
}
END {
	end_part()
	flush()
}
