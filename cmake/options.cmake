# options.cmake - compiler flags that every part of the project shares
# SPDX-License-Identifier: Apache-2.0
add_library(gpushim_flags INTERFACE)
target_include_directories(gpushim_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(gpushim_flags INTERFACE _GNU_SOURCE GPUSHIM_VERSION="${PROJECT_VERSION}")
# Declares what the headers of an older glibc lack.
target_compile_options(gpushim_flags INTERFACE
  -include ${PROJECT_SOURCE_DIR}/shim/libc/libc_older.h
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
target_compile_options(gpushim_flags INTERFACE
  -Wall -Wextra -Wshadow -Wpointer-arith -Wmissing-prototypes -Wstrict-prototypes -Wvla -Wformat=2
  -Wundef $<$<BOOL:${GPUSHIM_WERROR}>:-Werror>
  -fexceptions          # an xerbla that throws passes through our frames
  -fno-math-errno -ftls-model=initial-exec)
if(GPUSHIM_SANITIZE)
  target_compile_options(gpushim_flags INTERFACE -fsanitize=${GPUSHIM_SANITIZE}
    -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(gpushim_flags INTERFACE -fsanitize=${GPUSHIM_SANITIZE})
endif()
if(GPUSHIM_FUZZ)
  target_compile_options(gpushim_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(GPUSHIM_COVERAGE)
  target_compile_options(gpushim_flags INTERFACE --coverage)
  target_link_options(gpushim_flags INTERFACE --coverage)
endif()
