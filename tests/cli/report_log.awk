# report_log.awk - writes records as the shim would, by a rule and not by chance
# SPDX-License-Identifier: Apache-2.0
#
# calls: how many; pid; object; reason, and size: of all calls, or without them a program that
# multiplies and transforms while CUDA starts; side: cpu or gpu; slow: by what measured times are
# longer than expected ones; predicted=no: there are no expected ones; head: the keys of a
# process's first record, as in JSON; pci: the bus id of its GPU; inner: the inner size of products
# on the CPU.
function line(symbol, routine, sizes, bytes, flops, target, reason, cpu_ns, gpu_ns) {
	took_ns = target == "gpu" ? gpu_ns : cpu_ns
	ns = int((took_ns < 0 ? 1000000 : took_ns) * (slow ? slow : 1) * (0.9 + (n % 5) / 20))
	printf "{\"time\":\"2026-11-21T02:%02d:%02d.%06dZ\",\"pid\":%d,\"tid\":%d,", \
		us / 60000000, (us / 1000000) % 60, us % 1000000, pid, pid
	printf "%s\"object\":\"%s\",\"symbol\":\"%s\",", n == 0 && head ? head "," : "", object, symbol
	printf "\"routine\":\"%s\",\"sizes\":{%s},\"bytes\":%d,\"flops\":%.0f,\"target\":\"%s\",\"reason\":\"%s\",", \
		routine, sizes, bytes, flops, target, reason
	printf "\"device\":%d,\"math\":\"%s\",\"predicted_cpu_ns\":%d,\"predicted_gpu_ns\":%d,", \
		target == "gpu" ? 0 : -1, target == "gpu" ? "native" : "-", cpu_ns, gpu_ns
	if (target == "gpu" && pci != "") {
		printf "\"pci\":\"%s\",", pci
		pci = ""
	}
	printf "\"elapsed_ns\":%d}\n", ns
	us += ns / 1000 + 250
}
function multiply(size, target, reason) {
	cpu_ns = predicted == "no" ? -1 : size * size * size / 50 + 1
	gpu_ns = predicted == "no" ? -1 : size * size * 1.2 + 60000
	k = target == "cpu" && inner ? inner : size
	line("cblas_dgemm", "dgemm", "\"m\":" size ",\"n\":" size ",\"k\":" k, 24 * size * size, 2 * size ^ 3, \
		target, reason, cpu_ns, gpu_ns)
}
BEGIN {
	pid = pid ? pid : 4711
	object = object ? object : "simulation"
	for (n = 0; n < calls; n++) {
		if (reason != "")
			multiply(size ? size : 1500, side ? side : "cpu", reason)
		else if (n < 12)
			multiply(1500, "cpu", "start_not_paid")
		else if (n % 4 == 0)
			line("fftw_execute", "fftw_c2c", "\"n0\":256,\"n1\":256,\"howmany\":1", 2097152, 5242880, "cpu", \
				"predicted_slower", 1900000, 2300000)
		else
			multiply(n % 3 == 0 ? 3000 : 900, "gpu", "predicted_faster")
	}
}
