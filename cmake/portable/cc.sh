#!/bin/sh
# cc.sh - compiles and links with the compiler of the Python package ziglang
# SPDX-License-Identifier: Apache-2.0
# usage: cc.sh PYTHON ARGUMENT...
set -eu
python=$1
shift
first=
for argument do
	shift
	case $argument in
	-Wl,-z,initfirst) first=yes ;;
	*) set -- "$@" "$argument" ;;
	esac
done
[ -n "$first" ] || exec "$python" -m ziglang cc "$@"

# The compiler passes no such flag on, but its linker takes it: link without the flag, and then once
# more with the command that was used.
output=$("$python" -m ziglang cc -v "$@" 2>&1) || {
	printf '%s\n' "$output" | grep -v '^ld\.lld -' >&2
	exit 1
}
command=$(printf '%s\n' "$output" | sed -n 's/^ld\.lld //p' | tail -n 1)
[ -n "$command" ] || {
	echo "cc.sh: the compiler did not show how it links" >&2
	exit 1
}
# shellcheck disable=SC2086 # several words; no path of a build has a blank
exec "$python" -m ziglang ld.lld $command -z initfirst
