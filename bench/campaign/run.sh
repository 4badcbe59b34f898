#!/bin/sh
# run.sh - tests and measures this bundle on a machine with a GPU, in three parts of some minutes
# SPDX-License-Identifier: Apache-2.0
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 1

explain() {
	cat <<'TXT'
usage: run.sh PART [--results FOLDER] [--archive FOLDER] [--scale NUMBER]

  first   8 min: does everything work, and the profile of this machine: doctor, tests on the GPU,
          link, orders, the rules of CUDA
  peers   9 min: the shim beside NVBLAS, cuFFTW, plain cuBLAS and cuFFT, and the CPU; one table
  tune    8 min: calibrate, the engine's copies by chunk and threads, crossover, Python programs

--results  where results go; FOLDER/PART is replaced (results, beside run.sh)
--archive  where results-PART.tar.gz goes, at most 16 MiB (the folder for results)
--scale    multiplies all time limits (1, or the variable GPUSHIM_RUN_SCALE)

Each step has a limit and a file of its own, and the archive is renewed after each. A part that is
ended early leaves what it has. Without a GPU everything runs on the simulated CUDA, with small
sizes and the word SIMULATED: no time is a speed then.
Status: 0 nothing failed, 1 a step failed, 2 wrong arguments, 77 there is nothing to run on.
TXT
}

refuse() {
	echo "run: $*" >&2
	explain >&2
	exit 2
}

part='' results=$here/results archive='' scale=${GPUSHIM_RUN_SCALE:-1}
while [ $# -gt 0 ]; do
	case $1 in
	first | peers | tune)
		[ -z "$part" ] || refuse "one part at a time"
		part=$1
		;;
	--results | --archive | --scale)
		[ $# -ge 2 ] || refuse "$1 needs a value"
		case $1 in
		--results) results=$2 ;;
		--archive) archive=$2 ;;
		--scale) scale=$2 ;;
		esac
		shift
		;;
	-h | --help)
		explain
		exit 0
		;;
	*) refuse "there is no part or option $1" ;;
	esac
	shift
done
if [ -z "$part" ]; then
	explain
	exit 0
fi
permille=$(awk -v scale="$scale" 'BEGIN {
	if (scale !~ /^[0-9]*[.]?[0-9]+$/ || scale * 1000 < 1 || scale > 100) exit 1
	printf "%d", scale * 1000 }') || refuse "the scale is a number from 0.001 to 100, not $scale"

# shellcheck source=bench/campaign/campaign_steps.sh
. "$here/campaign/campaign_steps.sh"
# shellcheck source=bench/campaign/campaign_machine.sh
. "$here/campaign/campaign_machine.sh"
campaign_begin
campaign_describe_machine
# shellcheck source=bench/campaign/campaign_first.sh
. "$here/campaign/campaign_$part.sh"
campaign_end 0
