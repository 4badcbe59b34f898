# libc.cmake - binds a library's calls of libc to libc itself, whatever a program defines
# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

# Each row of libc.def becomes an option --wrap: calls go to the stub of shim/libc/libc_stub.c.
# Other processors have no stubs. Sanitizers and coverage are left as they are, since they intercept
# calls of libc by the same names. Further arguments are rows to leave out.
function(gpushim_bind_libc target)
  set(table ${PROJECT_SOURCE_DIR}/shim/libc/libc.def)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|aarch64|arm64")
    return()
  endif()
  file(STRINGS ${table} rows REGEX "^LIBC\\(.*\\)$")
  foreach(name IN LISTS ARGN)
    list(REMOVE_ITEM rows "LIBC(${name})")
  endforeach()
  list(TRANSFORM rows REPLACE "^LIBC\\((.*)\\)$" "-Wl,--wrap=\\1")
  target_link_options(${target} PRIVATE ${rows})
endfunction()
