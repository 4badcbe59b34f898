/* sim_rules_node.c - rules of machines with several cards and processes */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim_driver.h"
#include "sim_rules.h"

static const char node_path[] = "simcuda_rules_node";

/* -- which cards are visible -- */

struct visible_case {
	const char *list, *order; /* NULL: not set */
	const char *cards;        /* the digits of the visible cards' PCI buses less 1 */
};

static const struct visible_case visible_cases[] = {
	{NULL, NULL, "0123"},
	{"", NULL, ""},
	{"NoDevFiles", NULL, ""},
	{"-1", NULL, ""},
	{"2,1", NULL, "21"},
	{"0,2,-1,1", NULL, "02"},
	{"3,4,0", NULL, "3"},
	{"99999999999999999999", NULL, ""},
	{" 1, 2", NULL, "12"},
	{"1gpu,2x", NULL, "12"},
	{"1,,2", NULL, "1"},
	{"1,2,1", NULL, ""},
	{"1,5,1", NULL, "1"},
	{"GPU-025ca7d0,GPU-00", NULL, "20"},
	{"GPU-0", NULL, ""},
	{"GPU-", NULL, ""},
	{"GPU-01,GPU-015ca7d0", NULL, ""},
	{"GPU-01,2", NULL, "1"},
	{"2,GPU-01", NULL, "2"},
	{"GPU-09", NULL, ""},
	{"MIG-025ca7d0-0000-0000-0000-000000000000", NULL, ""},
	{"1,MIG-GPU-00/1/0", NULL, "1"},
	{"3", "PCI_BUS_ID", "3"},
};

/* Where card 2 is the fastest, it is the first, unless the order is that of PCI ids. */
static const struct visible_case speed_cases[] = {
	{NULL, NULL, "2013"},   {NULL, "PCI_BUS_ID", "0123"}, {NULL, "FASTEST_FIRST", "2013"},
	{"0,1", NULL, "20"},    {"0,1", "PCI_BUS_ID", "01"},  {"GPU-00,GPU-02", NULL, "02"},
	{"9", "PCI_BUS_ID", ""}};

static void visible_set(const char *name, const char *value)
{
	if (value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

static void visible_read(char cards[17])
{
	int count = 0, bus;
	char id[32];
	const int error = cuda.cudaGetDeviceCount(&count);
	CHECK(error == (count ? 0 : SIM_cudaErrorNoDevice));
	for (int i = 0; i < count && i < 16; i++) {
		CHECK_IS(cuda.cudaDeviceGetPCIBusId(id, sizeof id, i), 0);
		CHECK_IS(cuda.cudaDeviceGetAttribute(&bus, 33, i), 0);
		CHECK_IS(bus, strtol(id + 5, NULL, 16));
		cards[i] = (char)('0' + bus - 1);
	}
	cards[count] = 0;
}

/* Each in a child, since the list is read once. */
static void visible_try(const struct visible_case *each, const char *profile)
{
	char cards[17] = "";
	int status = -1;
	const pid_t child = fork();
	if (!child) {
		visible_set("CUDA_VISIBLE_DEVICES", each->list);
		visible_set("CUDA_DEVICE_ORDER", each->order);
		if (profile)
			setenv("SIMCUDA_PROFILE", profile, 1);
		visible_read(cards);
		if (strcmp(cards, each->cards))
			printf("    '%s' shows '%s', not '%s'\n",
			       each->list ? each->list : "(none)", cards, each->cards);
		fflush(stdout);
		_exit(strcmp(cards, each->cards) != 0);
	}
	CHECK(waitpid(child, &status, 0) == child);
	CHECK_IS(status, 0);
}

static void list_shows_cards(void)
{
	for (size_t i = 0; i < sizeof visible_cases / sizeof visible_cases[0]; i++)
		visible_try(&visible_cases[i], NULL);
}

static void order_is_by_speed(void)
{
	static const char path[] = "simcuda_rules_speed";
	FILE *file = fopen(path, "w");
	CHECK(file && fputs("[device 2]\nmultiprocessors = 200\n", file) >= 0 && !fclose(file));
	for (size_t i = 0; i < sizeof speed_cases / sizeof speed_cases[0]; i++)
		visible_try(&speed_cases[i], path);
	CHECK(!unlink(path));
}

static void list_has_no_effect_unless_asked(void)
{
	int count = 0;
	CHECK_IS(cuda.cudaGetDeviceCount(&count), 0);
	CHECK_IS(count, 4);
}

/* What a device is goes with its card. */
static void cards_keep_their_properties(void)
{
	struct sim_driver driver;
	unsigned char first[16], second[16], other[16];
	int value = 0;
	rules_use_profile("SIMCUDA_PROFILE", "[device 1]\nmultiprocessors = 7\nmemory = 1G\n");
	void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
	CHECK(library != NULL);
	*(void **)&driver.cuDeviceGetUuid = dlsym(library, "cuDeviceGetUuid");
	*(void **)&driver.cuDeviceGetUuid_v2 = dlsym(library, "cuDeviceGetUuid_v2");
	CHECK_IS(cuda.cudaDeviceGetAttribute(&value, 16, 1), 0);
	CHECK_IS(value, 7);
	CHECK_IS(cuda.cudaSetDevice(1), 0);
	size_t free_bytes = 0, total_bytes = 0;
	CHECK_IS(cuda.cudaMemGetInfo(&free_bytes, &total_bytes), 0);
	CHECK_IS(total_bytes, 1 << 30);
	CHECK_IS(driver.cuDeviceGetUuid(first, 0), 0);
	CHECK_IS(driver.cuDeviceGetUuid_v2(second, 0), 0);
	CHECK_IS(driver.cuDeviceGetUuid(other, 1), 0);
	CHECK(!memcmp(first, second, 16) && memcmp(first, other, 16));
	CHECK_IS(first[0], 3);
	CHECK_IS(driver.cuDeviceGetUuid(other, 2), SIM_cudaErrorInvalidDevice);
}

/* -- what processes share -- */

/* Instead of a number of MiB: cudaFree; the end, which a closed pipe does not tell to each. */
enum { WORKER_FREES = -1, WORKER_ENDS = -2 };

struct worker {
	pid_t pid;
	FILE *says, *hears;
};

/* A child that has made a context, or says why it cannot; then it takes memory as it is told. */
static void worker_work(FILE *hears, FILE *says)
{
	int mebibytes;
	void *memory = NULL;
	fprintf(says, "%d\n", cuda.cudaFree(NULL));
	fflush(says);
	while (fscanf(hears, "%d", &mebibytes) == 1 && mebibytes != WORKER_ENDS) {
		const int error = mebibytes == WORKER_FREES
		                          ? cuda.cudaFree(memory)
		                          : cuda.cudaMalloc(&memory, (size_t)mebibytes << 20);
		fprintf(says, "%d\n", error);
		fflush(says);
	}
	_exit(0);
}

static int worker_hear(const struct worker *worker)
{
	int answer = -1;
	CHECK(fscanf(worker->says, "%d", &answer) == 1);
	return answer;
}

static int worker_tell(const struct worker *worker, int mebibytes)
{
	fprintf(worker->hears, "%d\n", mebibytes);
	fflush(worker->hears);
	return worker_hear(worker);
}

/* The error of its context is in *error. */
static struct worker worker_start(int *error)
{
	struct worker worker;
	int up[2], down[2];
	CHECK(!pipe(up) && !pipe(down));
	worker.pid = fork();
	if (!worker.pid) {
		close(up[0]);
		close(down[1]);
		worker_work(fdopen(down[0], "r"), fdopen(up[1], "w"));
	}
	close(up[1]);
	close(down[0]);
	worker.says = fdopen(up[0], "r");
	worker.hears = fdopen(down[1], "w");
	*error = worker_hear(&worker);
	return worker;
}

static void worker_end(struct worker *worker, int how)
{
	if (how)
		kill(worker->pid, how);
	else
		fprintf(worker->hears, "%d\n", WORKER_ENDS);
	fclose(worker->hears);
	fclose(worker->says);
	CHECK(waitpid(worker->pid, NULL, 0) == worker->pid);
}

static size_t memory_left(void)
{
	size_t free_bytes = 0, total_bytes = 0;
	CHECK_IS(cuda.cudaMemGetInfo(&free_bytes, &total_bytes), 0);
	CHECK(free_bytes <= total_bytes);
	return free_bytes >> 20;
}

/* Of 1 GiB each context takes 16 MiB. The workers fork before this process uses CUDA. */
static void memory_is_shared(void)
{
	int error = 0;
	struct worker first = worker_start(&error), second = worker_start(&error);
	CHECK_IS(error, 0);
	CHECK_IS(memory_left(), 1024 - 48);
	CHECK_IS(worker_tell(&first, 512), 0);
	CHECK_IS(memory_left(), 512 - 48);
	CHECK_IS(worker_tell(&second, 512), SIM_cudaErrorMemoryAllocation);
	CHECK_IS(worker_tell(&second, 256), 0);
	CHECK_IS(worker_tell(&second, WORKER_FREES), 0);
	CHECK_IS(memory_left(), 512 - 48);
	CHECK_IS(worker_tell(&second, 256), 0);
	worker_end(&first, 0);
	CHECK_IS(memory_left(), 768 - 32);
	worker_end(&second, SIGKILL);
	CHECK_IS(memory_left(), 1024 - 16);
	unlink(node_path);
}

/* Its memory is free as soon as it is dead, before its parent has waited for it. */
static void zombies_hold_nothing(void)
{
	int error = 0;
	siginfo_t info;
	struct worker worker = worker_start(&error);
	CHECK_IS(worker_tell(&worker, 512), 0);
	CHECK_IS(kill(worker.pid, SIGKILL), 0);
	CHECK_IS(waitid(P_PID, (id_t)worker.pid, &info, WEXITED | WNOWAIT), 0);
	CHECK_IS(memory_left(), 1024 - 16);
	worker_end(&worker, SIGKILL);
	unlink(node_path);
}

static void exclusive_card_has_one_process(void)
{
	int error = -1, mode = -1;
	struct worker first = worker_start(&error);
	CHECK_IS(error, 0);
	struct worker second = worker_start(&error);
	CHECK_IS(error, SIM_cudaErrorDevicesUnavailable);
	worker_end(&second, 0);
	worker_end(&first, SIGKILL);
	second = worker_start(&error);
	CHECK_IS(error, 0);
	CHECK_IS(cuda.cudaDeviceGetAttribute(&mode, 20, 0), 0);
	CHECK_IS(mode, 3);
	worker_end(&second, 0);
	CHECK_IS(cuda.cudaFree(NULL), 0);
	CHECK_IS(cuda.cudaDeviceReset(), 0);
	unlink(node_path);
}

static void server_takes_some_clients(void)
{
	int error = -1;
	struct worker first = worker_start(&error);
	CHECK_IS(error, 0);
	struct worker second = worker_start(&error);
	CHECK_IS(error, 0);
	CHECK_IS(cuda.cudaFree(NULL), SIM_cudaErrorMpsMaxClientsReached);
	worker_end(&second, SIGKILL);
	CHECK_IS(cuda.cudaFree(NULL), 0);
	worker_end(&first, 0);
	unlink(node_path);
}

static void prohibited_card_has_no_context(void)
{
	int mode = -1;
	CHECK_IS(cuda.cudaFree(NULL), SIM_cudaErrorDevicesUnavailable);
	CHECK_IS(cuda.cudaDeviceGetAttribute(&mode, 20, 0), 0);
	CHECK_IS(mode, 2);
}

#define NODE "SIMCUDA_NODE=simcuda_rules_node SIMCUDA_MEMORY=1G"

const struct rule node_rules[] = {
	{"node: visible cards", RULE_SIM_ONLY, "SIMCUDA_DEVICES=4 SIMCUDA_VISIBLE=1",
         list_shows_cards},
	{"node: order of the cards", RULE_SIM_ONLY, "SIMCUDA_DEVICES=4 SIMCUDA_VISIBLE=1",
         order_is_by_speed},
	{"node: visible cards only when asked", RULE_SIM_ONLY,
         "SIMCUDA_DEVICES=4 CUDA_VISIBLE_DEVICES=-1", list_has_no_effect_unless_asked},
	{"node: properties of visible cards", RULE_SIM_ONLY,
         "SIMCUDA_DEVICES=4 SIMCUDA_VISIBLE=1 CUDA_VISIBLE_DEVICES=3,1 "
         "CUDA_DEVICE_ORDER=PCI_BUS_ID",
         cards_keep_their_properties},
	{"node: memory", RULE_SIM_ONLY, NODE, memory_is_shared},
	{"node: memory of zombies", RULE_SIM_ONLY, NODE, zombies_hold_nothing},
	{"node: exclusive card", RULE_SIM_ONLY, NODE " SIMCUDA_COMPUTE_MODE=exclusive",
         exclusive_card_has_one_process},
	{"node: clients of a server", RULE_SIM_ONLY,
         NODE " SIMCUDA_COMPUTE_MODE=exclusive SIMCUDA_MPS=2", server_takes_some_clients},
	{"node: prohibited card", RULE_SIM_ONLY, "SIMCUDA_COMPUTE_MODE=prohibited",
         prohibited_card_has_no_context},
	{0},
};
