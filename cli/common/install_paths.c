/* install_paths.c - finds files of a build tree, a bundle or an installation */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/install_paths.h"

#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "cli/common/say.h"

/* Patterns, tried in this order: beside the tool (build tree, bundle), then in an installation. */
static const char *const place_shim[] = {
	"libgpushim.so",
#ifdef GPUSHIM_INSTALLED
	GPUSHIM_INSTALLED,
#endif
	"lib/libgpushim.so",
	"../lib/libgpushim.so",
	"../lib64/libgpushim.so",
	"../lib/*/libgpushim.so",
	NULL,
};

static const char *const place_machines[] = {"machines", "../share/gpushim/machines",
                                             "../../config/machines", NULL};

/* The folder of the tool's own file; to be freed. NULL where nothing tells it. Without /proc the
 * kernel's auxiliary vector does: the name that the tool was started by. */
static char *install_paths_find_self(void)
{
	char path[PATH_MAX];
	const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
	if (length > 0)
		path[length] = '\0';
	else if (realpath((const char *)getauxval(AT_EXECFN), path) == NULL)
		return NULL;
	*strrchr(path, '/') = '\0';
	return say_need(strdup(path));
}

/* Escapes the characters of the folder that have a meaning in a pattern. */
static char *install_paths_escape(const char *folder)
{
	char *escaped = say_need(malloc(2 * strlen(folder) + 1)), *at = escaped;
	for (; *folder != '\0'; folder++) {
		if (strchr("\\*?[", *folder) != NULL)
			*at++ = '\\';
		*at++ = *folder;
	}
	*at = '\0';
	return escaped;
}

/* The first file that matches folder/pattern, as a path without ".."; to be freed. */
static char *install_paths_match(const char *folder, const char *pattern)
{
	glob_t found = {0};
	char *escaped = install_paths_escape(folder), *all = say_text("%s/%s", escaped, pattern),
	     *path = NULL;
	if (glob(all, 0, NULL, &found) == 0 && found.gl_pathc > 0)
		path = realpath(found.gl_pathv[0], NULL);
	globfree(&found);
	free(all);
	free(escaped);
	return path;
}

static char *install_paths_find(const char *const *patterns, const char *name)
{
	char *self = install_paths_find_self(), *path = NULL;
	for (; self != NULL && path == NULL && *patterns != NULL; patterns++) {
		char *pattern = say_text("%s%s", *patterns, name);
		path = install_paths_match(self, pattern);
		free(pattern);
	}
	free(self);
	return path;
}

char *install_paths_find_shim(void)
{
	return install_paths_find(place_shim, "");
}

char *install_paths_refuse_shim(const char *path, const char **remedy)
{
	*remedy = "Install the library and this tool together.";
	if (path == NULL)
		return say_text("libgpushim.so is neither beside this tool nor in the lib folders "
		                "of its installation");
	if (strpbrk(path, ": ") == NULL)
		return NULL;
	*remedy = "Install gpushim in a folder whose path has no blank and no colon.";
	return say_text("the loader would cut the path '%s' in two at its blank or colon", path);
}

char *install_paths_need_shim(void)
{
	const char *remedy = NULL;
	char *path = install_paths_find_shim(), *why = install_paths_refuse_shim(path, &remedy);
	if (why == NULL)
		return path;
	say("%s. %s", why, remedy);
	free(why);
	free(path);
	return NULL;
}

char *install_paths_find_audit(const char *shim)
{
	char *path = say_text("%.*s/libgpushim-audit.so", (int)(strrchr(shim, '/') - shim), shim);
	if (access(path, R_OK) == 0)
		return path;
	say("libgpushim-audit.so, which --audit needs, is not beside '%s'", shim);
	free(path);
	return NULL;
}

char *install_paths_find_machine(const char *name)
{
	char *file = say_text("/%s.conf", name);
	char *path = install_paths_find(place_machines, file);
	free(file);
	return path;
}

char **install_paths_list_machines(void)
{
	static char *none[] = {NULL};
	glob_t found = {0};
	char *folder = install_paths_find(place_machines, "");
	char *escaped = install_paths_escape(folder != NULL ? folder : "");
	char *pattern = say_text("%s/*.conf", escaped);
	const bool any = folder != NULL && glob(pattern, 0, NULL, &found) == 0;
	for (size_t i = 0; any && i < found.gl_pathc; i++) {
		char *name = strrchr(found.gl_pathv[i], '/') + 1;
		*strrchr(name, '.') = '\0';
		found.gl_pathv[i] = name;
	}
	free(pattern);
	free(escaped);
	free(folder);
	return any ? found.gl_pathv : none;
}
