/* loading_plugin.c - a library whose constructor and destructor call the program back */
/* SPDX-License-Identifier: Apache-2.0 */

/* The program's. */
void loading_at_load(const char *where, int argc, char **argv);
void loading_at_close(const char *where, int argc, char **argv);

static int count;
static char **words;

/* glibc gives constructors the program's arguments. */
__attribute__((constructor)) static void begin(int argc, char **argv)
{
	count = argc;
	words = argv;
	loading_at_load(WHERE, argc, argv);
}

__attribute__((destructor)) static void end(void)
{
	loading_at_close(WHERE, count, words);
}
