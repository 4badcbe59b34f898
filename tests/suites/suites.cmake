# suites.cmake - a test of a script that stands on suites.sh
# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

# suites_test(SCRIPT PROVIDER WAY LABEL...): NAME.sh of the room that calls; see suites.sh for the
# others.
function(suites_test script provider way)
  get_filename_component(room ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  set(name ${room}.${script}_${provider}_${way})
  gpushim_test(${name} "${room};${ARGN}" 600
    ${CMAKE_CURRENT_SOURCE_DIR}/${script}.sh ${CMAKE_BINARY_DIR}
    /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} ${provider} ${way})
  # Who comes first fetches the sources, the wheels, the library.
  set(fetched)
  if(script MATCHES "^(gsl|openblas|fftw|wheels)$")
    list(APPEND fetched suites_${script})
  endif()
  if(provider MATCHES "^mkl")
    list(APPEND fetched suites_mkl)
  endif()
  set_tests_properties(${name} PROPERTIES RESOURCE_LOCK "${fetched}")
endfunction()
