# options.cmake - compiler flags that every part of the project shares
# SPDX-License-Identifier: Apache-2.0
add_library(gpushim_flags INTERFACE)
target_include_directories(gpushim_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(gpushim_flags INTERFACE _GNU_SOURCE GPUSHIM_VERSION="${PROJECT_VERSION}")
target_compile_options(gpushim_flags INTERFACE
  -Wall -Wextra -Wshadow -Wpointer-arith -Wmissing-prototypes -Wstrict-prototypes -Wvla -Wformat=2 -Wundef
  $<$<BOOL:${GPUSHIM_WERROR}>:-Werror>
  -fexceptions          # an xerbla that throws passes through our frames
  -fno-math-errno -ftls-model=initial-exec
  $<$<CONFIG:RelWithDebInfo>:-O2>)
if(GPUSHIM_SANITIZE)
  target_compile_options(gpushim_flags INTERFACE -fsanitize=${GPUSHIM_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(gpushim_flags INTERFACE -fsanitize=${GPUSHIM_SANITIZE})
endif()
if(GPUSHIM_COVERAGE)
  target_compile_options(gpushim_flags INTERFACE --coverage)
  target_link_options(gpushim_flags INTERFACE --coverage)
endif()

set(GPUSHIM_RECORD_SOURCES
  shim/record/backing.c  shim/record/counters.c shim/record/drainer.c shim/record/format.c shim/record/human.c
  shim/record/hush.c shim/record/logfile.c
  shim/record/page.c shim/record/record.c shim/record/ring.c shim/record/sheaf.c shim/record/sink.c shim/record/summary.c
  shim/record/summary_books.c shim/record/ticks.c shim/record/timeline.c shim/record/timeline_file.c
  shim/record/timeline_line.c shim/record/timeline_nvtx.c shim/record/timeline_out.c shim/record/timeline_ring.c)
set(GPUSHIM_GPU_SOURCES
  shim/execute/gpu/blas_math.c shim/execute/gpu/math_proof.c
  shim/execute/gpu/cuda.c shim/execute/gpu/cuda_check.c shim/execute/gpu/cuda_devices.c
  shim/execute/gpu/cuda_name.c shim/execute/gpu/cuda_places.c shim/execute/gpu/device_nodes.c
  shim/execute/gpu/copiers.c shim/execute/gpu/pack.c shim/execute/gpu/pack_copy.c
  shim/execute/gpu/pack_populate.c shim/execute/gpu/processors.c shim/execute/gpu/staging.c
  shim/execute/gpu/fft_cut.c shim/execute/gpu/fft_extent.c shim/execute/gpu/fft_job.c shim/execute/gpu/host_memory.c
  shim/execute/gpu/kernel_text.c
  shim/execute/gpu/fft_layout.c shim/execute/gpu/fft_map.c shim/execute/gpu/fft_plan_build.c
  shim/execute/gpu/flow.c shim/execute/gpu/flow_cut.c shim/execute/gpu/flow_down.c shim/execute/gpu/flow_queue.c
  shim/execute/gpu/flow_send.c shim/execute/gpu/flow_times.c shim/execute/gpu/flow_up.c
  shim/execute/gpu/gpu_panels.c shim/execute/gpu/panel_job.c shim/execute/gpu/panel_rest.c
  shim/execute/gpu/panel_memo.c shim/execute/gpu/panel_team.c
  shim/execute/gpu/fft_plans.c shim/execute/gpu/gpu_batch.c shim/execute/gpu/gpu_blas.c shim/execute/gpu/gpu_fft.c
  shim/execute/gpu/gpu_launch.c shim/execute/gpu/gpu_operand.c shim/execute/gpu/gpu_place.c shim/execute/gpu/gpu_split.c
  shim/execute/gpu/gpu_tiles.c shim/execute/gpu/lane_build.c shim/execute/gpu/lanes.c shim/execute/gpu/lanes_take.c shim/execute/gpu/memory.c
  shim/execute/gpu/pinned.c shim/execute/gpu/probe.c shim/execute/gpu/quick_look.c shim/execute/gpu/session.c shim/execute/gpu/session_gate.c
  shim/execute/gpu/sharers.c shim/execute/gpu/survey.c shim/execute/gpu/transfer.c shim/execute/gpu/warmup.c)
