# shorten.awk - an input of netlib's LAPACK testers with fewer sizes, block sizes and groups of routines
# SPDX-License-Identifier: Apache-2.0
# usage: awk [-v large=1] -f shorten.awk INPUT    large: some matrices have several pages
#
# A tester reads as many values of a line as the line before it announces, and a block size with its
# companions in the lines that follow. Seeds and types of matrices stay as they are. Of the drivers for
# eigenvalues of general matrices the first is left.

# The same number of rows and columns, square and not.
/^[0-9]+ +Number of (values of [MN]|matrix dimensions)[ \t]*$/ { sub(/^[0-9]+/, 5) }
/^[0-9 ]+Values of M([ \t]|$)/ { sub(/^[0-9 ]+/, large ? "0 1 7 97 60  " : "0 1 7 20 13  ") }
/^[0-9 ]+(Values of N([ \t]|$)|Matrix dimensions)/ { sub(/^[0-9 ]+/, large ? "0 1 7 60 97  " : "0 1 7 13 20  ") }
/^[0-9]+ +Number of (values of (NB|RANK|NRHS)|parameter values)/ { sub(/^[0-9]+/, 1) }
# Of the systems of equations: general, positive definite and triangular matrices, QR, least squares.
/^[SDCZ][A-Z0-9][A-Z0-9]([ \t]|$)/ && linear && !/^.(GE|PO|TR|QR|LS) / { next }
/linear eqn/ { linear = 1 }
# Their blocks begin with the name of a driver.
/^[SDCZ](EV|ES|VX|SX) .*Driver/ { left_out = !/^.EV/ }
left_out { next }
{ print }
