# differ_fft.cmake - the differential test of FFTW's planners and executions: program, tests
# SPDX-License-Identifier: Apache-2.0
if(NOT TARGET PkgConfig::TEST_FFTW OR NOT TARGET PkgConfig::TEST_FFTWF)
  message(STATUS "numeric.fft is left out: there is no FFTW of double and single precision")
  return()
endif()

# Linked with both as programs are; the other precisions are opened where they are installed.
differ_program(differ_fft differ_fft.c draw.c fft_arena.c fft_call.c fft_call_c.c
  fft_call_fortran.c fft_draw.c fft_draw_strides.c fft_judge.c fft_library.c fft_reference.c
  fft_trial.c fft_trial_tell.c rerun.c)
target_link_options(differ_fft PRIVATE -Wl,--no-as-needed)
target_link_libraries(differ_fft PRIVATE PkgConfig::TEST_FFTW PkgConfig::TEST_FFTWF)

# differ_fft_test(NAME LABEL WAY COUNT SEED)
function(differ_fft_test name label way count seed)
  gpushim_test(numeric.${name} "${label}" 900
    ${CMAKE_CURRENT_SOURCE_DIR}/run_differ.sh ${CMAKE_BINARY_DIR} $<TARGET_FILE:differ_fft>
    ${way} --count ${count} --seed ${seed})
  set_tests_properties(numeric.${name} PROPERTIES ENVIRONMENT "DIFFER_RUNTIME=${differ_runtime}")
endfunction()
# Few calls by day, and many more of each kind at night.
differ_fft_test(fft numeric gpu 1500 1)
differ_fft_test(fft_long "numeric;nightly" gpu 100000 100)
differ_fft_test(fft_itself numeric none 500 2)
differ_fft_test(fft_itself_long "numeric;nightly" none 20000 200)
foreach(way memory lazy pinned never track)
  differ_fft_test(fft_${way} numeric ${way} 500 3)
  differ_fft_test(fft_${way}_long "numeric;nightly" ${way} 20000 300)
endforeach()
# The CPU computes so many per cent of each call that can be divided.
foreach(percent 1 37 50 99)
  differ_fft_test(fft_share${percent} numeric share${percent} 500 ${percent})
  differ_fft_test(fft_share${percent}_long "numeric;nightly" share${percent} 20000 ${percent}00)
endforeach()
foreach(way order cuda12 cuda11)
  differ_fft_test(fft_${way} "numeric;nightly" ${way} 3000 4)
endforeach()
