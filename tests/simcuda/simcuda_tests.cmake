# simcuda_tests.cmake - the tests of the simulated CUDA
# SPDX-License-Identifier: Apache-2.0
add_library(simcuda_rules OBJECT sim_rules.c)
simcuda_flags(simcuda_rules)

set(simcuda_label simcuda)
if(GPUSHIM_AT_NIGHT) # tests/CMakeLists.txt
  list(APPEND simcuda_label nightly)
endif()

function(simcuda_test name)
  add_executable(simcuda_${name}_test ${ARGN} $<TARGET_OBJECTS:simcuda_rules>)
  simcuda_flags(simcuda_${name}_test)
  add_dependencies(simcuda_${name}_test simcuda)
  foreach(major 13 12 11)
    # One folder for each: the tests write a file.
    set(place ${CMAKE_CURRENT_BINARY_DIR}/${name}_${major})
    file(MAKE_DIRECTORY ${place})
    add_test(NAME simcuda_${name}_${major} COMMAND simcuda_${name}_test ${simcuda_dir}/${major}
      ${major}
      WORKING_DIRECTORY ${place})
    set_tests_properties(simcuda_${name}_${major} PROPERTIES LABELS "${simcuda_label}" TIMEOUT 300)
  endforeach()
  # The majors differ in names and structs, which the rules look at; the arithmetic is the same.
  if(NOT name STREQUAL rules)
    set_tests_properties(simcuda_${name}_12 PROPERTIES LABELS "simcuda;nightly")
  endif()
endfunction()

simcuda_test(rules rules_test.c sim_rules_alive.c sim_rules_capture.c sim_rules_clock.c
  sim_rules_context.c sim_rules_copy.c sim_rules_cublas.c sim_rules_cufft.c sim_rules_decompose.c
  sim_rules_device.c sim_rules_dry.c sim_rules_fault.c sim_rules_float.c sim_rules_geam.c
  sim_rules_handle.c sim_rules_hang.c sim_rules_level3.c sim_rules_memory.c sim_rules_solver.c
  sim_rules_node.c sim_rules_stream.c sim_matrix.c)
simcuda_test(gemm sim_gemm_test.c sim_matrix.c)
simcuda_test(level3 sim_level3_test.c sim_matrix.c)
simcuda_test(solver sim_solver_test.c sim_solver_cases.c sim_solver_eigen.c sim_solver_qr.c
  sim_solver_singular.c sim_measure.c sim_matrix.c)
simcuda_test(fft sim_fft_test.c)

# The folders: one major each, a set with a hole, a set of two majors.
add_executable(simcuda_sets_test sim_sets_test.c)
simcuda_flags(simcuda_sets_test)
add_dependencies(simcuda_sets_test simcuda)
add_test(NAME simcuda_sets COMMAND simcuda_sets_test ${simcuda_dir})
set_tests_properties(simcuda_sets PROPERTIES LABELS "${simcuda_label}")

# What the rules open of libraries that are not the stand-ins.
add_library(simcuda_openings_library MODULE sim_openings.c)
simcuda_flags(simcuda_openings_library)
set_target_properties(simcuda_openings_library PROPERTIES C_VISIBILITY_PRESET default)
add_test(NAME simcuda_openings COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/sim_openings.sh
  $<TARGET_FILE:simcuda_rules_test> $<TARGET_FILE:simcuda_openings_library>)
set_tests_properties(simcuda_openings PROPERTIES LABELS "${simcuda_label}" TIMEOUT 300)
