# doctor_wrong.sh - what keeps calls off the GPU, or does not do what it says: the doctor names it
# SPDX-License-Identifier: Apache-2.0
# Each with the command that comes next, and a status that tells.
[ -d "$SIMCUDA" ] || { echo "skipped: there is no simulated CUDA here"; exit 77; }
export EPOCHLY_GPU_CUDA_PATH="$SIMCUDA" COLUMNS=1000

# ask TITLE [VARIABLE=VALUE]... WORDS: runs them; prints the status, the lines that are not "ok",
# and the next step.
number=0
ask() {
	number=$((number + 1))
	title=$1
	shift
	status=0
	env "$@" >report 2>errors || status=$?
	echo
	echo "$number. $title: status $status"
	sed -n '3,/^$/{/^ok /d;/^$/d;p}' report |
		sed -E -e "s|$raised|RAISED|" -e 's/memory has [0-9.]+ [MGT]B/memory has SIZE/' \
			-e 's/machine-.*conf/MACHINE/'
	sed -n '/^what to do next/,/^$/p' report >next
	sed -e '/^and then/,$d' -e '/^ /!d' -e "s|$raised|RAISED|" next
	sed '/LD_PRELOAD cannot be preloaded/d' errors
	[ "$status" -ne 0 ] || echo "the status tells nothing"
	grep -q '^    ' next || echo "there is no command"
}
doctor="$GPUSHIM doctor"
# A program with raised privileges: root has those of another user only.
raised=/usr/bin/passwd
if [ "$(id -u)" -eq 0 ]; then
	raised=$WORK/passwd
	cp "$WANTS" "$raised"
	chown 65534 "$raised"
	chmod 4755 "$raised"
fi

# -- options that keep all calls on the CPU --
# shellcheck disable=SC2086 # two words
{
	ask "the shim is off" EPOCHLY_GPU_ENABLED=0 $doctor
	printf '\n# ours\npolicy = never\n' >never.conf
	ask "a file's policy is never" EPOCHLY_GPU_CONFIG="$WORK/never.conf" $doctor
	ask "a dry run" EPOCHLY_GPU_POLICY=dry $doctor
	ask "except matches the program" EPOCHLY_GPU_EXCEPT='x*,cli_w*' $doctor "$WANTS"
	ask "only does not match it" EPOCHLY_GPU_ONLY=pw.x $doctor "$WANTS"
	ask "a threshold that no call reaches" EPOCHLY_GPU_WORKLOAD_THRESHOLD=1e18 $doctor
	ask "a device that does not exist" SIMCUDA_DEVICES=2 EPOCHLY_GPU_DEVICES=7 $doctor

	# -- options that do not do what they say --
	ask "one of several devices" SIMCUDA_DEVICES=2 EPOCHLY_GPU_DEVICES=1,7 $doctor
	ask "a card is smaller than the limit" EPOCHLY_GPU_MEMORY_LIMIT=80000 $doctor
	ask "a limit in GB" EPOCHLY_GPU_MEMORY_LIMIT=8 $doctor
	ask "a threshold under the policy always" EPOCHLY_GPU_POLICY=always \
		EPOCHLY_GPU_WORKLOAD_THRESHOLD=1e6 $doctor
	ask "deterministic on two cards" SIMCUDA_DEVICES=2 EPOCHLY_GPU_DEVICES=all \
		EPOCHLY_GPU_DETERMINISTIC=on $doctor
	ask "a log without its folder" EPOCHLY_GPU_LOG="$WORK/a b/%p.log" $doctor
	ask "a log below a file" EPOCHLY_GPU_LOG=/dev/null/log $doctor
	ask "a trace that is a folder" EPOCHLY_GPU_TRACE="$WORK" $doctor
	ask "a level without a log" EPOCHLY_GPU_LOG_LEVEL=call $doctor
	ask "counters in no folder" EPOCHLY_GPU_COUNTERS="$WORK/nowhere" $doctor
	ask "a cache below a file" XDG_CACHE_HOME=/dev/null/cache $doctor
	ask "an unknown profile" EPOCHLY_GPU_PROFILE=h2000 $doctor
	ask "a folder without CUDA" EPOCHLY_GPU_CUDA_PATH="$WORK" CUDA_PATH="$SIMCUDA" \
		LD_LIBRARY_PATH="$SIMCUDA" $doctor
	ask "a BLAS that is not there" EPOCHLY_GPU_CPU_BLAS=/lib/libnoblas.so $doctor
	ask "an FFTW that is none" EPOCHLY_GPU_CPU_FFTW="$SIMCUDA/libcudart.so.13" $doctor
	ask "arithmetic that the card lacks" SIMCUDA_CAPABILITY=7.5 EPOCHLY_GPU_MATH=tf32 $doctor

	# -- mistakes in names and values --
	printf 'policy = auto\nworkload_treshold = 1e6\nlog = "x\n' >wrong.conf
	ask "lines of a file" EPOCHLY_GPU_CONFIG="$WORK/wrong.conf" $doctor
	ask "a file that is not there" EPOCHLY_GPU_CONFIG="$WORK/none.conf" $doctor
	printf 'policy = auto\n' >open.conf
	chmod 666 open.conf
	ask "a file that others write" EPOCHLY_GPU_CONFIG="$WORK/open.conf" $doctor
	ask "a value" EPOCHLY_GPU_POLICY=fast $doctor
	ask "a variable's option" EPOCHLY_GPU_TRESHOLD=1e6 $doctor
	ask "another prefix" GPUSHIM_LOG='a log' $doctor
	ask "half of the prefix" EPOCHLY_MEMORY_LIMIT=4000 $doctor
	ask "the prefix" EPOCHY_GPU_POLICY=always $doctor
	ask "small letters" epochly_gpu_trace=t $doctor
	ask "nothing like an option" GPUSHIM_FASTER=1 $doctor

	# -- other libraries --
	touch libnvblas.so.12 libgpushim.so
	ask "another shim" LD_PRELOAD="$WORK/libnvblas.so.12" $doctor
	ask "an old copy" LD_PRELOAD="libm.so.6:$WORK/libgpushim.so" $doctor
	ask "a library that is gone" LD_PRELOAD=/opt/gone.so $doctor

	# -- programs --
	ask "a static program" $doctor "$STATIC"
	ask "no such file" $doctor ./nowhere
	ask "no such program" $doctor no-such-program
	printf '#!/bin/sh\n' >script
	ask "a file that is no program" $doctor -- ./script --size 2 "it's"
	{ head -c 4 "$WANTS"; printf '\001'; tail -c +6 "$WANTS"; } >narrow
	chmod +x narrow
	ask "a 32-bit program" $doctor ./narrow
	ask "raised privileges" $doctor "$raised"
	ask "a folder" $doctor "$WORK"
	sed s/libcli_fake.so/libcli_gone.so/ "$WANTS" >gone
	chmod +x gone
	ask "a library is missing" $doctor ./gone
	sed s/dgemm_/dgees_/ "$WANTS" >factorise
	chmod +x factorise
	ask "LAPACK alone" $doctor ./factorise
	ask "a program without BLAS" $doctor true

	# -- the machine --
	ask "an old driver" SIMCUDA_DRIVER=11040 EPOCHLY_GPU_CUDA_PATH="$SIMCUDA/12" $doctor
	ask "no card that is shown" SIMCUDA_DEVICES=0 CUDA_VISIBLE_DEVICES= $doctor
	ask "a card that is not there" SIMCUDA_DEVICES=0 CUDA_VISIBLE_DEVICES=3 $doctor
	ask "an old card" SIMCUDA_CAPABILITY=6.1 EPOCHLY_GPU_CUDA_PATH="$SIMCUDA/13" $doctor
	ask "a broken library" EPOCHLY_GPU_CUDA_PATH="$SIMCUDA/broken-symbol" $doctor
	ask "a card that does not start" SIMCUDA_FAIL=cudaMemGetInfo:1 $doctor
}
