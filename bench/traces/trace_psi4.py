# trace_psi4.py - writes the synthetic traces: small products as of Psi4, and density fitting
# SPDX-License-Identifier: Apache-2.0
#
# usage: trace_psi4.py small|fitted REPEAT > TRACE
#
# small: 26,606 dgemm in one coupled-cluster run of water; the median of (mnk)^(1/3) is 36, the
# largest dimension 116.
# fitted: exchange by density fitting for about 400 functions and 60 orbitals, by blocks of the
# auxiliary basis.
import random
import sys

DRAWN, ITERATIONS, CALLS = 200, 19, 26606


def small(numbers):
    """One iteration's products, drawn once: log-normal, each dimension at most 116."""
    rows = []
    for _ in range(DRAWN):
        sizes = [min(116, max(2, round(numbers.lognormvariate(3.58, 0.55)))) for _ in range(3)]
        rows.append("dgemm %s %dx%dx%d %%d 6000" % (numbers.choice(["NN", "NT", "TN"]), *sizes))
    each, rest = CALLS // (ITERATIONS * DRAWN), CALLS % (ITERATIONS * DRAWN)
    lines = ["loop %d" % ITERATIONS] + [row % each for row in rows] + ["end"]
    while rest > 0:
        lines.append(rows[rest % DRAWN] % min(rest, 50))
        rest -= 50
    return CALLS, lines


def fitted(_):
    """Half-transformation, then the contraction with itself: eight blocks an iteration."""
    functions, orbitals, block, blocks, iterations = 400, 60, 150, 8, 12
    lines = ["dgemm TN 1200x1200x400 4 20000", "loop %d" % iterations]
    body = [
        "dgemm NN %dx%dx%d 1 90000" % (orbitals, block * functions, functions),
        "dgemm TN %dx%dx%d 1 40000" % (functions, functions, orbitals * block),
    ]
    lines += body * blocks
    lines += ["dgemm TN %dx%dx%d 3 200000" % (functions, functions, functions),
              "dgemm NN %dx%dx%d 40 5000" % (functions, 8, 8), "end"]
    return 4 + iterations * (2 * blocks + 43), lines


KINDS = {
    "small": (small, "the products of a small coupled-cluster run: counts, median and largest "
                     "as they were recorded"),
    "fitted": (fitted, "exchange matrices by density fitting, 400 functions, "
                       "1200 auxiliary ones, 60 orbitals"),
}


def main():
    make, computes = KINDS[sys.argv[1]]
    calls, lines = make(random.Random(1))
    print("trace 1")
    print("program psi4_%s" % sys.argv[1])
    print("version none")
    print("computes %s" % computes)
    print("recorded no recording: synthetic, by trace_psi4.py, after figures published of Psi4")
    print("threads 1")
    print("repeat %s" % sys.argv[2])
    print("calls %d" % calls)
    print("\n".join(lines))
    print("done")


main()
