# config.cmake - the check that config and docs agree with option.def
# SPDX-License-Identifier: Apache-2.0
add_test(NAME lint_config COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/config.sh ${PROJECT_SOURCE_DIR})
set_tests_properties(lint_config PROPERTIES LABELS lint ENVIRONMENT "CC=${CMAKE_C_COMPILER}")
