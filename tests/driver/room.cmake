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

# The reference BLAS and LAPACK, which have neither threads nor locks. A child that is made while
# another thread is inside OpenBLAS may inherit a lock of OpenBLAS's, and a jump out of it leaves
# one.
find_library(TEST_NETLIB_LAPACK NAMES liblapack.so.3
  PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} PATH_SUFFIXES lapack NO_DEFAULT_PATH)
find_library(TEST_NETLIB_BLAS NAMES libblas.so.3
  PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} PATH_SUFFIXES blas NO_DEFAULT_PATH)

# gpushim_netlib_program(NAME SOURCE [LIBRARY...]): only where TEST_NETLIB_LAPACK and
# TEST_NETLIB_BLAS are found. An RPATH, unlike a RUNPATH, holds for the libraries that the reference
# LAPACK needs too.
function(gpushim_netlib_program name source)
  gpushim_program(${name} ${source} ${TEST_NETLIB_LAPACK} ${TEST_NETLIB_BLAS} ${ARGN})
  target_link_options(${name} PRIVATE -Wl,--disable-new-dtags)
endfunction()

# gpushim_case(LABEL NAME CONF TARGET [ARGUMENT...]): runs TARGET without and with the shim as
# CONF.conf says; the test is named LABEL.NAME.
function(gpushim_case label name conf target)
  gpushim_test(${label}.${name} ${label} 120 ${GPUSHIM_DRIVER}/run_case.sh
    ${CMAKE_CURRENT_SOURCE_DIR}/${conf}.conf ${CMAKE_BINARY_DIR} $<TARGET_FILE:${target}> ${ARGN})
  # The children of these would search the whole memory of the simulated GPU for lost blocks; Open
  # MPI loses blocks of its own.
  if(label STREQUAL preload AND
     NOT name MATCHES "^(trim|fft_mixed|fft_lazy_life|fft_blocks|fft_blocks_refused|fft_mpi)$")
    gpushim_case_memcheck(${name} ${conf} ${target} ${ARGN})
  endif()
endfunction()

# gpushim_case_memcheck(NAME CONF TARGET [ARGUMENT...]): the same at night under memcheck
# An invalid access or a lost block is a line of stderr and a status that the case does not expect.
find_program(VALGRIND valgrind)
function(gpushim_case_memcheck name conf target)
  if(NOT VALGRIND)
    gpushim_skip_test(memcheck.${name} "preload;nightly" "valgrind is not installed")
    return()
  endif()
  set(under "${VALGRIND} -q --fair-sched=yes --error-exitcode=99 --leak-check=full"
    "--show-leak-kinds=definite --errors-for-leak-kinds=definite"
    "--suppressions=${GPUSHIM_DRIVER}/memcheck.supp")
  string(REPLACE ";" " " under "${under}")
  gpushim_test(memcheck.${name} "preload;nightly" 3600
    ${CMAKE_COMMAND} -E env "GPUSHIM_CASE_UNDER=${under}" ${GPUSHIM_DRIVER}/run_case.sh
    ${CMAKE_CURRENT_SOURCE_DIR}/${conf}.conf ${CMAKE_BINARY_DIR} $<TARGET_FILE:${target}> ${ARGN})
endfunction()
