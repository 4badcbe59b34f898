/* sim_rules.c - runs cases in processes of their own and counts them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_rules.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct cuda_library cuda;
static bool failed;

enum { EXIT_FAILED = 1, EXIT_SKIPPED = 77 };

struct soname_row {
	int major;
	const char *cudart, *cublas, *cufft, *cusolver;
};

static const struct soname_row soname_rows[] = {
	{13, "libcudart.so.13", "libcublas.so.13", "libcufft.so.12", "libcusolver.so.12"},
	{12, "libcudart.so.12", "libcublas.so.12", "libcufft.so.11", "libcusolver.so.11"},
	{11, "libcudart.so.11.0", "libcublas.so.11", "libcufft.so.10", "libcusolver.so.11"},
};

bool rules_check(bool passed, const char *file, int line, const char *text)
{
	if (!passed) {
		printf("    %s:%d: %s\n", file, line, text);
		failed = true;
	}
	return passed;
}

bool rules_check_is(long actual, long expected, const char *file, int line, const char *text)
{
	if (actual == expected)
		return true;
	printf("    %s:%d: %s is %ld, not %ld\n", file, line, text, actual, expected);
	failed = true;
	return false;
}

/* folder: one folder, or several with colons between them; NULL: the loader's search. */
static void *open_library(const char *folder, const char *soname)
{
	char path[4096];
	void *library = NULL;
	if (!folder)
		return dlopen(soname, RTLD_NOW | RTLD_LOCAL);
	while (!library && *folder) {
		const int length = (int)strcspn(folder, ":");
		snprintf(path, sizeof path, "%.*s/%s", length, folder, soname);
		library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		folder += length + (folder[length] == ':');
	}
	return library;
}

static void find_symbols(void *cudart, void *cublas, void *cufft, void *cusolver)
{
	void *from_CUDART = cudart, *from_CUBLAS = cublas, *from_CUFFT = cufft,
	     *from_CUSOLVER = cusolver;
#define SIM_FIND_CUDART(name) *(void **)&cuda.name = dlsym(from_CUDART, #name);
#define SIM_FIND_CUBLAS(name) *(void **)&cuda.name = dlsym(from_CUBLAS, #name);
#define SIM_FIND_CUFFT(name) *(void **)&cuda.name = dlsym(from_CUFFT, #name);
#define SIM_FIND_CUSOLVER(name)                                                                    \
	if (from_CUSOLVER)                                                                         \
		*(void **)&cuda.name = dlsym(from_CUSOLVER, #name);
#define SIM_FIND_DEVICE(name)
#define SIM_FIND_DRIVER(name)
#define SIM_CALL(name, library, error) SIM_FIND_##library(name)
#include "sim_calls.def"
	SIM_FIND_CUDART(simcuda_version)
	SIM_FIND_CUDART(simcuda_count)
	SIM_FIND_CUDART(simcuda_alive)
	SIM_FIND_CUDART(simcuda_memory_held)
	SIM_FIND_CUDART(simcuda_memory_high)
	SIM_FIND_CUDART(simcuda_memory_forget_high)
	SIM_FIND_CUDART(simcuda_contexts)
	SIM_FIND_CUDART(simcuda_host_policy)
	SIM_FIND_CUDART(simcuda_clock_ns)
	SIM_FIND_CUDART(simcuda_host_alarm)
	SIM_FIND_CUDART(simcuda_host_poll)
	SIM_FIND_CUDART(simcuda_host_work)
	SIM_FIND_CUDART(simcuda_profile_value)
}

bool rules_open(const char *folder, int major)
{
	for (size_t i = 0; i < sizeof soname_rows / sizeof soname_rows[0]; i++) {
		const struct soname_row *row = &soname_rows[i];
		if (major && row->major != major)
			continue;
		void *cudart = open_library(folder, row->cudart),
		     *cublas = open_library(folder, row->cublas);
		void *cufft = open_library(folder, row->cufft),
		     *cusolver = open_library(folder, row->cusolver);
		if (!cudart || !cublas || !cufft)
			continue;
		find_symbols(cudart, cublas, cufft, cusolver);
		cuda.major = row->major;
		return true;
	}
	printf("cannot load the libraries: %s\n", dlerror());
	return false;
}

static void set_environment(const char *settings)
{
	char *copy = settings ? strdup(settings) : NULL, *next = NULL;
	for (char *item = copy ? strtok_r(copy, " ", &next) : NULL; item;
	     item = strtok_r(NULL, " ", &next)) {
		char *equals = strchr(item, '=');
		*equals = 0;
		setenv(item, equals + 1, 1);
	}
	free(copy);
}

/* What the libraries are, as the exit status of a child that opens them once. */
enum probed {
	PROBED_STAND_INS = 10,
	PROBED_REAL,
	PROBED_NO_SOLVER,
	PROBED_NO_DEVICE,
	PROBED_NOTHING
};

static int rules_probe(const struct rule *rule, const char *folder, int major)
{
	int devices = 0;
	(void)rule;
	if (!rules_open(folder, major))
		return PROBED_NOTHING;
	if (cuda.simcuda_version)
		return PROBED_STAND_INS;
	if (cuda.cudaGetDeviceCount(&devices) || !devices)
		return PROBED_NO_DEVICE;
	return cuda.cusolverDnCreate ? PROBED_REAL : PROBED_NO_SOLVER;
}

/* In the child: no CUDA library was loaded before the fork. */
static int case_run(const struct rule *rule, const char *folder, int major)
{
	set_environment(rule->environment);
	if (!rules_open(folder, major))
		return EXIT_FAILED;
	alarm(120);
	rule->run();
	return failed ? EXIT_FAILED : 0;
}

typedef int child_work(const struct rule *rule, const char *folder, int major);

static int rules_run_child(child_work *work, const struct rule *rule, const char *folder, int major)
{
	int status;
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		status = work(rule, folder, major);
		fflush(stdout);
		_exit(status);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return EXIT_FAILED;
	if (WIFSIGNALED(status))
		printf("    ended by signal %d\n", WTERMSIG(status));
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILED;
}

/* Decided before a library is opened: with the real ones each opening takes a second. */
static bool rules_is_skipped(const struct rule *rule, int probed)
{
	const bool real = probed == PROBED_REAL || probed == PROBED_NO_SOLVER;
	return probed == PROBED_NO_DEVICE ||
	       (probed == PROBED_NO_SOLVER && rule->kind == RULE_WITH_SOLVER) ||
	       (real && (rule->kind == RULE_SIM_ONLY || rule->environment));
}

int rules_run(const char *folder, int major, const struct rule *const lists[])
{
	int passed = 0, failures = 0, skipped = 0;
	const int probed = rules_run_child(rules_probe, NULL, folder, major);
	if (probed < PROBED_STAND_INS || probed >= PROBED_NOTHING)
		return EXIT_FAILED;
	for (; *lists; lists++)
		for (const struct rule *rule = *lists; rule->name; rule++) {
			const int status = rules_is_skipped(rule, probed)
			                           ? EXIT_SKIPPED
			                           : rules_run_child(case_run, rule, folder, major);
			const char *word = status == EXIT_SKIPPED ? "skipped"
			                   : status               ? "FAILED"
			                                          : "passed";
			printf("%s: %s%s\n", rule->name, word,
			       status == EXIT_SKIPPED ? " (not the stand-in, or no device)" : "");
			*(status == EXIT_SKIPPED ? &skipped : status ? &failures : &passed) += 1;
		}
	printf("%d passed, %d failed, %d skipped\n", passed, failures, skipped);
	/* No case that ran is not a success. */
	return failures ? EXIT_FAILED : passed ? 0 : EXIT_SKIPPED;
}

void *rules_device_memory(size_t size_bytes)
{
	void *made = NULL;
	CHECK_IS(cuda.cudaMalloc(&made, size_bytes), 0);
	return made;
}

void *rules_device_copy(const void *from, size_t size_bytes)
{
	void *made = rules_device_memory(size_bytes);
	CHECK_IS(cuda.cudaMemcpy(made, from, size_bytes, SIM_COPY_H2D), 0);
	/* The call may return before the data has arrived, and other streams do not wait for it. */
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	return made;
}

void rules_read_back(void *to, const void *from, size_t size_bytes)
{
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	CHECK_IS(cuda.cudaMemcpy(to, from, size_bytes, SIM_COPY_D2H), 0);
}

void *rules_stream(unsigned flags)
{
	void *made = NULL;
	CHECK_IS(cuda.cudaStreamCreateWithFlags(&made, flags), 0);
	return made;
}

void *rules_event(void)
{
	void *made = NULL;
	CHECK_IS(cuda.cudaEventCreateWithFlags(&made, 0), 0);
	return made;
}

void *rules_handle(void)
{
	void *made = NULL;
	CHECK_IS(cuda.cublasCreate_v2(&made), 0);
	return made;
}

void *rules_pinned(size_t size_bytes)
{
	void *made = NULL;
	CHECK_IS(cuda.cudaHostAlloc(&made, size_bytes, 0), 0);
	return made;
}

void rules_use_profile(const char *variable, const char *text)
{
	static const char path[] = "simcuda_rules_profile.txt";
	FILE *file = fopen(path, "w");
	CHECK(file && fputs(text, file) >= 0 && !fclose(file));
	setenv(variable, path, 1);
	/* The variable is read at the first call and not needed afterwards. */
	int count;
	CHECK_IS(cuda.cudaGetDeviceCount(&count), 0);
	CHECK_IS(cuda.cudaFree(NULL), 0);
	CHECK(!unlink(path));
}

bool rules_is_poison(double value)
{
	return isnan(value);
}
