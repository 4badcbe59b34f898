# bundle.cmake - the target `bundle`: a folder that runs on another machine as it is
# SPDX-License-Identifier: Apache-2.0
add_custom_target(bundle
  COMMAND ${PROJECT_SOURCE_DIR}/cmake/bundle.sh ${PROJECT_SOURCE_DIR} ${CMAKE_BINARY_DIR} ${CMAKE_BINARY_DIR}/bundle
  VERBATIM)
foreach(part gpushim gpushim_audit gpushim_coverage gpushim_cli simulation simcuda bench_overhead bench_overhead_loop gpu_tests)
  if(TARGET ${part})
    add_dependencies(bundle ${part})
  endif()
endforeach()
