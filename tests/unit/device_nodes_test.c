/* device_nodes_test.c - the drivers' files, in a folder of the test */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/execute/gpu/node/device_nodes.h"

Test(device_nodes, one_file_is_enough)
{
	char root[] = "/tmp/gpushim-nodes-XXXXXX", path[128];
	cr_assert_not_null(mkdtemp(root));
	errno = 17;
	cr_expect_not(device_nodes_exist(root));
	cr_expect_eq(errno, 17);
	snprintf(path, sizeof path, "%s/dev", root);
	cr_assert_eq(mkdir(path, 0700), 0);
	snprintf(path, sizeof path, "%s/dev/dxg", root);
	FILE *file = fopen(path, "w");
	cr_assert_not_null(file);
	fclose(file);
	cr_expect(device_nodes_exist(root));
	unlink(path);
	snprintf(path, sizeof path, "%s/dev", root);
	rmdir(path);
	rmdir(root);
}

/* If a variable says that there could be a CUDA, it is searched for. */
Test(device_nodes, a_variable_is_a_reason_to_look)
{
	static const char *const variable[] = {"CUDA_PATH", "CUDA_HOME", "LD_LIBRARY_PATH",
	                                       "CONDA_PREFIX"};
	for (size_t i = 0; i < sizeof variable / sizeof variable[0]; i++)
		unsetenv(variable[i]);
	const bool nothing = device_nodes_rule_out();
	cr_expect(!nothing || !device_nodes_exist(""));
	for (size_t i = 0; i < sizeof variable / sizeof variable[0]; i++) {
		setenv(variable[i], "/nowhere", 1);
		cr_expect_not(device_nodes_rule_out(), "%s", variable[i]);
		unsetenv(variable[i]);
	}
	cr_expect_eq(device_nodes_rule_out(), nothing);
}
