# explain_gate.sh - explain never says that a size pays which the shim would keep on the CPU
# SPDX-License-Identifier: Apache-2.0
#
# For routines, machines and options: the size from which on calls pay by `explain` and by its
# table, and two larger ones, are called under the shim, policy dry, with the same profile, by a
# program whose BLAS and FFTW have one thread and compute nothing. A call that the gate keeps back
# has no line in the log, and one that an option keeps back a reason that names the option.
profiles="a100 workstation"
routines="dgemm zgemm dsyrk dtrsm fftw_c2c"
options() {
	cat <<'END'

--workload-threshold 40000000
--workload-threshold-dgemm 1e9
--work-threshold 20000000000
--k-threshold 900
--workload-threshold 1
--policy-zgemm never
END
}

# The reason in the log of a process that makes the call alone; "gate" where it has no line.
reason() {
	rm -f log
	# shellcheck disable=SC2086
	"$GPUSHIM" run --policy dry --profile "$path" --log log $setting "$SIZES" "$1" "$2" \
		>/dev/null 2>err || { echo failed; cat err; return; }
	found=$(sed -n "s/.*\"sizes\":{\"[a-z0-9]*\":$2[,}].*\"reason\":\"\([a-z_]*\)\".*/\1/p" log)
	echo "${found:-gate}"
}

for profile in $profiles; do
	path=${GPUSHIM%/*}/machines/$profile.conf
	options | while read -r setting; do
		# shellcheck disable=SC2086
		"$GPUSHIM" explain --break-even --json --threads 1 --profile "$profile" \
			--policy dry $setting >table
		for routine in $routines; do
			# shellcheck disable=SC2086
			one=$("$GPUSHIM" explain "$routine" 64 --json --threads 1 --profile "$profile" \
				--policy dry $setting | sed -n 's/.*"smallest":\([0-9]*\).*/\1/p')
			all=$(tr '{' '\n' <table | sed -n \
				"s/^\"routine\":\"$routine\",\"shape\":\"[sn][quare]*\",\"smallest\":\([0-9]*\).*/\1/p" |
				head -n 1)
			[ "$one" = "$all" ] || echo "$profile $routine $setting: $one alone, $all in the table"
			for n in $one ${one:+$((one + one / 8))} ${one:+$((one * 3))}; do
				why=$(reason "$routine" "$n")
				case $why in
				# CUDA's start and plans are no matter of the size.
				dry_run_faster) continue ;;
				start_not_paid | warming_up | setup_not_paid) continue ;;
				esac
					echo "$profile $routine $n ($setting) pays, says explain; the shim: $why"
			done
		done
	done
done
echo end
