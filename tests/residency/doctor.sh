#!/bin/sh
# doctor.sh - what the doctor says of operands that stay on the GPU, also where the kernel refuses
# SPDX-License-Identifier: Apache-2.0
#
# usage: doctor.sh BUILD FILTER [REFUSE]
#
# FILTER runs the doctor under a filter of system calls. REFUSE makes system calls of the doctor
# fail, where it is given.
set -eu

build=$1
filter=$2
refuse=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/driver/verdict.sh
. "$here/../driver/verdict.sh"

if [ ! -e "$build/simcuda" ]; then
	echo "skipped: there is no simulated CUDA"
	exit 77
fi

# ask RESIDENCY [COMMAND...]: the doctor's report, and its status
ask() {
	mode=$1
	shift
	status=0
	env -i PATH="$PATH" HOME="$work" TMPDIR="$work" COLUMNS=1000 LC_ALL=C \
		EPOCHLY_GPU_CUDA_PATH="$build/simcuda" EPOCHLY_GPU_RESIDENCY="$mode" \
		"$@" "$build/gpushim" doctor >"$work/report" 2>&1 || status=$?
}

# says STATUS EXPRESSION...: the report ended so, and has such lines
says() {
	expected=$1
	shift
	verdict "$([ "$status" = "$expected" ] && echo yes)" \
		"residency = $mode: status $status instead of $expected"
	for expression; do
		verdict "$(grep -E -q "$expression" "$work/report" && echo yes)" \
			"residency = $mode: no line is $expression"
	done
}

ask off
says 0 '^ok residency  off: operands are sent each time$'
ask migrate
says 6 '^!  options .*RESIDENCY=migrate: operands are sent each time; no GPU reads ordinary' \
	'^    unset EPOCHLY_GPU_RESIDENCY$' \
	'^  moving pages to the GPU: not possible; no GPU reads' \
	'^    what helps: a GH200 or GB200; on other machines residency = auto$'
ask hash
if grep -q '^  hashing of operands: possible' "$work/report"; then
	says 0 '^ok residency  hash: operands that have not changed stay on the GPU$'
	instead='^    export EPOCHLY_GPU_RESIDENCY=hash$'
else
	says 6 '^!  options .*RESIDENCY=hash: operands are sent each time; .* xxhash.h was not there$' \
		'^  hashing of operands: not possible; .* xxhash.h was not there$' \
		'^    what helps: build the library where xxhash.h is '
	instead='^    unset EPOCHLY_GPU_RESIDENCY$'
fi
verdict "$(grep -q 'mostly costs' "$work/report" || echo yes)" "a cost is said without a measure"
if grep -q '\[madvise\]' /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null; then
	says "$status" '^  large pages: where a program asks for them; GLIBC_TUNABLES=glibc.malloc.hugetlb=1'
fi
tracking=no
time='[0-9.]+ [num]?s'
ask auto
if grep -q '^  tracking of writes: possible$' "$work/report"; then
	tracking=yes
	says 0 '^ok residency  auto: operands that have not changed stay on the GPU, where ' \
		"^  tracking 1 GB in small pages: asking at each call $time, beginning $time, ending $time$"
	ask track
	says 0 '^ok residency  track: operands that have not changed stay on the GPU$'
else
	says 0 '^ok residency  auto: operands are sent each time; ' '^    what helps: '
	echo "tracking is not possible here: $(grep -o 'not possible; .*' "$work/report" | head -n 1)"
fi

# refused RULE SENTENCE REMEDY
refused() {
	ask auto "$refuse" "$1" -
	if grep -q 'a child cannot be traced here' "$work/report"; then
		return
	fi
	says 0 "^ok residency  auto: operands are sent each time; $2" \
		"^  tracking of writes: not possible; $2" "^    what helps: .*$3"
	ask track "$refuse" "$1" -
	says 6 "^!  options .*RESIDENCY=track: operands are sent each time; $2" "$instead"
}
if [ -n "$refuse" ] && ! grep -q 'filter of system calls' "$work/report"; then
	refused userfaultfd-unknown 'the kernel has no userfaultfd' 'CONFIG_USERFAULTFD'
	refused userfaultfd-forbidden 'the system refuses userfaultfd' 'seccomp profile'
	refused features-unknown 'the kernel cannot resolve tracked writes' 'Linux 6.7'
	refused scan-unknown 'the kernel does not tell which pages were written' 'Linux 6.7'
	refused userfaultfd-no-files 'no descriptor or no memory' 'ulimit -n'
	refused protect-refused "the kernel's tracking failed the test .*; not true here: armed pages are clean" \
		'another release'
fi

# under WAY MODE: the doctor under a filter that kills, refuses or allows
under() {
	ask "$2" "$filter" "$1"
}
hash='residency = hash, which needs no userfaultfd; or '
grep -q '^  hashing of operands: possible' "$work/report" || hash=
killed='a filter of system calls kills it'
helps="^    what helps: ${hash}residency = track with a filter that allows userfaultfd$"
under kill auto
if [ "$status" -eq 77 ]; then
	echo "no filter of system calls is possible here"
	verdict_tell
	exit
fi
for way in auto hash off track; do
	under kill "$way"
	expected=0
	if [ "$way" = track ] || { [ "$way" = hash ] && [ -z "$hash" ]; }; then expected=6; fi
	says $expected "$helps" \
		"^  tracking of writes: not possible; residency = track would end a program here: $killed$"
	verdict "$(grep -q 'large pages: ' "$work/report" && echo yes)" "the report is cut short"
done
says 6 "^!  options .*RESIDENCY=track: ends a program here; $killed$" "$instead"
under kill auto
says 0 '^ok residency  auto: operands are sent each time; a filter of system calls is in force'
under refuse auto
says 0 '^ok residency  auto: operands are sent each time; a filter of system calls is in force' \
	'^  tracking of writes: not possible; the system refuses userfaultfd' '^    what helps: .*profile'
under allow auto
if [ $tracking = yes ]; then
	says 0 '^ok residency  auto: operands are sent each time; a filter of system calls is in force' \
		'^  tracking of writes: with residency = track only; a filter of system calls is in force' \
		'^    what helps: residency = track, which asks all the same: the filter allows it$'
	under allow track
	says 0 '^ok residency  track: operands that have not changed stay on the GPU$' \
		'^  tracking of writes: possible$'
fi
verdict_tell
