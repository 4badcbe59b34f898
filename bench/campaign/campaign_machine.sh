# shellcheck shell=sh disable=SC2034,SC2154 # variables of run.sh
# campaign_machine.sh - what run.sh finds on the machine: its parts, CUDA, the bundle's libraries
# SPDX-License-Identifier: Apache-2.0

kind=unknown quick='' library_path=$here/lib cuda_folders='' cuda_major=''

# The largest library is packed in the bundle. A bundle that cannot be written to leaves it packed.
campaign_unpack_libraries() {
	for packed_library in "$here"/lib/*.gz; do
		[ -e "$packed_library" ] || continue
		library=${packed_library%.gz}
		[ ! -e "$library" ] || continue
		if gzip -dc "$packed_library" >"$library.$$" 2>/dev/null; then
			mv "$library.$$" "$library"
		else
			rm -f "$library.$$"
			mkdir -p "$work/lib"
			gzip -dc "$packed_library" >"$work/lib/$(basename "$library")"
			library_path=$work/lib:$here/lib
		fi
	done
}

# What pip installed for this machine's Python is searched for CUDA too.
campaign_find_python() {
	if [ -z "${VIRTUAL_ENV:-}" ] &&
		prefix=$(python3 -c 'import sys; print(sys.prefix)' 2>/dev/null); then
		VIRTUAL_ENV=$prefix
		export VIRTUAL_ENV
	fi
}

# doctor_fact KEY: what the doctor says behind "KEY:"; a long fact continues on lines with four
# blanks in front.
doctor_fact() {
	sed -e ':line' -e '$!N' -e 's/\n    / /' -e 't line' -e P -e D "$doctor_file" |
		sed -n "s/^  $1: //p" | head -n 1
}

# The folders and the major version of the CUDA libraries that the doctor took.
campaign_read_doctor() {
	cuda_major=$(doctor_fact taken | sed -n 's/^CUDA \([0-9]*\).*/\1/p')
	cuda_folders=
	for library in cudart cublas cufft; do
		path=$(doctor_fact "$library")
		case $path in
		*/*) cuda_folders=${cuda_folders:+$cuda_folders:}${path%/*} ;;
		esac
	done
}

# Without a GPU everything runs on the simulated CUDA, if the bundle has it.
campaign_choose_kind() {
	if [ "$1" -eq 0 ] || [ "$1" -eq 6 ]; then
		kind=real
		grep -qs simcuda_version "$(doctor_fact cudart)" && kind=SIMULATED
	elif [ -d "$here/simcuda" ]; then
		kind=SIMULATED
		EPOCHLY_GPU_CUDA_PATH=$here/simcuda
		export EPOCHLY_GPU_CUDA_PATH
	else
		say "run: there is no GPU, and the bundle has no simulated CUDA"
		campaign_end 77
	fi
	if [ "$kind" = SIMULATED ]; then
		quick=--quick
		say "run: no GPU here: everything runs on the SIMULATED CUDA, and no time is a speed"
	fi
}

# Kept as a result: the machine's parts, its memory, the card's state.
campaign_print_machine() {
	uname -srm
	grep -m 1 'model name' /proc/cpuinfo
	echo "processors: $(getconf _NPROCESSORS_ONLN)"
	grep -E '^(MemTotal|MemAvailable)' /proc/meminfo
	cat /sys/kernel/mm/transparent_hugepage/enabled
	getconf GNU_LIBC_VERSION
	env | grep -E '^(CUDA|NVIDIA|OMP|OPENBLAS|MKL|EPOCHLY|NVBLAS|LD_)' | sort
	if command -v nvidia-smi >/dev/null; then
		timeout 10 nvidia-smi
		timeout 10 nvidia-smi -q -d CLOCK,POWER,TEMPERATURE,PERFORMANCE
	else
		echo "there is no nvidia-smi"
	fi
} 2>&1

# Sets kind, quick, cuda_folders, cuda_major.
campaign_describe_machine() {
	part_lasts 540
	campaign_unpack_libraries
	campaign_find_python
	campaign_print_machine | head -c "$output_bytes" >"$folder/00-machine.txt"
	answer='1 6'
	step_own doctor 40 "$here/gpushim" doctor -- "$here/simulation"
	status=$?
	doctor_file=$output
	if [ "$status" -ne 0 ] && [ "$status" -ne 1 ] && [ "$status" -ne 6 ]; then
		say "run: the doctor has no answer: everything runs on the SIMULATED CUDA"
	fi
	campaign_choose_kind "$status"
	if [ "$kind" = SIMULATED ]; then
		answer='1 6'
		step_own doctor-simulated 20 "$here/gpushim" doctor
		doctor_file=$output
	fi
	campaign_read_doctor
	campaign_touch_memory
}

# Some machines grow their memory when it is used: touched first, it costs no measured time.
campaign_touch_memory() {
	gibibytes=16
	[ "$part" != peers ] || gibibytes=40
	[ -z "$quick" ] || gibibytes=0.5
	step_own memory 25 "$here/bench/memory" --gib "$gibibytes" --seconds "$(scaled 20)"
}

# The profile of this machine; one that was measured since the machine started serves all parts.
campaign_need_profile() {
	profile=$results/machine.conf
	boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)
	known=$(cat "$results/machine.boot" 2>/dev/null)
	if [ -s "$profile" ] && [ "$known" = "$kind $boot" ]; then
		say "profile: $profile, measured since this machine started"
		return 0
	fi
	rm -f "$profile"
	echo "$kind $boot" >"$results/machine.boot"
	# shellcheck disable=SC2086 # nothing or one word
	step_own link "$1" "$here/bench/link" $quick $2 --profile "$profile"
	[ -s "$profile" ]
}
