# fftw_problems.awk - random problems in the words of FFTW's bench, one a line
# SPDX-License-Identifier: Apache-2.0
#
# usage: awk -v seed=N -v count=N -f fftw_problems.awk
#
# The plain ones are drawn as FFTW's checker draws them; it knows no strides, no empty loops and
# hardly a prime, so there are others. Not every one can be done: bench has its say on that. No two
# elements of an array coincide.

function below(n) { return int(rand() * n) }
function chance(one_in) { return below(one_in) == 0 }
function pick(words,    list) { return list[1 + below(split(words, list, " "))] }

# A product of factors up to 13, as the checker makes its lengths.
function small_factors(limit,    n, factor) {
	n = 1
	for (factor = 1 + below(13); n * factor < limit; factor = 1 + below(13))
		n *= factor
	return n
}

# At length 1 REDFT00 does not exist, and bench is wrong about RODFT01.
function r2r_kind(n) { return pick("f b h e01 e10 e11 o00 o10 o11" (n == 1 ? "" : " e00 o01")) }

# What stands in front of the lengths. bench cannot verify real transforms of split arrays with
# vectors, nor in place with more than one dimension.
function geometry(kind, rank, loops,    place, split_arrays) {
	place = pick("i o")
	split_arrays = kind != "k" && chance(5) && !(kind == "r" && (loops > 0 || (place == "i" && rank > 1)))
	return (split_arrays ? "//" : "") place kind (kind == "k" ? "" : pick("f b")) (chance(3) ? "d" : "")
}

function plain(kind,    left, rank, vector, most, sizes, dims, n) {
	left = 2 + exp(rand() * log(20000))
	rank = 1 + below(4)
	vector = pick("- * v")
	most = int(2 + exp(log(left) / (rank + (vector != "-"))))
	for (dims = 0; left > 1 && dims < rank; most = most > left ? int(left) : most) {
		n = chance(12) ? 1 : small_factors(below(most) + 10)
		if (n == 1 && !chance(4))
			continue
		sizes = sizes (dims++ ? "x" : "") n (kind == "k" ? r2r_kind(n) : "")
		left /= n
	}
	if (dims == 0)
		sizes = "1" (kind == "k" ? "f" : "")
	# Of an empty inner vector bench divides by the stride.
	if (vector != "-")
		sizes = sizes (chance(12) ? "*0" : vector 1 + below(most))
	return geometry(kind, dims, vector != "-") sizes
}

function prime(kind) {
	return geometry(kind, 1, 0) pick("2 3 5 7 11 13 17 31 61 101 127 131 251 509 521 1021 2053 4099 8191") \
		(kind == "k" ? r2r_kind() : "")
}

# Lays the axes 1 to axes out in a random order, with gaps: stride[side, axis]. Axis first, if any,
# is the innermost. One stride in backwards is negative, if any: for some of them FFTW's planner
# calls itself until the stack is full.
function lay_out(side, axes, first, backwards,    left, order, i, at, step) {
	for (i = 1; i <= axes; i++)
		order[i] = i
	step = pick("1 1 2 3")
	for (left = axes; left > 0; left--) {
		i = first && left == axes ? first : 1 + below(left)
		at = order[i]
		order[i] = order[left]
		stride[side, at] = backwards && chance(backwards) ? -step : step
		step = step * extent[side, at] + (chance(2) ? below(4) : 0)
	}
}

# The real side in place shares the array with the complex one, whose elements count twice. bench
# allocates too little where a stride is negative.
function share_array(axes, last,    axis) {
	lay_out("complex", axes, last, 0)
	for (axis = 1; axis <= axes; axis++)
		stride["real", axis] = stride["complex", axis] * (axis == last ? 1 : 2)
}

function strided(kind,    rank, loops, axes, axis, text, in_side, out_side, head) {
	loops = chance(12) ? 4 + below(6) : below(4)
	rank = 1 + (loops > 3 ? 0 : below(3) + chance(8))
	axes = rank + loops
	for (axis = 1; axis <= axes; axis++) {
		length_of[axis] = axis > rank && loops > 3 ? 2 : 1 + below(axis == 1 && axes < 3 ? 60 : 30 / axes + 2)
		extent["in", axis] = extent["out", axis] = extent["real", axis] = extent["complex", axis] = length_of[axis]
	}
	extent["complex", rank] = int(length_of[rank] / 2) + 1
	head = geometry(kind, rank, 1)
	sub(/\/\//, "", head)
	in_side = kind == "r" ? (head ~ /b/ ? "complex" : "real") : "in"
	out_side = kind == "r" ? (head ~ /b/ ? "real" : "complex") : "out"
	if (head ~ /i/ && kind == "r")
		share_array(axes, rank)
	else {
		lay_out(in_side, axes, 0, 30)
		lay_out(out_side, axes, 0, 30)
	}
	for (axis = 1; axis <= axes; axis++) {
		if (head ~ /i/ && kind != "r")
			stride["out", axis] = stride["in", axis]
		text = text (axis == 1 ? "" : axis == rank + 1 ? "v" : "x") length_of[axis] ":" stride[in_side, axis] ":" \
			stride[out_side, axis] (kind == "k" && axis <= rank ? r2r_kind(length_of[axis]) : "")
	}
	return head text
}

# In place, and the output transposed.
function transposed(    n, m) {
	n = 1 + below(40)
	m = chance(2) ? n : 1 + below(40)
	if (chance(2))
		return "ic" pick("f b") n ":1:" m "*" m ":" n ":1"
	return "t" pick("i o") "c" pick("f b") n "x" m (chance(2) ? "" : "*" 1 + below(5))
}

BEGIN {
	srand(seed)
	while (count-- > 0) {
		kind = pick("c c c r r r k")
		draw = below(20)
		print draw < 9 ? plain(kind) : draw < 11 ? prime(kind) : draw < 19 ? strided(kind) : transposed()
	}
}
