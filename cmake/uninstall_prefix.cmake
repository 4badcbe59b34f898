# uninstall_prefix.cmake - the target `uninstall`: removes what is installed at the build's prefix
# SPDX-License-Identifier: Apache-2.0
# usage: [DESTDIR=FOLDER] cmake -D folder=PREFIX/share/gpushim -P uninstall_prefix.cmake
set(script "$ENV{DESTDIR}${folder}/uninstall.cmake")
if(NOT EXISTS "${script}")
  message(FATAL_ERROR "gpushim: nothing is installed there: ${script} is missing. "
    "What was installed with --prefix is removed by cmake -P PREFIX/share/gpushim/uninstall.cmake")
endif()
include("${script}")
