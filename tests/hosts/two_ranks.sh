#!/bin/sh
# two_ranks.sh - runs a program as two ranks of MPI, and sorts what they print
# SPDX-License-Identifier: Apache-2.0
# Either rank may print first.
#
# usage: two_ranks.sh MPIRUN PROGRAM [ARGUMENT...]
#
# The store of PMIx is the hash: the others remove a folder at the end, and now and then print
# an error about it.
set -eu

mpirun=$1
shift
status=0
PMIX_MCA_gds=hash "$mpirun" --allow-run-as-root --oversubscribe -n 2 "$@" >two_ranks.out ||
    status=$?
sort two_ranks.out
exit "$status"
