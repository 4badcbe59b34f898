# inside.cmake - code that is loaded into programs of users, whatever CFLAGS and LDFLAGS ask for
# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)
include(CheckCCompilerFlag)
include(CheckLinkerFlag)

# Distributions and users have options for all that they build. Those that would harm a preloaded
# library are undone; all others stay.
#  -fstack-protector, _FORTIFY_SOURCE  call functions of libc that shim/libc does not bind
#  -flto                               the linker's --wrap does not see the calls of such objects
#  -ffast-math                         changes the rounding of every process (crtfastmath.o), and
#                                      comparisons with NaN in the shim
#  -z relro, -z now                    15 us per start of a process, and every shell starts many
#  -z pack-relative-relocs             needs glibc 2.36
# Fedora and Arch define _FORTIFY_SOURCE by -Wp, which GCC reads after all -D and -U. The compiler
# of releases has no -Wp.
check_c_compiler_flag(-Wp,-U_FORTIFY_SOURCE GPUSHIM_HAS_WP)
set(inside_compile -fno-stack-protector -U_FORTIFY_SOURCE
  $<$<BOOL:${GPUSHIM_HAS_WP}>:-Wp,-U_FORTIFY_SOURCE> -fno-lto
  "SHELL:-fno-fast-math -fno-unsafe-math-optimizations -fno-math-errno")
set(inside_link -fno-lto -fno-fast-math -fno-unsafe-math-optimizations -Wl,-z,lazy -Wl,-z,norelro)
check_linker_flag(C -Wl,-z,nopack-relative-relocs GPUSHIM_HAS_NOPACK)
if(GPUSHIM_HAS_NOPACK)
  list(APPEND inside_link -Wl,-z,nopack-relative-relocs)
endif()

# gpushim_inside(TARGET): options of compiler, and of the linker where it is a library. They are
# among the libraries, because those stand last in the command, after LDFLAGS.
function(gpushim_inside target)
  target_compile_options(${target} PRIVATE ${inside_compile})
  set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL SHARED_LIBRARY)
    target_link_libraries(${target} PRIVATE ${inside_link})
  endif()
endfunction()
