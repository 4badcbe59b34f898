# uninstall.cmake - removes what `cmake --install` has installed together with this file
# SPDX-License-Identifier: Apache-2.0
# usage: cmake -P PREFIX/share/gpushim/uninstall.cmake
# installed.txt lists the installed files, relative to this folder. A folder is removed when it is
# empty and gpushim's own: named gpushim, or below one of that name.
set(list ${CMAKE_CURRENT_LIST_DIR}/installed.txt)
if(NOT EXISTS ${list})
  message(FATAL_ERROR "gpushim: ${list} is missing, so it is not known what was installed; "
    "nothing is removed")
endif()

# Removes a folder, and those above it, while they are empty and gpushim's own. rmdir removes no
# other folder than an empty one; CMake has no such command.
function(gpushim_remove_folder folder)
  while(folder MATCHES "/gpushim(/|$)" AND IS_DIRECTORY "${folder}")
    execute_process(COMMAND rmdir -- "${folder}" RESULT_VARIABLE result ERROR_QUIET)
    if(NOT result EQUAL 0)
      return()
    endif()
    get_filename_component(folder "${folder}" DIRECTORY)
  endwhile()
endfunction()

file(STRINGS ${list} lines)
set(removed 0)
set(folders "")
foreach(line IN LISTS lines)
  get_filename_component(file "${CMAKE_CURRENT_LIST_DIR}/${line}" ABSOLUTE)
  if(EXISTS "${file}" OR IS_SYMLINK "${file}")
    file(REMOVE "${file}")
    if(EXISTS "${file}")
      message(FATAL_ERROR "gpushim: ${file} cannot be removed; run this again as its owner")
    endif()
    math(EXPR removed "${removed} + 1")
  endif()
  get_filename_component(folder "${file}" DIRECTORY)
  list(APPEND folders "${folder}")
endforeach()
file(REMOVE ${list})
list(REMOVE_DUPLICATES folders)
foreach(folder IN LISTS folders)
  gpushim_remove_folder("${folder}")
endforeach()
message(STATUS "gpushim: ${removed} files removed")
