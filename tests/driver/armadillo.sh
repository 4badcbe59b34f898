# shellcheck shell=sh
# armadillo.sh - compiles programs that use the C++ library Armadillo, once; to be sourced
# SPDX-License-Identifier: Apache-2.0

# armadillo_need SOURCE PROGRAM: compiles it, where it is not there or older. On failure it prints
# the reason and returns false.
armadillo_need() {
	if [ "$2" -nt "$1" ]; then
		return 0
	fi
	if ! echo '#include <armadillo>' | c++ -fsyntax-only -x c++ - >/dev/null 2>&1; then
		echo "the C++ library Armadillo is not installed"
		return 1
	fi
	if ! c++ -std=c++11 -O0 -o "$2.$$" "$1" -larmadillo >"$2.log" 2>&1; then
		echo "$1 cannot be compiled: $(grep -m 1 error "$2.log")"
		return 1
	fi
	mv "$2.$$" "$2"
}
