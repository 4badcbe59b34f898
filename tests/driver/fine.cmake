# fine.cmake - the shim, but each clean page is left out of a copy, not only many in a row
# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

# The operands of most suites have a few pages. The shim sends those that have not changed along
# with the changed ones around them, which is faster; so what tracking finds would not be put to the
# test.
set(fine_changed "mirror_arm[.]|operand_arm[.]|operand_proof[.]|operand_runs[.]")
add_library(gpushim_fine SHARED
  ${PROJECT_SOURCE_DIR}/shim/execute/gpu/engine/mirror_arm.c
  ${PROJECT_SOURCE_DIR}/shim/execute/gpu/resident/operand_arm.c
  ${PROJECT_SOURCE_DIR}/shim/execute/gpu/resident/operand_proof.c
  ${PROJECT_SOURCE_DIR}/shim/execute/gpu/resident/operand_runs.c
  $<FILTER:$<TARGET_OBJECTS:gpushim_objects>,EXCLUDE,${fine_changed}>
  $<TARGET_OBJECTS:gpushim>)
add_dependencies(gpushim_fine gpushim)
target_compile_definitions(gpushim_fine PRIVATE OPERAND_RUNS_GAP_BYTES=1
                           OPERAND_PROOF_PART_BYTES=8192 MIRROR_ARM_PART_BYTES=8192
                           OPERAND_ARM_EDGE_BYTES=4096)
get_target_property(fine_options gpushim LINK_OPTIONS)
get_target_property(fine_libraries gpushim LINK_LIBRARIES)
target_link_options(gpushim_fine PRIVATE ${fine_options})
target_link_libraries(gpushim_fine PRIVATE ${fine_libraries})
set_target_properties(gpushim_fine PROPERTIES OUTPUT_NAME gpushim INTERPROCEDURAL_OPTIMIZATION OFF
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/fine)
