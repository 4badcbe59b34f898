# bundle.cmake - the target `bundle`: a folder that runs on another machine as it is
# SPDX-License-Identifier: Apache-2.0
add_custom_target(bundle
  COMMAND ${PROJECT_SOURCE_DIR}/cmake/bundle.sh ${PROJECT_SOURCE_DIR} ${CMAKE_BINARY_DIR}
  ${CMAKE_BINARY_DIR}/bundle VERBATIM)
foreach(part gpushim gpushim_audit gpushim_coverage gpushim_cli simulation simcuda bench_overhead
  bench_overhead_loop bench_crossover bench_link bench_memory
  bench_orders bench_peers bench_sweep gpu_tests)
  if(TARGET ${part})
    add_dependencies(bundle ${part})
  endif()
endforeach()
# The programs of the tests with the label gpu.
set(gpu_targets)
if(GPUSHIM_TESTS)
  get_property(gpu_targets DIRECTORY ${PROJECT_SOURCE_DIR}/tests/gpu PROPERTY BUILDSYSTEM_TARGETS)
endif()
foreach(part ${gpu_targets})
  if(part MATCHES "_test$")
    add_dependencies(bundle ${part})
  endif()
endforeach()
if(TARGET simcuda_rules_test)
  add_dependencies(bundle simcuda_rules_test)
endif()
