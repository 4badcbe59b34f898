/* link_engine.c - the shim's own copies between ordinary memory and the device */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "bench/link/link_bench.h"
#include "measure/measure_engine.h"
#include "policy/call/reason.h"
#include "policy/text/human.h"

void link_engine_measure(struct link_bench *bench)
{
	/* The engine's session refers to them until the end of the process. */
	static struct options options;
	static struct measure_engine engine;
	struct link_figures *figures = &bench->figures;
	const uint64_t most_bytes = UINT64_C(1) << (bench->quick ? 20 : 28);
	const char *cuda_path = getenv("EPOCHLY_GPU_CUDA_PATH");
	struct measure_staged staged;
	options_set_defaults(&options);
	snprintf(options.cuda_path, sizeof options.cuda_path, "%s",
	         cuda_path == NULL ? "" : cuda_path);
	enum reason reason = measure_engine_start(&engine, &options, most_bytes);
	if (reason == REASON_NONE)
		reason = measure_engine_staged(&engine, engine.probe.device_bytes, &staged);
	if (reason != REASON_NONE) {
		printf("the engine's copies: not measured: %s\n\n", reason_sentence(reason));
		return;
	}
	figures->start_ns = engine.start_ns;
	figures->call_fixed_ns = staged.call_ns;
	figures->up_staged_bytes = staged.up_bytes;
	figures->down_staged_bytes = staged.down_bytes;
	char size[HUMAN_BYTES], start[HUMAN_BYTES], call[HUMAN_BYTES];
	human_format_size(engine.probe.device_bytes, size);
	human_format_time((uint64_t)engine.start_ns, start);
	human_format_time((uint64_t)staged.call_ns, call);
	printf("the engine's copies of %s of ordinary memory, GB/s: up %.2f, down %.2f; its start "
	       "%s, a small call %s\n\n",
	       size, staged.up_bytes / 1e9, staged.down_bytes / 1e9, start, call);
	fflush(stdout);
}
