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
# No names of the build's folders, which -g would write.
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -DNDEBUG" CACHE STRING "As in a release, without -g")
set(CMAKE_SHARED_LINKER_FLAGS_INIT -s)
set(CMAKE_EXE_LINKER_FLAGS_INIT -s)
set(GPUSHIM_TESTS OFF CACHE BOOL "Tests need libraries of the target")
set(GPUSHIM_LEAVE_OUT examples CACHE STRING "They need libraries of the target")
