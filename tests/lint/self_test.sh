#!/bin/sh
# self_test.sh - the checks can fail: each is given a tree or a library with one fault
# SPDX-License-Identifier: Apache-2.0
set -eu
source=$1
here=$source/tests/lint
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 passed=0

fresh() {
	rm -rf "$work/tree"
	mkdir -p "$work/tree"
	(cd "$source" && tar cf - --exclude=.git --exclude=build policy shim audit measure page cli bench examples tests .clang-format) |
		(cd "$work/tree" && tar xf -)
}

must_fail() {
	check=$1 what=$2
	code=0
	"$here/$check.sh" "$work/tree" "${3:-none}" >"$work/out" 2>&1 || code=$?
	case $code in
	0) echo "$check accepted $what"; failed=$((failed + 1)) ;;
	77) echo "$check was skipped" ;;
	*) passed=$((passed + 1)) ;;
	esac
}

fresh; echo '#include "shim/route/route.h"' >>"$work/tree/policy/decide/cost.c"
must_fail layers "an include upwards"
fresh; echo '#include "shim/record/record.h"' >>"$work/tree/shim/describe/plans.c"
must_fail layers "an include of a sibling"
fresh; echo '#include "measure/device.h"' >>"$work/tree/shim/gate/gate.c"
must_fail layers "an include of the shim's that measures"
fresh; echo '#include "policy/text/human.h"' >>"$work/tree/page/plot_axis.c"
must_fail layers "a page that knows the shim"
fresh; echo '#include "bench/common/spawn.h"' >>"$work/tree/measure/device.c"
must_fail layers "an include of a bench"
fresh; yes '/* */' | head -n 600 >>"$work/tree/shim/route/route.c"
must_fail sizes "a file of 600 lines"
fresh; { printf 'int f(void)\n{\n'; yes '	;' | head -n 70; printf '}\n'; } >>"$work/tree/shim/gate/gate.c"
must_fail sizes "a function of 70 lines"
fresh; echo 'static void f(void) { puts("x"); }' >>"$work/tree/shim/gate/gate.c"
must_fail no_stdout "a puts"
fresh; echo 'int   x ;' >>"$work/tree/shim/gate/gate.c"
must_fail format "a badly formatted line"
fresh; sed -i 1d "$work/tree/shim/gate/gate.c"
must_fail names "a file without its head"

if clang-tidy --version 2>/dev/null | grep -q 'version 14\.'; then
	cat >"$work/fault.c" <<-'C'
		int fault(int *p);
		int fault(int *p) { if (p == 0) return *p; return 0; }
	C
	printf '[{"directory": "%s", "command": "cc -c fault.c", "file": "%s/fault.c"}]\n' "$work" "$work" \
		>"$work/compile_commands.json"
	cp "$source/.clang-tidy" "$work/"
	if "$here/tidy.sh" "$source" "$work/library.so" "$work/fault.c" >"$work/out" 2>&1; then
		echo "tidy accepted a null dereference"
		failed=$((failed + 1))
	else
		passed=$((passed + 1))
	fi
fi

fresh
cc -shared -fPIC -o "$work/extra.so" -x c - <<'C'
void dgemm_(void) {}
void helper(void) {}
C
must_fail exports "a foreign export" "$work/extra.so"
cc -shared -fPIC -o "$work/new.so" -x c - <<'C'
#include <string.h>
__asm__(".symver later, memcpy@GLIBC_2.14");
extern void *later(void *, const void *, unsigned long);
void *f(void *p) { return later(p, p, 1); }
C
objcopy() { :; }
sed 's/GLIBC_2\.14/GLIBC_2.99/g' "$work/new.so" >"$work/newer.so"
must_fail symbol_versions "a glibc of the future" "$work/newer.so"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
