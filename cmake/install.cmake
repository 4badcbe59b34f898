# install.cmake - what `cmake --install` puts where
# SPDX-License-Identifier: Apache-2.0
# Relative to where the file lies, so that it holds for any prefix given at install time.
file(RELATIVE_PATH GPUSHIM_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" GPUSHIM_PC_PREFIX "${GPUSHIM_PC_PREFIX}")
configure_file(cmake/gpushim.pc.in ${CMAKE_CURRENT_BINARY_DIR}/gpushim.pc @ONLY)
install(TARGETS gpushim LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET gpushim_audit)
  install(TARGETS gpushim_audit LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET gpushim_coverage)
  install(TARGETS gpushim_coverage LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET gpushim_cli)
  install(TARGETS gpushim_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gpushim.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES config/gpushim.conf DESTINATION ${CMAKE_INSTALL_DATADIR}/gpushim)
install(DIRECTORY config/machines DESTINATION ${CMAKE_INSTALL_DATADIR}/gpushim)
install(FILES docs/gpushim.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES docs/gpushim.conf.5 DESTINATION ${CMAKE_INSTALL_MANDIR}/man5)
install(FILES docs/libgpushim.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7)
# What README.md links to lies where it does here.
install(FILES README.md LICENSE CHANGELOG.md CONTRIBUTING.md SECURITY.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY bench/results DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench FILES_MATCHING
  PATTERN "*.md")
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md"
  PATTERN "*.png")
install(FILES config/gpushim.conf DESTINATION ${CMAKE_INSTALL_DOCDIR}/config)
install(DIRECTORY config/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}/config)
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND}
  -D folder=${CMAKE_INSTALL_FULL_DATADIR}/gpushim
  -P ${PROJECT_SOURCE_DIR}/cmake/uninstall_prefix.cmake VERBATIM)
# uninstall.cmake removes the files of the list beside it, which is written last.
install(FILES cmake/uninstall.cmake DESTINATION ${CMAKE_INSTALL_DATADIR}/gpushim)
configure_file(cmake/installed.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/installed.cmake @ONLY)
install(SCRIPT ${CMAKE_CURRENT_BINARY_DIR}/installed.cmake)
