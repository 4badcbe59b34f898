# illegal.cmake - illegal arguments of every routine, with the libraries of differ.cmake
# SPDX-License-Identifier: Apache-2.0
include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
  enable_language(CXX)
  set(illegal_leave illegal_throw.cc)
else()
  message(STATUS "numeric.illegal_*_throw are left out: no C++ compiler")
  set(illegal_leave illegal_nothing.c)
endif()
add_executable(illegal_blas illegal_blas.c blas_table.c ${illegal_leave})
differ_flags(illegal_blas)
target_link_libraries(illegal_blas PRIVATE ${CMAKE_DL_LIBS})
set_target_properties(illegal_blas PROPERTIES ENABLE_EXPORTS ON)

# illegal_tests(NAME BITS WAY...): NAME is a module of differ.cmake.
function(illegal_tests name bits)
  foreach(way ${ARGN})
    if(TARGET differ_${name} AND (CMAKE_CXX_COMPILER OR NOT way STREQUAL throw))
      gpushim_case(numeric illegal_${name}_${way} illegal illegal_blas ${way}
        $<TARGET_FILE:differ_${name}> ${bits})
    endif()
  endforeach()
endfunction()
illegal_tests(openblas 32 record jump throw)
illegal_tests(reference 32 record jump throw) # nests cblas_dgemm -> dgemm_ -> xerbla_
illegal_tests(blis 32 record)
illegal_tests(atlas 32 record)
illegal_tests(reference64 64 record)
illegal_tests(fake_openblas_module 32 record)
illegal_tests(fake_blis64_module 64 record)
# Hundreds of names, each counted in a log of its own calls.
if(TEST numeric.illegal_fake_blis64_module_record)
  set_tests_properties(numeric.illegal_fake_blis64_module_record PROPERTIES
    LABELS "numeric;nightly")
endif()
