# tests.cmake - functions for tests and benches: programs, libraries, tests with their properties
# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

# A plain program or library: built without the shim's flags and headers, with warnings.
function(gpushim_plain target)
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
  target_compile_options(${target} PRIVATE -Wall -Wextra)
  set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET default)
endfunction()

# gpushim_program(TARGET SOURCE [LIBRARY...]): a plain program
function(gpushim_program target source)
  add_executable(${target} ${source})
  gpushim_plain(${target})
  target_link_libraries(${target} PRIVATE ${ARGN})
endfunction()

# gpushim_library(TARGET KIND SOURCE [LIBRARY...]): a plain library; KIND is SHARED or MODULE. A
# module's file is named TARGET.so.
function(gpushim_library target kind source)
  add_library(${target} ${kind} ${source})
  gpushim_plain(${target})
  target_link_libraries(${target} PRIVATE ${ARGN})
  if(kind STREQUAL MODULE)
    set_target_properties(${target} PROPERTIES PREFIX "")
  endif()
endfunction()

# A program that the loader has no part in: no preload and no audit library can see its calls.
function(gpushim_link_statically target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_link_options(${target} PRIVATE -static -no-pie)
endfunction()

# The search for leaks takes what __tls_get_addr has noted for the thread-local memory of libraries;
# for threads that are there when the program ends it may be wrong, and the search fails.
set(gpushim_test_environment "COLUMNS=set:1000")
if(GPUSHIM_SANITIZE MATCHES address)
  list(APPEND gpushim_test_environment
    "ASAN_OPTIONS=path_list_append:intercept_tls_get_addr=0")
endif()

# gpushim_test(NAME LABELS TIMEOUT COMMAND [ARGUMENT...]): TIMEOUT in seconds. A command that ends
# with status 77 counts as skipped. COLUMNS is so wide that the tool breaks no sentence that a test
# looks for; tests/cli has cases with lines of 80 columns. In rooms with GPUSHIM_AT_NIGHT all tests
# run at night (tests/CMakeLists.txt).
function(gpushim_test name labels timeout)
  if(GPUSHIM_AT_NIGHT AND NOT nightly IN_LIST labels)
    list(APPEND labels nightly)
  endif()
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" SKIP_RETURN_CODE 77 TIMEOUT ${timeout}
    ENVIRONMENT_MODIFICATION "${gpushim_test_environment}")
endfunction()

# gpushim_skip_test(NAME LABELS WHY): a test that cannot run on this machine says so.
function(gpushim_skip_test name labels why)
  gpushim_test(${name} "${labels}" 60 sh -c "echo 'skipped: ${why}' && exit 77")
endfunction()

# gpushim_at_night(NAME...): tests of this folder that run at night, beside the others of their kind
# by day. A name without a test is of a machine that lacks what the test needs.
function(gpushim_at_night)
  foreach(name IN LISTS ARGN)
    if(TEST ${name})
      set_property(TEST ${name} APPEND PROPERTY LABELS nightly)
    endif()
  endforeach()
endfunction()

# gpushim_fewer_test(NAME LABELS TIMEOUT SHARE COMMAND...): a test of many alike cases, of which one
# of SHARE runs by day (tests/driver/fewer.h); NAME_whole runs all of them at night.
function(gpushim_fewer_test name labels timeout share)
  gpushim_test(${name} "${labels}" ${timeout} ${ARGN})
  set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT TEST_FEWER=${share})
  math(EXPR whole_timeout "${timeout} * ${share}")
  gpushim_test(${name}_whole "${labels};nightly" ${whole_timeout} ${ARGN})
endfunction()

# gpushim_bench(NAME LIBRARIES SOURCE...): the target bench_NAME, the program <build>/bench/NAME
function(gpushim_bench name libraries)
  add_executable(bench_${name} ${ARGN})
  target_link_libraries(bench_${name} PRIVATE ${libraries})
  set_target_properties(bench_${name} PROPERTIES OUTPUT_NAME ${name}
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
endfunction()
