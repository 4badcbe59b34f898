# differ.cmake - the differential test of all BLAS routines: its program, its libraries, its tests
# SPDX-License-Identifier: Apache-2.0
set(differ_sources blas_table.c grid.c trial_call.c trial_emulate.c trial_tell.c)
set(differ_libraries /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} /usr/lib64 /usr/lib)

# Names of blas.def and structs of policy/: these programs stand on the tables.
function(differ_flags target)
  gpushim_plain(${target})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${target} PRIVATE -O2 -fexceptions
    $<$<C_COMPILER_ID:GNU>:-fcx-limited-range> $<$<BOOL:${GPUSHIM_WERROR}>:-Werror>)
endfunction()

function(differ_program target)
  add_executable(${target} ${ARGN})
  differ_flags(${target})
  target_link_libraries(${target} PRIVATE m ${CMAKE_DL_LIBS})
endfunction()
differ_program(differ_blas differ_blas.c arena.c blas_library.c draw.c fate.c judge.c product.c
  rerun.c trial_draw.c ${differ_sources})
differ_program(sparse_blas sparse_blas.c blas_library.c ${differ_sources})

# differ_module(NAME FILE): calls are made from it, and return to it, so that it finds what it is
# linked with.
function(differ_module name file)
  add_library(differ_${name} MODULE trial_call.c blas_table.c)
  differ_flags(differ_${name})
  target_compile_options(differ_${name} PRIVATE -fno-optimize-sibling-calls)
  target_link_options(differ_${name} PRIVATE -Wl,--no-as-needed)
  target_link_libraries(differ_${name} PRIVATE ${file})
endfunction()

# differ_fake(NAME LIBRARY BITS): a library with every name, over one that has the common ones.
function(differ_fake name library bits)
  set(map ${CMAKE_CURRENT_BINARY_DIR}/fake_${name}.map)
  set(definition ${PROJECT_SOURCE_DIR}/shim/table/blas.def)
  add_custom_command(OUTPUT ${map}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/fake_map.sh ${CMAKE_NM} ${library} ${definition} ${bits}
    > ${map}
    DEPENDS fake_map.sh ${definition} ${library} VERBATIM)
  add_custom_target(differ_map_${name} DEPENDS ${map})
  add_library(fake_${name} SHARED fake_blas.c)
  add_dependencies(fake_${name} differ_map_${name})
  differ_flags(fake_${name})
  target_compile_definitions(fake_${name} PRIVATE FAKE_LIBRARY="${library}")
  target_link_libraries(fake_${name} PRIVATE ${CMAKE_DL_LIBS})
  target_link_options(fake_${name} PRIVATE -Wl,--version-script=${map})
  set_target_properties(fake_${name} PROPERTIES LINK_DEPENDS ${map})
  differ_module(fake_${name}_module fake_${name})
endfunction()

# An instrumented shim needs its runtime in front of it; the program and the libraries stay as
# they are.
set(differ_runtime "")
if(GPUSHIM_SANITIZE)
  foreach(runtime asan ubsan)
    execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=lib${runtime}.so
      OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE)
    get_filename_component(found ${found} REALPATH)
    list(APPEND differ_runtime ${found})
  endforeach()
  list(JOIN differ_runtime ":" differ_runtime)
endif()

# differ_test(NAME LABEL WAY COUNT SEED LIBRARY...)
function(differ_test name label way count seed)
  gpushim_test(numeric.blas_${name} "${label}" 600
    ${CMAKE_CURRENT_SOURCE_DIR}/run_differ.sh ${CMAKE_BINARY_DIR} $<TARGET_FILE:differ_blas>
    ${way} --count ${count} --seed ${seed} ${ARGN})
  set_tests_properties(numeric.blas_${name} PROPERTIES
    ENVIRONMENT "DIFFER_RUNTIME=${differ_runtime}")
endfunction()

# Calls by day. At night there are many more of each kind.
set(day 1500)

# Every library that is installed, directly; and some behind every other name.
set(provided_openblas openblas-pthread libblas.so.3 32)
set(provided_reference blas libblas.so.3 32)
set(provided_blis blis-pthread libblas.so.3 32)
set(provided_atlas atlas libblas.so.3 32)
set(provided_openblas64 openblas64-pthread libblas64.so.3 64)
set(provided_reference64 blas64 libblas64.so.3 64)
set(provided_blis64 blis64-pthread libblas64.so.3 64)
set(seed 1)
foreach(name openblas reference blis atlas openblas64 reference64 blis64)
  list(GET provided_${name} 0 folder)
  list(GET provided_${name} 1 soname)
  list(GET provided_${name} 2 bits)
  find_library(DIFFER_${name} NAMES ${soname} PATH_SUFFIXES ${folder} PATHS ${differ_libraries}
    NO_DEFAULT_PATH)
  if(NOT DIFFER_${name})
    message(STATUS "numeric.blas_${name} is left out: there is no ${folder}/${soname}")
    continue()
  endif()
  math(EXPR seed "${seed} + 1")
  differ_module(${name} ${DIFFER_${name}})
  set(differ_${name} ${name}:$<TARGET_FILE:differ_${name}>:${DIFFER_${name}}:${bits})
  differ_test(${name} numeric gpu ${day} ${seed} ${differ_${name}})
  differ_test(${name}_long "numeric;nightly" gpu 100000 ${seed}00 ${differ_${name}})
endforeach()
foreach(name openblas openblas64 blis64)
  if(DIFFER_${name})
    list(GET provided_${name} 2 bits)
    math(EXPR seed "${seed} + 1")
    differ_fake(${name} ${DIFFER_${name}} ${bits})
    set(library ${name}_names:$<TARGET_FILE:differ_fake_${name}_module>:${DIFFER_${name}}:${bits})
    differ_test(${name}_names numeric gpu ${day} ${seed} ${library})
    differ_test(${name}_names_long "numeric;nightly" gpu 100000 ${seed}00 ${library})
  endif()
endforeach()

# Its sgemm reads beyond the end of C, which a call that is shared must not meet.
if(DIFFER_blis)
  differ_test(blis_share37 numeric share37 ${day} 38 ${differ_blis})
  differ_test(blis_share37_long "numeric;nightly" share37 50000 3800 ${differ_blis})
endif()

# Both widths in one process, and what is the same for every library.
if(DIFFER_blis AND DIFFER_openblas64)
  differ_test(widths numeric gpu ${day} 30 ${differ_blis} ${differ_openblas64})
  differ_test(widths_long "numeric;nightly" gpu 20000 3000 ${differ_blis} ${differ_openblas64})
endif()
if(DIFFER_openblas)
  differ_test(itself numeric none ${day} 31 ${differ_openblas})
  differ_test(itself_long "numeric;nightly" none 20000 3100 ${differ_openblas})
  differ_test(memory numeric memory ${day} 32 ${differ_openblas})
  differ_test(memory_long "numeric;nightly" memory 20000 3200 ${differ_openblas})
  differ_test(track numeric track ${day} 34 ${differ_openblas})
  differ_test(track_long "numeric;nightly" track 20000 3400 ${differ_openblas})
  foreach(percent 1 37 50 99)
    differ_test(share${percent} numeric share${percent} ${day} ${percent} ${differ_openblas})
    differ_test(share${percent}_long "numeric;nightly" share${percent} 50000 ${percent}00
      ${differ_openblas})
  endforeach()
  foreach(way order cuda12 cuda11)
    differ_test(${way} "numeric;nightly" ${way} 5000 33 ${differ_openblas})
  endforeach()
endif()

# sparse_test(NAME BITS)
function(sparse_test name bits)
  if(TARGET differ_${name})
    gpushim_test(numeric.sparse_${name} numeric 120
      ${CMAKE_CURRENT_SOURCE_DIR}/run_differ.sh ${CMAKE_BINARY_DIR} $<TARGET_FILE:sparse_blas>
      gpu ${name} $<TARGET_FILE:differ_${name}> ${ARGN} ${bits})
    set_tests_properties(numeric.sparse_${name} PROPERTIES
      ENVIRONMENT "DIFFER_RUNTIME=${differ_runtime}")
  endif()
endfunction()
sparse_test(blis 32 ${DIFFER_blis})
sparse_test(openblas64 64 ${DIFFER_openblas64})
sparse_test(fake_blis64_module 64 ${DIFFER_blis64})
