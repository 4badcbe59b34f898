/* sim_hooks.c - counts calls, slows them down and makes them fail, as the environment says */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim_engine.h"

struct call_row {
	const char *name;
	int error;
};

static const struct call_row call_rows[] = {
#define SIM_CALL(name, library, error) {#name, error},
#include "sim_calls.def"
};

struct fail_rule {
	int call;
	unsigned long first, last;
	int error;
};

enum { MAX_RULES = 64 };
static struct fail_rule rules[MAX_RULES];
static int rule_count;
static long slow_ms[SIM_CALL_COUNT];
static atomic_ulong counts[SIM_CALL_COUNT];
static char counts_path[PATH_MAX];
static pthread_once_t hooks_once = PTHREAD_ONCE_INIT;

static int hooks_find(const char *name)
{
	for (int call = 0; call < SIM_CALL_COUNT; call++)
		if (!strcmp(call_rows[call].name, name))
			return call;
	return -1;
}

const char *sim_hooks_name(int call)
{
	return call_rows[call].name;
}

/* Parses "3", "3+" or "*". */
static bool parse_uses(const char *text, struct fail_rule *rule)
{
	char *end;
	if (!strcmp(text, "*")) {
		rule->first = 1;
		rule->last = ULONG_MAX;
		return true;
	}
	rule->first = rule->last = strtoul(text, &end, 10);
	if (*end == '+') {
		rule->last = ULONG_MAX;
		end++;
	}
	return end != text && !*end && rule->first > 0;
}

static bool parse_fail(char *name, char *uses, char *error)
{
	struct fail_rule rule = {.call = hooks_find(name)};
	char *end = NULL;
	if (rule.call < 0 || !uses || !parse_uses(uses, &rule) || rule_count == MAX_RULES)
		return false;
	bool hang = error && !strcmp(error, "hang"), wrong = error && !strcmp(error, "wrong");
	bool info = error && !strcmp(error, "info");
	if (hang && rule.call != SIM_CALL_kernel && rule.call != SIM_CALL_copy)
		return false;
	if ((wrong || info) && rule.call != SIM_CALL_kernel)
		return false;
	rule.error = error ? (int)strtol(error, &end, 10) : call_rows[rule.call].error;
	if (hang || wrong || info)
		rule.error = hang ? SIM_HANG : wrong ? SIM_WRONG : SIM_INFO;
	else if ((error && (end == error || *end)) || rule.error <= 0)
		return false;
	rules[rule_count++] = rule;
	return true;
}

static bool parse_slow(char *name, char *milliseconds, char *rest)
{
	int call = hooks_find(name);
	char *end;
	if (call < 0 || !milliseconds || rest)
		return false;
	long value = strtol(milliseconds, &end, 10);
	if (end == milliseconds || *end || value < 0)
		return false;
	slow_ms[call] = value;
	return true;
}

/* Splits "name:x[:y],name:x[:y],…" and parses each item. */
static void parse_list(const char *variable, bool (*parse)(char *, char *, char *))
{
	const char *text = getenv(variable);
	char *copy = text ? strdup(text) : NULL, *outer = NULL;
	for (char *item = copy ? strtok_r(copy, ",", &outer) : NULL; item;
	     item = strtok_r(NULL, ",", &outer)) {
		char whole[256], *inner = NULL;
		snprintf(whole, sizeof whole, "%s", item);
		char *name = strtok_r(item, ":", &inner), *second = strtok_r(NULL, ":", &inner);
		char *third = strtok_r(NULL, ":", &inner);
		if (!name || inner[0] || !parse(name, second, third))
			fprintf(stderr, "simcuda: %s: cannot understand '%s'; it is ignored\n",
			        variable, whole);
	}
	free(copy);
}

/* A fork child counts its own calls only; the parent reports the parent's. */
static void hooks_forget_counts(void)
{
	for (int call = 0; call < SIM_CALL_COUNT; call++)
		atomic_store(&counts[call], 0);
}

static void hooks_read(void)
{
	const char *path = getenv("SIMCUDA_COUNTS");
	if (path)
		snprintf(counts_path, sizeof counts_path, "%s", path);
	parse_list("SIMCUDA_FAIL", parse_fail);
	parse_list("SIMCUDA_SLOW", parse_slow);
	pthread_atfork(NULL, NULL, hooks_forget_counts);
}

static int hooks_error(int call, unsigned long use)
{
	for (int i = 0; i < rule_count; i++)
		if (rules[i].call == call && use >= rules[i].first && use <= rules[i].last)
			return rules[i].error;
	return 0;
}

int sim_hooks_use(int call)
{
	pthread_once(&hooks_once, hooks_read);
	unsigned long use = atomic_fetch_add(&counts[call], 1) + 1;
	struct timespec left = {slow_ms[call] / 1000, slow_ms[call] % 1000 * 1000000};
	while (slow_ms[call] && nanosleep(&left, &left) && errno == EINTR)
		;
	if (call != SIM_CALL_kernel && call != SIM_CALL_copy)
		sim_float_raise();
	return hooks_error(call, use);
}

int simcuda_enter(int call)
{
	return sim_hooks_use(call);
}

unsigned long simcuda_count(const char *name)
{
	int call = hooks_find(name);
	return call < 0 ? 0 : atomic_load(&counts[call]);
}

__attribute__((destructor)) static void hooks_write_counts(void)
{
	FILE *file = counts_path[0] ? fopen(counts_path, "a") : NULL;
	if (!file)
		return;
	for (int call = 0; call < SIM_CALL_COUNT; call++)
		if (atomic_load(&counts[call]))
			fprintf(file, "%s %lu\n", call_rows[call].name, atomic_load(&counts[call]));
	fclose(file);
}
