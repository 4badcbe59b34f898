# portable.cmake - the toolchain of releases: what it builds needs glibc 2.17, wherever it is built
# SPDX-License-Identifier: Apache-2.0
#
#     pip install --require-hashes -r tools/toolchain.txt
#     cmake -B build/portable --toolchain cmake/portable.cmake [-DGPUSHIM_PROCESSOR=aarch64]
#
# The compiler, the linker and the libraries to link with are those of the Python package ziglang,
# so that the same source becomes the same bytes on every machine.
set(GPUSHIM_PROCESSOR x86_64 CACHE STRING "Processor to build for: x86_64 or aarch64")
set(GPUSHIM_PYTHON python3 CACHE STRING "A python3 that has the package ziglang")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES GPUSHIM_PROCESSOR GPUSHIM_PYTHON)

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${GPUSHIM_PROCESSOR})
set(CMAKE_C_COMPILER ${CMAKE_CURRENT_LIST_DIR}/portable/cc.sh ${GPUSHIM_PYTHON})
set(CMAKE_C_COMPILER_TARGET ${GPUSHIM_PROCESSOR}-linux-gnu.2.17)
# No names of the build's folders, which -g would write. Loops are unrolled and calls inlined about
# as by GCC's -O2: Clang's own limits make files 7 % larger, and a wheel has 1 MB at most.
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -DNDEBUG -ffunction-sections -fdata-sections\
 -fno-unroll-loops -fno-slp-vectorize -mllvm -inline-threshold=50" CACHE STRING
  "As in a release, without -g")
# The list of exports has names that are exported on x86-64 alone.
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-s -Wl,--hash-style=gnu -Wl,--undefined-version")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-s -Wl,--hash-style=gnu")
# Headers of the machine's own libc must not be found. GPUSHIM_XXHASH_FOLDER names the folder of
# xxhash.h, if there is to be residency = hash.
set(CMAKE_FIND_ROOT_PATH ${CMAKE_CURRENT_LIST_DIR}/portable)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(GPUSHIM_TESTS OFF CACHE BOOL "Tests need libraries of the target")
set(GPUSHIM_LEAVE_OUT examples CACHE STRING "They need libraries of the target")
