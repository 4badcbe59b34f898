#!/bin/sh
# stand_in.sh - stands for docker, apptainer and the control program of MPS, by its name
# SPDX-License-Identifier: Apache-2.0
#
# Accepts the options that docs/cluster.md uses, no others, and runs the program on this machine in
# the environment that the real one would give it. Not imitated: images, other root file systems,
# namespaces, the driver's libraries. What stands for the GPUs (SIMCUDA_..., EPOCHLY_GPU_CUDA_PATH)
# reaches the program as the hardware would.
set -eu
name=$(basename "$0")

refuse() {
	echo "$name: $*" >&2
	exit 125
}

# hardware: the variables that describe the simulated GPUs, as words for env.
hardware() {
	env | grep -E '^(SIMCUDA_|EPOCHLY_GPU_CUDA_PATH=|EPOCHLY_GPU_WARMUP=|EPOCHLY_GPU_POLICY=)'
}

stand_docker() {
	[ "$1" = run ] || refuse "unknown command $1"
	shift
	variables='' gpus=''
	while :; do
		case $1 in
		--rm | --ipc=host | --pid=host) ;;
		--gpus) shift && gpus=$1 ;;
		-v)
			shift
			[ "${1%%:*}" = "${1#*:}" ] || refuse "volume $1: two places"
			[ -d "${1%%:*}" ] || refuse "volume $1: no folder"
			;;
		-e) shift && variables="$variables $1" ;;
		-*) refuse "unknown option $1" ;;
		*) break ;;
		esac
		shift
	done
	[ "$gpus" = all ] || refuse 'no GPUs'
	shift
	# shellcheck disable=SC2046,SC2086 # a word for each variable
	exec env -i PATH=/usr/bin:/bin HOME=/root OPENBLAS_NUM_THREADS=1 $(hardware) $variables "$@"
}

stand_apptainer() {
	[ "$1" = exec ] || refuse "unknown command $1"
	shift
	variables='' clean='' nv=''
	while :; do
		case $1 in
		--nv) nv=yes ;;
		--cleanenv) clean=yes ;;
		--env) shift && variables="$variables $1" ;;
		-*) refuse "unknown option $1" ;;
		*) break ;;
		esac
		shift
	done
	[ "$nv" = yes ] || refuse 'no GPUs without --nv'
	[ "${1%.sif}" != "$1" ] || refuse "$1 is no image"
	shift
	# shellcheck disable=SC2046,SC2086 # a word for each variable
	if [ -n "$clean" ]; then
		exec env -i PATH="$PATH" HOME="$HOME" OPENBLAS_NUM_THREADS=1 $(hardware) \
			$variables "$@"
	fi
	# shellcheck disable=SC2086 # a word for each variable
	exec env $variables "$@"
}

# The server that would be started and ended; its folder has to be there.
stand_mps() {
	[ -d "$CUDA_MPS_PIPE_DIRECTORY" ] || refuse 'there is no folder for the pipe'
	if [ "${1-}" = -d ]; then
		: >"$CUDA_MPS_PIPE_DIRECTORY/control"
	else
		[ "$(cat)" = quit ] || refuse 'not understood'
		rm "$CUDA_MPS_PIPE_DIRECTORY/control"
	fi
}

case $name in
docker) stand_docker "$@" ;;
apptainer) stand_apptainer "$@" ;;
nvidia-cuda-mps-control) stand_mps "$@" ;;
*) refuse 'stands for nothing' ;;
esac
