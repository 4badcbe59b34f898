# explain_physics.sh - the smallest DGEMM that pays for six CPUs and five links, without overlap too
# SPDX-License-Identifier: Apache-2.0
#
# The right threshold depends on the machine alone: it spans a factor of 100. Beside the model's n
# is the n of a plain offload on a GPU of 60 Tflop/s with 30 us of fixed cost: A, B and C are copied
# to the GPU, C is copied back, and nothing overlaps: 2 n^3 / cpu = 30 us + 4 n^2 8 / link + 2 n^3 /
# gpu. The shim does not copy C to the GPU and overlaps both directions, so its n is never larger,
# and far smaller if the link is the bottleneck.
printf '%8s %8s %8s %8s %6s\n' link CPU model plain ratio
for link in 8 13 25 55 350; do
	for cpu in 30 100 300 1000 2000 3500; do
		cat >machine.conf <<-END
			cpu_threads = 1
			link_up_bytes = ${link}e9
			link_down_bytes = ${link}e9
			link_duplex = 1
			operation_ns = 1
			gpu_multiprocessors = 132
			call_fixed_ns = 30e3
			cpu_gemm_flops_d = ${cpu}e9
			gpu_gemm_flops_d = 60e12
		END
		"$GPUSHIM" explain dgemm 100 100 100 --profile machine.conf --json >facts || exit
		smallest=$(sed -E 's/.*"smallest_by_time":([0-9a-z]*).*/\1/' facts)
		LC_ALL=C awk -v link="$link" -v cpu="$cpu" -v smallest="$smallest" 'BEGIN {
			for (n = 10000; n > 1; n--)
				if (2 * n ^ 3 / (cpu * 1e9) <= 30e-6 + 32 * n ^ 2 / (link * 1e9) + 2 * n ^ 3 / 60e12)
					break
			n++
			printf "%8d %8d %8d %8d %6.2f%s\n", link, cpu, smallest, n, smallest / n, (smallest > n ? "  larger" : "") }'
	done
done
