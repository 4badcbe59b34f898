/* cli_front_test.c - which word of a command line is the program, behind launchers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/process/front_words.h"

#include <stdio.h>
#include <string.h>

enum { FRONT_TEST_WORDS = 32 };

/* program: NULL where there is none, and "<FILE" where the programs stand in FILE. */
static const struct front_case {
	const char *line, *program;
	enum front_kind kind;
} front_cases[] = {
	{"./prog", "./prog", FRONT_NONE},
	{"./prog mpirun ./other", "./prog", FRONT_NONE},
	{"env", "env", FRONT_NONE},
	{"env -u A B=c ./prog", "./prog", FRONT_NONE},
	{"env -i A=b -- ./prog", "./prog", FRONT_NONE},
	{"nice ./a=b", "./a=b", FRONT_NONE},
	{"taskset -c 0-3 ./prog", "./prog", FRONT_NONE},
	{"numactl -N 0 --membind=0 ./prog", "./prog", FRONT_NONE},
	{"timeout -k 5 60 ./prog 7", "./prog", FRONT_NONE},
	{"mpirun ./prog", "./prog", FRONT_MPI},
	{"mpirun", NULL, FRONT_MPI},
	{"mpirun -np", NULL, FRONT_MPI},
	{"mpirun -np 4", NULL, FRONT_MPI},
	{"/opt/mpi/bin/mpirun -np 4 ./prog -np 5", "./prog", FRONT_MPI},
	{"mpirun --np 4 --mca btl self,tcp ./prog", "./prog", FRONT_MPI},
	{"mpirun -x A=b -x C --host a,b:2 ./prog", "./prog", FRONT_MPI},
	{"mpirun --map-by ppr:2:socket --bind-to core ./prog", "./prog", FRONT_MPI},
	{"mpirun --prtemca a b --map-by=node ./prog", "./prog", FRONT_MPI},
	{"mpirun --oversubscribe --allow-run-as-root ./prog sh", "./prog", FRONT_MPI},
	{"mpirun --app file ./prog", "<file", FRONT_MPI},
	{"mpirun -np 2 ./prog : -np 1 ./other", "./prog", FRONT_MPI},
	{"mpirun -np 2 : ./other", NULL, FRONT_MPI},
	{"mpiexec -genv A b -n 4 -ppn 2 ./prog", "./prog", FRONT_MPI},
	{"mpiexec.hydra -f hosts -genvnone ./prog", "./prog", FRONT_MPI},
	{"mpiexec -configfile file", "<file", FRONT_MPI},
	{"mpirun --new-option ./prog", "./prog", FRONT_MPI}, /* none of both can be run */
	{"mpirun --new-option 3 sh", "sh", FRONT_MPI},
	{"srun -n4 -c 2 ./prog", "./prog", FRONT_SLURM},
	{"srun -n 4 --gpus-per-task=1 --mpi pmi2 ./prog", "./prog", FRONT_SLURM},
	{"srun --exclusive --cpu-bind none ./prog", "./prog", FRONT_SLURM},
	{"srun --multi-prog -n 3 file", "<file", FRONT_SLURM},
	{"env A=b srun -n 2 env C=d numactl -m 0 ./prog", "./prog", FRONT_SLURM},
	{"srun -n 2 gpushim run --audit -- ./prog", "./prog", FRONT_SLURM},
	{"srun -n 2 mpirun -np 3 ./prog", "./prog", FRONT_SLURM},
};

static int failures;

static void front_test_split(char *line, char *words[FRONT_TEST_WORDS])
{
	char *state = NULL, *word = strtok_r(line, " ", &state);
	int count = 0;
	for (; word != NULL && count + 1 < FRONT_TEST_WORDS; word = strtok_r(NULL, " ", &state))
		words[count++] = word;
	words[count] = NULL;
}

static void front_test_check(bool passed, const char *line, const char *got)
{
	if (passed)
		return;
	failures++;
	printf("FAIL '%s': got '%s'\n", line, got != NULL ? got : "nothing");
}

static void front_test_program(const struct front_case *row)
{
	char line[256], *words[FRONT_TEST_WORDS];
	snprintf(line, sizeof line, "%s", row->line);
	front_test_split(line, words);
	const struct front_words front = front_words_find(words);
	const char *got = front.program != NULL ? *front.program : NULL;
	if (row->program != NULL && row->program[0] == '<')
		front_test_check(got == NULL && front.list != NULL &&
		                         strcmp(front.list, row->program + 1) == 0,
		                 row->line, front.list);
	else
		front_test_check((got == NULL) == (row->program == NULL) &&
		                         (got == NULL || strcmp(got, row->program) == 0) &&
		                         front.list == NULL,
		                 row->line, got);
	front_test_check(front.kind == row->kind, row->line, "another kind");
	front_test_check(front.several == (front.program != NULL && front.kind == FRONT_MPI &&
	                                   strstr(row->line, " : ") != NULL),
	                 row->line, "another number of programs");
}

static void front_test_option(const char *text, const char *name, const char *first,
                              const char *second)
{
	char line[256], *words[FRONT_TEST_WORDS];
	snprintf(line, sizeof line, "%s", text);
	front_test_split(line, words);
	const struct front_words front = front_words_find(words);
	const char *const expected[] = {first, second};
	char *const *at = front.launcher;
	for (int i = 0; i < 2 && at != NULL; i++) {
		at = front_words_next_option(&front, at, name);
		const char *got = at != NULL ? front_words_find_value(at) : NULL;
		front_test_check((got == NULL) == (expected[i] == NULL) &&
		                         (got == NULL || strcmp(got, expected[i]) == 0),
		                 text, got);
	}
}

int main(void)
{
	for (size_t i = 0; i < sizeof front_cases / sizeof front_cases[0]; i++)
		front_test_program(&front_cases[i]);
	front_test_option("mpirun -x A -x B=c ./prog -x D", "x", "A", "B=c");
	front_test_option("mpirun -np 4 ./prog", "x", NULL, NULL);
	front_test_option("srun --export ALL -n 1 ./prog", "export", "ALL", NULL);
	front_test_option("mpirun -wdir -x -np 2 ./prog", "x", NULL, NULL);
	printf("%d failures\n", failures);
	return failures != 0;
}
