#!/bin/sh
# physics.sh - the simulation against exact results: norm, oscillator, centre of mass, order
# SPDX-License-Identifier: Apache-2.0
# usage: physics.sh SIMULATION
# awk's $2 and $3 must reach awk unexpanded.
# shellcheck disable=SC2016
set -eu

simulation=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

# Columns of the simulation's table: 1 time, 2 norm, 3 energy, 4 x, 5 p_x, 6 r^2, 7 ground, 8
# outside, 9 E_modes, 10 E_grid.
run() {
	name=$1
	shift
	"$simulation" --size 128 "$@" >"$folder/$name" 2>"$folder/times"
}

# check NAME WHAT LIMIT EXPRESSION: |EXPRESSION| <= LIMIT in every row; START(c) is column c of the
# first row.
check() {
	awk -v what="$2 ($1)" -v limit="$3" '
		function start(c) { return first[c] }
		function off(value) { return value < 0 ? -value : value }
		/^#/ { next }
		!rows++ { for (c = 1; c <= NF; c++) first[c] = $c }
		{ miss = off('"$4"'); if (miss > worst || miss != miss) worst = miss }
		END {
			if (rows < 2) { print "FAIL " what ": the simulation printed no table"; exit 1 }
			good = worst <= limit
			printf "%s %s: off by %.2e, allowed %g\n", good ? "ok  " : "FAIL", what, worst, limit
			exit !good
		}' "$folder/$1" || failed=1
}

# The deviation of the energy in a run, for the order of the splitting.
stray() {
	awk '/^#/ { next } !rows++ { e = $3 } { d = $3 - e; if (d < 0) d = -d; if (d > most) most = d } END { print most + 0 }' \
		"$folder/$1"
}

failed=0

# A whole period of the linear oscillator: a coherent state keeps its shape, and its populations
# stay Poissonian.
run oscillator --coupling 0 --dt 0.01 --steps 628 --every 157
check oscillator "the norm is one" 1.1e-12 '$2 - 1'
check oscillator "the energy is 1 + x0^2/2" 1e-4 '$3 - (1 + start(4) ^ 2 / 2)'
check oscillator "x is x0 cos t" 2e-4 '$4 - start(4) * cos($1)'
check oscillator "p_x is -x0 sin t" 2e-4 '$5 + start(4) * sin($1)'
check oscillator "the ground mode holds exp(-x0^2/2)" 2e-5 '$7 - exp(-start(4) ^ 2 / 2)'
check oscillator "modes and grid give one energy" 1.1e-7 '$9 - $10'

# With interaction: the centre of mass is unaffected (Kohn's theorem), and <r^2> oscillates at twice
# the trap's frequency.
run condensate --coupling 20 --dt 0.005 --steps 400 --every 50
check condensate "the norm is one" 1.1e-12 '$2 - 1'
check condensate "x is x0 cos t" 1e-4 '$4 - start(4) * cos($1)'
check condensate "p_x is -x0 sin t" 1e-4 '$5 + start(4) * sin($1)'
check condensate "r^2 is E + (r0^2 - E) cos 2t" 2e-4 '$6 - ($3 + (start(6) - $3) * cos(2 * $1))'
check condensate "the modes hold all of it" 1e-6 '$8'
check condensate "modes and grid give one energy" 1e-5 '$9 - $10'

# Half the step gives a quarter of the error.
run coarse --coupling 20 --dt 0.01 --steps 100 --every 10
run fine --coupling 20 --dt 0.005 --steps 200 --every 20
awk -v coarse="$(stray coarse)" -v fine="$(stray fine)" 'BEGIN {
	ratio = coarse / fine
	good = ratio > 3.8 && ratio < 4.2
	printf "%s the energy errs by dt^2: %.2e and, with half the step, %.2e\n", good ? "ok  " : "FAIL", coarse, fine
	exit !good
}' || failed=1

exit $failed
