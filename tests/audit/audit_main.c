/* audit_main.c - runs main of a module opened RTLD_DEEPBIND, whose calls bypass the global scope */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdio.h>

/* usage: audit_main MODULE */
int main(int argc, char **argv)
{
	void *module = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND) : NULL;
	int (*run)(void) = module != NULL ? (int (*)(void))dlsym(module, "main") : NULL;
	if (run == NULL) {
		fprintf(stderr, "%s\n", argc > 1 ? dlerror() : "no module");
		return 3;
	}
	return run();
}
