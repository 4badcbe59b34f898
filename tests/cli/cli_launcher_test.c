/* cli_launcher_test.c - what launchers hand on, what keeps it back, how many ranks they start */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/process/launcher.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/process/counters_store.h"
#include "cli/process/job_ranks.h"

enum { LAUNCHER_TEST_WORDS = 32 };

static int failures;

static void launcher_test_expect(const char *wanted, const char *found, const char *line)
{
	if ((wanted == NULL) == (found == NULL) && (wanted == NULL || strcmp(wanted, found) == 0))
		return;
	failures++;
	printf("%s: '%s' instead of '%s'\n", line, found != NULL ? found : "(none)",
	       wanted != NULL ? wanted : "(none)");
}

static void launcher_test_split(char *line, char *words[LAUNCHER_TEST_WORDS])
{
	char *state = NULL, *word = strtok_r(line, " ", &state);
	int count = 0;
	for (; word != NULL && count + 1 < LAUNCHER_TEST_WORDS; word = strtok_r(NULL, " ", &state))
		words[count++] = word;
	words[count] = NULL;
}

#define NAMES "LD_PRELOAD;EPOCHLY_GPU_LOG"
#define OPTIONS "-x LD_PRELOAD -x EPOCHLY_GPU_LOG"
#define NO_LIST NULL

/* list, delimiter: the user's variables. words, passed: the words and the list that follow. */
static const struct launcher_case {
	const char *line, *list, *delimiter, *words, *passed;
} launcher_cases[] = {
	{"./prog -x A", NULL, NULL, "./prog -x A", NO_LIST},
	{"mpirun -n 4 ./prog", NULL, NULL, "mpirun -n 4 ./prog", NAMES},
	{"env B=c mpiexec ./prog", NULL, NULL, "env B=c mpiexec ./prog", NAMES},
	{"mpirun ./prog -x A", NULL, NULL, "mpirun ./prog -x A", NAMES},
	{"mpirun ./prog", "A;B=c", NULL, "mpirun ./prog", "A;B=c;" NAMES},
	{"mpirun ./prog", "A;", NULL, "mpirun ./prog", "A;" NAMES},
	{"mpirun ./prog", "", NULL, "mpirun ./prog", NAMES},
	{"mpirun ./prog", "A", "%", "mpirun ./prog", "A%LD_PRELOAD%EPOCHLY_GPU_LOG"},
	{"mpirun -n 2 -x A ./prog", NULL, NULL, "mpirun " OPTIONS " -n 2 -x A ./prog", NO_LIST},
	{"nice orterun -x A=b ./prog", NULL, NULL, "nice orterun " OPTIONS " -x A=b ./prog",
         NO_LIST},
	{"mpirun --mca mca_base_env_list A ./prog", NULL, NULL,
         "mpirun --mca mca_base_env_list A;" NAMES " ./prog", NO_LIST},
	{"mpirun --mca btl self --gmca mca_base_env_list A ./prog", "B", NULL,
         "mpirun --mca btl self --gmca mca_base_env_list A;" NAMES " ./prog", "B"},
	{"prterun -n 2 ./prog", NULL, NULL, "prterun " OPTIONS " -n 2 ./prog", NO_LIST},
	{"srun -n 2 -x node ./prog", NULL, NULL, "srun -n 2 -x node ./prog", NO_LIST},
};

static void launcher_test_forward(const struct launcher_case *one)
{
	char line[256], found[512] = "", *words[LAUNCHER_TEST_WORDS];
	char *const entries[] = {"LD_PRELOAD=/a b;c", "OTHER=1", "EPOCHLY_GPU_LOG=x;y",
	                         "EPOCHLY_GPU", NULL};
	struct environment environment;
	environment_copy(&environment, entries);
	if (one->list != NULL)
		environment_set(&environment, "OMPI_MCA_mca_base_env_list", one->list);
	if (one->delimiter != NULL)
		environment_set(&environment, "OMPI_MCA_mca_base_env_list_delimiter",
		                one->delimiter);
	snprintf(line, sizeof line, "%s", one->line);
	launcher_test_split(line, words);
	const struct front_words front = front_words_find(words);
	char **longer = launcher_forward(&front, words, &environment);
	for (size_t i = 0; longer[i] != NULL; i++)
		snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s",
		         i > 0 ? " " : "", longer[i]);
	launcher_test_expect(one->words, found, one->line);
	launcher_test_expect(one->passed,
	                     environment_get(&environment, "OMPI_MCA_mca_base_env_list"),
	                     one->line);
	launcher_free_words(longer);
	environment_free(&environment);
}

static const struct obstacle_case {
	const char *line, *variable, *obstacle;
} obstacle_cases[] = {
	{"srun ./prog", NULL, NULL},
	{"srun ./prog", "ALL", NULL},
	{"srun ./prog", "NONE", "SLURM_EXPORT_ENV=NONE"},
	{"srun --export=ALL,A=b ./prog", "NONE", NULL},
	{"srun --export NONE ./prog", NULL, "--export=NONE"},
	{"srun --export=A,LD_PRELOAD ./prog", NULL, NULL},
	{"srun ./prog --export=NONE", NULL, NULL},
	{"mpiexec -genvnone ./prog", "NONE", "-genvnone"},
	{"mpiexec -genvlist A,B ./prog", NULL, "-genvlist A,B"},
	{"./prog -genvnone", "NONE", NULL},
};

static void launcher_test_obstacle(const struct obstacle_case *one)
{
	char line[256], *words[LAUNCHER_TEST_WORDS];
	snprintf(line, sizeof line, "%s", one->line);
	launcher_test_split(line, words);
	const struct front_words front = front_words_find(words);
	char *found = launcher_find_obstacle(&front, one->variable);
	launcher_test_expect(one->obstacle, found, one->line);
	free(found);
}

static const struct count_case {
	const char *line;
	uint64_t count;
} count_cases[] = {
	{"mpirun -n 4 ./prog", 4},       {"mpirun -np 16 ./prog -n 3", 16},
	{"mpirun --np 2 ./prog", 2},     {"mpirun ./prog -n 3", 0},
	{"srun --ntasks=8 ./prog", 8},   {"srun -n 3 ./prog", 3},
	{"mpirun -n many ./prog", 0},    {"mpirun -n", 0},
	{"mpirun -n -3 ./prog", 0},      {"mpirun -n 99999999999999999999 ./prog", 0},
	{"mpirun -n 1 a : -n 2 b", 0},   {"./prog -n 4", 0},
	{"env A=b mpirun -n 5 prog", 5},
};

static void launcher_test_count(const struct count_case *one)
{
	char line[256], wanted[32], found[32], *words[LAUNCHER_TEST_WORDS];
	snprintf(line, sizeof line, "%s", one->line);
	launcher_test_split(line, words);
	const struct front_words front = front_words_find(words);
	snprintf(wanted, sizeof wanted, "%llu", (unsigned long long)one->count);
	snprintf(found, sizeof found, "%llu", (unsigned long long)launcher_count_ranks(&front));
	launcher_test_expect(wanted, found, one->line);
}

/* Processes of two launches, and two that are no ranks. */
static void launcher_test_ranks(void)
{
	static struct counters_file files[7];
	static const struct {
		int32_t rank, ranks;
		uint64_t launch;
	} process[7] = {{0, 4, 7}, {-1, 1, 0}, {1, 2, 5}, {2, 4, 7},
	                {0, 4, 7}, {0, 2, 5},  {-1, 1, 0}};
	const struct counters_file *list[7];
	struct counters_read counters = {.files = list, .count = 7};
	char name[RANK_COUNT_BYTES];
	for (int i = 0; i < 7; i++) {
		files[i].rank = process[i].rank;
		files[i].ranks = process[i].ranks;
		files[i].launch = process[i].launch;
		list[i] = &files[i];
	}
	struct rank_count ranks = job_ranks_count(&counters);
	rank_count_name(&ranks, name);
	launcher_test_expect("4 of 6 ranks", name, "two launches");
	rank_count_name(&(const struct rank_count){4, 4}, name);
	launcher_test_expect("4 ranks", name, "all ranks");
	counters.count = 0;
	ranks = job_ranks_count(&counters);
	rank_count_name(&(const struct rank_count){ranks.reported, 1}, name);
	launcher_test_expect("0 of 1 rank", name, "no ranks");
}

/* The name of a store is the value of an option, whose length is bounded. */
static void launcher_test_folder(void)
{
	char cache[1100], here[512];
	struct counters_store store;
	if (getcwd(here, sizeof here) == NULL || !counters_store_make(&store) || store.parts == 0)
		return;
	memset(cache, 'x', sizeof cache - 1);
	cache[0] = '/';
	cache[sizeof cache - 1] = '\0';
	setenv("XDG_CACHE_HOME", cache, 1);
	counters_store_widen(&store);
	launcher_test_expect(NULL, store.folder, "a long name");
	setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
	counters_store_widen(&store);
	launcher_test_expect(NULL, store.folder, "no folder can be made");
	setenv("XDG_CACHE_HOME", here, 1);
	/* What a tool that was killed left behind; a folder of another host's tool stays. */
	char host[256] = "", *dead;
	const pid_t child = fork();
	if (child == 0)
		_exit(0);
	waitpid(child, NULL, 0);
	gethostname(host, sizeof host - 1);
	dead = say_text("gpushim/job-%d-%s-abcdef", (int)child, host);
	char *other = say_text("gpushim/job-%d-%s-x-abcdef", (int)child, host);
	mkdir("gpushim", 0700);
	mkdir(dead, 0700);
	mkdir(other, 0700);
	counters_store_widen(&store);
	char *folder = say_text("%s", store.folder != NULL ? store.folder : "");
	launcher_test_expect(strchr(store.name, '/'), store.folder, "the folder in the name");
	launcher_test_expect("yes", access(folder, W_OK) == 0 ? "yes" : "no", "a folder");
	counters_store_free(&store);
	launcher_test_expect("no", access(folder, F_OK) == 0 ? "yes" : "no", "folder at the end");
	launcher_test_expect("no", access(dead, F_OK) == 0 ? "yes" : "no", dead);
	launcher_test_expect("yes", rmdir(other) == 0 ? "yes" : "no", other);
	rmdir("gpushim");
	free(dead);
	free(other);
	free(folder);
}

int main(void)
{
	for (size_t i = 0; i < sizeof launcher_cases / sizeof launcher_cases[0]; i++)
		launcher_test_forward(&launcher_cases[i]);
	for (size_t i = 0; i < sizeof obstacle_cases / sizeof obstacle_cases[0]; i++)
		launcher_test_obstacle(&obstacle_cases[i]);
	for (size_t i = 0; i < sizeof count_cases / sizeof count_cases[0]; i++)
		launcher_test_count(&count_cases[i]);
	launcher_test_ranks();
	launcher_test_folder();
	printf("%d failures\n", failures);
	return failures != 0;
}
