/* gpu_process_test.c - fork before, during and after the start of CUDA; exit during it */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gpu_check.h"
#include "gpu_child.h"
#include "shim/execute/gpu/fft/gpu_fft.h"
#include "shim/execute/gpu/session/session.h"

static void sleep_ms(int ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static enum reason run_gemm(void)
{
	const struct gpu_check_gemm gemm = {
		.element = ELEMENT_D, .m = 5, .n = 6, .k = 7, .gap = 1, .alpha = 1, .beta = 1};
	return gpu_check_run_gemm(&gemm, gpu_check_situation().device);
}

static void wait_until_ready(void)
{
	for (int i = 0; i < 2000 && gpu_check_situation().gpu == GPU_WARMING; i++)
		sleep_ms(5);
	EXPECT(gpu_check_situation().gpu == GPU_READY, "state %d", gpu_check_situation().gpu);
	EXPECT(run_gemm() == REASON_NONE, "the parent goes on");
}

/* In a child whose parent used CUDA: every call is refused, and none hangs. */
static void expect_forked(void)
{
	const struct situation situation = gpu_check_situation();
	EXPECT(situation.gpu == GPU_OFF && situation.off_reason == REASON_FORKED, "state %d, %s",
	       situation.gpu, reason_name(situation.off_reason));
	EXPECT(run_gemm() != REASON_NONE, "refused");
	EXPECT(session_trim() == 0 && session_device_count() == 0, "nothing to free, no device");
	gpu_fft_forget(&situation);
	session_wake();
	session_note_outcome(REASON_DEVICE_FAILED);
	EXPECT(gpu_check_situation().off_reason == REASON_FORKED, "and it stays so");
}

static void join_child(pid_t process)
{
	int status = -1;
	const pid_t joined = waitpid(process, &status, 0);
	EXPECT(joined == process && status == 0, "child %d ended with %x", (int)process,
	       (unsigned)status);
}

static int scenario_fork_before(void)
{
	const pid_t process = fork();
	EXPECT(gpu_check_situation().gpu == GPU_ASLEEP, "asleep in both");
	session_wake();
	wait_until_ready();
	if (process == 0)
		exit(gpu_check_end("child"));
	join_child(process);
	return gpu_check_end("parent");
}

/* Waits until the warm-up is inside its first slow call. */
static void wait_until_slow(void)
{
	for (int i = 0; i < 2000 && gpu_check_count("cudaFree") == 0; i++)
		sleep_ms(2);
}

static int scenario_fork_during(void)
{
	session_wake();
	wait_until_slow();
	for (int i = 0; i < 4; i++) {
		const double begin = seconds();
		const pid_t process = fork();
		EXPECT(process == 0 || seconds() - begin < 0.4,
		       "the fork does not wait for the call: %g s", seconds() - begin);
		if (process == 0) {
			expect_forked();
			exit(gpu_check_end("child"));
		}
		join_child(process);
		sleep_ms(60);
	}
	wait_until_ready();
	return gpu_check_end("parent");
}

static int scenario_fork_after(void)
{
	const struct gpu_check_fft fft = {.family = FAMILY_FFT_C2C,
	                                  .element = ELEMENT_Z,
	                                  .rank = 1,
	                                  .n = {8},
	                                  .howmany = 1,
	                                  .sign = -1};
	session_wake();
	wait_until_ready();
	EXPECT(gpu_check_run_fft(&fft, 0) == REASON_NONE, "a plan is kept");
	const pid_t process = fork();
	if (process == 0) {
		expect_forked();
		exit(gpu_check_end("child"));
	}
	join_child(process);
	wait_until_ready();
	return gpu_check_end("parent");
}

/* Without the handlers of pthread_atfork the child is recognised by its process number. */
static int scenario_fork_raw(void)
{
	session_wake();
	wait_until_ready();
	const pid_t process = (pid_t)syscall(SYS_fork);
	if (process == 0) {
		EXPECT(run_gemm() != REASON_NONE, "refused");
		gpu_fft_forget(&process);
		_exit(gpu_check_end("child"));
	}
	join_child(process);
	return gpu_check_end("parent");
}

/* Reads /proc's status of the warm-up thread. False where there is none. */
static bool find_warmup_thread(char *status, size_t size)
{
	char path[128];
	bool found = false;
	DIR *tasks = opendir("/proc/self/task");
	if (tasks == NULL)
		return false;
	for (struct dirent *entry; !found && (entry = readdir(tasks)) != NULL;) {
		snprintf(path, sizeof path, "/proc/self/task/%.20s/status", entry->d_name);
		FILE *file = fopen(path, "r");
		const size_t length = file == NULL ? 0 : fread(status, 1, size - 1, file);
		status[length] = '\0';
		found = strstr(status, "gpushim-warmup") != NULL;
		if (file != NULL)
			fclose(file);
	}
	closedir(tasks);
	return found;
}

/* Runs after session_stop. */
static void check_stopped(void)
{
	char status[2048];
	sleep_ms(30);
	if (gpu_check_situation().off_reason != REASON_EXITING ||
	    find_warmup_thread(status, sizeof status))
		_exit(3);
}

static int scenario_exit(void)
{
	session_wake();
	wait_until_slow();
	EXPECT(gpu_check_situation().gpu == GPU_WARMING, "on its way");
	return gpu_check_end("parent");
}

static int scenario_stop(void)
{
	session_stop();
	session_wake();
	EXPECT(gpu_check_situation().off_reason == REASON_EXITING, "not started any more");
	session_stop();
	return gpu_check_end("parent");
}

/* The warm-up thread has its name and blocks the program's signals. */
static int scenario_thread(void)
{
	char status[2048] = "";
	session_wake();
	wait_until_slow();
	EXPECT(find_warmup_thread(status, sizeof status), "a thread of its own");
	const char *blocked = strstr(status, "SigBlk:\t");
	EXPECT(blocked != NULL && strncmp(blocked + 8, "fffffffe", 8) == 0, "%.30s",
	       blocked == NULL ? "none" : blocked);
	wait_until_ready();
	return gpu_check_end("parent");
}

/* most_s: far more than it takes on a busy machine, and less than what it must not wait for. */
static const struct scenario {
	const char *name;
	int (*run)(void);
	const char *slow;
	double most_s;
	enum warmup warmup;
} scenarios[] = {
	{"fork_before", scenario_fork_before, NULL, 30, WARMUP_WAIT},
	{"fork_during", scenario_fork_during,
         "SIMCUDA_SLOW=cudaFree:700,cudaMemGetInfo:200,"
         "cudaStreamCreateWithFlags:200,cublasCreate_v2:200",
         30, WARMUP_BACKGROUND},
	{"fork_after", scenario_fork_after, NULL, 30, WARMUP_WAIT},
	{"fork_raw", scenario_fork_raw, NULL, 30, WARMUP_WAIT},
	{"exit", scenario_exit,
         "SIMCUDA_SLOW=cudaFree:700,cublasCreate_v2:60000,cudaMemGetInfo:60000", 30,
         WARMUP_BACKGROUND},
	{"stop", scenario_stop, NULL, 30, WARMUP_BACKGROUND},
	{"thread", scenario_thread, "SIMCUDA_SLOW=cudaFree:500", 30, WARMUP_BACKGROUND},
};

static int run_scenario(const char *name)
{
	for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
		if (strcmp(scenarios[i].name, name) != 0)
			continue;
		gpu_check_configure(0)->warmup = scenarios[i].warmup;
		pthread_atfork(session_before_fork, session_after_fork_parent,
		               session_after_fork_child);
		if (scenarios[i].run == scenario_exit)
			atexit(check_stopped);
		atexit(session_stop);
		return scenarios[i].run();
	}
	return 1;
}

int main(int argc, char **argv)
{
	if (argc == 2)
		return run_scenario(argv[1]);
	if (getenv("EPOCHLY_GPU_CUDA_PATH") == NULL) {
		printf("skipped: slow calls need a simulated CUDA in EPOCHLY_GPU_CUDA_PATH\n");
		return GPU_CHECK_SKIPPED;
	}
	for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
		struct gpu_child child = {.scenario = scenarios[i].name,
		                          .setting = {scenarios[i].slow}};
		gpu_child_run(&child);
		EXPECT(gpu_child_exited(&child, 0), "%s: status %x: %s", scenarios[i].name,
		       (unsigned)child.status, child.errors);
		EXPECT(child.elapsed_s < scenarios[i].most_s, "%s took %g s", scenarios[i].name,
		       child.elapsed_s);
		EXPECT(gpu_child_messages(&child) == 0, "%s: %s", scenarios[i].name, child.errors);
	}
	return gpu_check_end("gpu_process");
}
