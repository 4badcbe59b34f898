# doctor_options.sh - config files, changed values and their source, stale counters
# SPDX-License-Identifier: Apache-2.0
mkdir -p "$XDG_CONFIG_HOME/gpushim"
printf '\357\273\277policy = always\n# mine\nworkload_threshold = 5e6\n' \
	>"$XDG_CONFIG_HOME/gpushim/gpushim.conf"
printf 'warmup = wait\nnonsense\n' >more.conf
sh -c 'echo $$' >dead
: >"$XDG_RUNTIME_DIR/gpushim-$(cat dead)-12345.counters"
mkdir "$XDG_RUNTIME_DIR/gpushim-run-$(cat dead)-abcDEF"
: >"$XDG_RUNTIME_DIR/gpushim-run-$(cat dead)-abcDEF/gpushim-$(cat dead)-1.counters"
: >"$XDG_RUNTIME_DIR/gpushim-$$-12345.counters"
: >"$XDG_RUNTIME_DIR/somebody-elses.counters"
EPOCHLY_GPU_CONFIG=$WORK/more.conf EPOCHLY_GPU_WORKLOAD_THRESHOLD=7e6 \
	EPOCHLY_GPU_WORKLOAD_THRESHOLD_DGEMM=8e6 EPOCHLY_GPU_POLICY_HERK=never \
	EPOCHLY_GPU_POLICY_C2C=auto EPOCHLY_GPU_DETERMINISTIC=on EPOCHLY_GPU_POLICY=wrong \
	COLUMNS=1000 "$GPUSHIM" doctor >report 2>errors
sed -n -e '/^. *options/p' -e '/^options/,/^$/p' report | sed '/^$/d' |
	sed -E -e "s|$XDG_CONFIG_HOME|CONFIG|" -e "s|$XDG_RUNTIME_DIR|RUNTIME|"
cat errors
ls "$XDG_RUNTIME_DIR" | sed 's/[0-9][0-9]*/N/g'
rm -f "$XDG_RUNTIME_DIR"/*.counters
