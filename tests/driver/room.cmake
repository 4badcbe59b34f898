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

# gpushim_case(LABEL NAME CONF TARGET [ARGUMENT...]): runs TARGET without and with the shim as
# CONF.conf says; the test is named LABEL.NAME.
function(gpushim_case label name conf target)
  gpushim_test(${label}.${name} ${label} 120 ${GPUSHIM_DRIVER}/run_case.sh
    ${CMAKE_CURRENT_SOURCE_DIR}/${conf}.conf ${CMAKE_BINARY_DIR} $<TARGET_FILE:${target}> ${ARGN})
endfunction()
