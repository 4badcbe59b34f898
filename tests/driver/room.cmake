# room.cmake - what the rooms of programs that run without and with the shim share
# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)
set(GPUSHIM_DRIVER ${CMAKE_CURRENT_LIST_DIR} CACHE INTERNAL "")

find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(TEST_BLAS QUIET IMPORTED_TARGET GLOBAL openblas)
  pkg_check_modules(TEST_FFTW QUIET IMPORTED_TARGET GLOBAL fftw3)
  pkg_check_modules(TEST_FFTWF QUIET IMPORTED_TARGET GLOBAL fftw3f)
  pkg_check_modules(TEST_FFTWL QUIET IMPORTED_TARGET GLOBAL fftw3l)
endif()

# A plain program or library: none of the shim's flags but warnings, and nothing of the shim.
function(gpushim_plain target)
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
  target_compile_options(${target} PRIVATE -Wall -Wextra)
  set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET default)
endfunction()

function(gpushim_program target source)
  add_executable(${target} ${source})
  gpushim_plain(${target})
  target_link_libraries(${target} PRIVATE ${ARGN})
endfunction()

# gpushim_case(LABEL NAME CONF TARGET [ARGUMENT...]): NAME is the test's name behind its label.
function(gpushim_case label name conf target)
  add_test(NAME ${label}.${name}
    COMMAND ${GPUSHIM_DRIVER}/run_case.sh ${CMAKE_CURRENT_SOURCE_DIR}/${conf}.conf ${CMAKE_BINARY_DIR}
            $<TARGET_FILE:${target}> ${ARGN})
  set_tests_properties(${label}.${name} PROPERTIES LABELS ${label} SKIP_RETURN_CODE 77 TIMEOUT 120)
endfunction()
