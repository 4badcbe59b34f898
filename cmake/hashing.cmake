# hashing.cmake - residency = hash: XXH3 from the system's xxhash.h, which is nothing but a header
# SPDX-License-Identifier: Apache-2.0
option(GPUSHIM_HASHING "Use xxhash.h, version 0.8 or newer, if the system has it" ON)
find_path(GPUSHIM_XXHASH_FOLDER xxhash.h)
mark_as_advanced(GPUSHIM_XXHASH_FOLDER)
set(GPUSHIM_XXHASH_NUMBER 0)
if(GPUSHIM_HASHING AND GPUSHIM_XXHASH_FOLDER)
  file(STRINGS ${GPUSHIM_XXHASH_FOLDER}/xxhash.h number
    REGEX "^#define +XXH_VERSION_(MAJOR|MINOR) +[0-9]+")
  string(REGEX REPLACE "[^0-9;]" "" number "${number}")
  string(REPLACE ";" "." GPUSHIM_XXHASH_NUMBER "${number}")
endif()

set(room ${CMAKE_CURRENT_SOURCE_DIR}/shim/execute/gpu/pages)
if(GPUSHIM_XXHASH_NUMBER VERSION_GREATER_EQUAL 0.8)
  set_property(SOURCE ${room}/digest_base.c ${room}/digest_wide.c
    APPEND PROPERTY COMPILE_DEFINITIONS GPUSHIM_XXHASH)
  set_property(SOURCE ${room}/digest_base.c ${room}/digest_wide.c
    APPEND PROPERTY INCLUDE_DIRECTORIES ${GPUSHIM_XXHASH_FOLDER})
else()
  message(STATUS "residency = hash is left out: xxhash.h 0.8 or newer was not found")
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_property(SOURCE ${room}/digest_wide.c APPEND PROPERTY COMPILE_OPTIONS -mavx2)
endif()
