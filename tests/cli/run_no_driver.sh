# run_no_driver.sh - the reason is the missing driver, also with folders to search for libraries
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
for file in /dev/nvidiactl /dev/nvidia-uvm /dev/nvhost-ctrl-gpu /dev/nvgpu /dev/dxg; do
	[ ! -e "$file" ] || { echo "skipped: there is a driver ($file)"; exit 77; }
done
if /sbin/ldconfig -p | grep -q 'libcuda\.so\.1'; then
	echo "skipped: there is a libcuda.so.1"
	exit 77
fi
# reason VARIABLE=VALUE...: that of the calls. A machine with CUDA's libraries and no driver gives
# it in any case.
reason() {
	env -u LD_LIBRARY_PATH -u CUDA_PATH -u CUDA_HOME -u CONDA_PREFIX "$@" \
		"$GPUSHIM" run --warmup wait --log log -- "$PROBE" calls >/dev/null 2>&1
	echo "status $?: $(grep -o '"reason":"no_[a-z_]*"' log | sort -u | tr '\n' ' ')"
	rm log
}
reason
reason LD_LIBRARY_PATH="$WORK"
reason CUDA_HOME="$WORK"
