/* doctor_values.c - options that contradict the machine or each other */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/common/units.h"
#include "cli/doctor/doctor.h"
#include "cli/doctor/doctor_source.h"
#include "cli/process/elf_file.h"
#include "shim/table/symbol.h"

/* Below this much memory no call that is worth the GPU's time fits, in MB. */
enum { DOCTOR_LEAST_MEMORY = 100 };

/* Cards compute in TensorFloat-32 from this compute capability on: 10 major + minor. */
enum { DOCTOR_TF32_CAPABILITY = 80 };

/* value: what the option is to be instead; NULL: its default. Takes ownership of text. */
static void doctor_values_find(struct doctor *doctor, enum doctor_state state, enum option option,
                               char *text, const char *advice, const char *value)
{
	char *quoted = doctor_source_quote(&doctor->options, option);
	doctor_report_find(&doctor->report, state, "options", say_text("%s: %s", quoted, text),
	                   advice, doctor_source_fix(option, value));
	free(quoted);
	free(text);
}

static void doctor_values_judge_enabled(struct doctor *doctor)
{
	if (!doctor->options.enabled)
		doctor_values_find(doctor, DOCTOR_FAILURE, OPTION_enabled,
		                   say_text("the shim is off, all calls stay on the CPU"),
		                   "Switch the shim on:", NULL);
}

static void doctor_values_judge_policy(struct doctor *doctor)
{
	const int policy = doctor->options.policy;
	if (policy == POLICY_NEVER)
		doctor_values_find(doctor, DOCTOR_FAILURE, OPTION_policy,
		                   say_text("all calls stay on the CPU"),
		                   "Let calls go to the GPU:", NULL);
	else if (policy == POLICY_DRY)
		doctor_values_find(doctor, DOCTOR_FAILURE, OPTION_policy,
		                   say_text("a dry run, which computes all calls on the CPU"),
		                   "Let calls go to the GPU:", NULL);
}

/* Whoever sets a threshold means it: the policy is changed. */
static void doctor_values_refuse_threshold(struct doctor *doctor, enum option option, bool given)
{
	char *quoted = doctor_source_quote(&doctor->options, option);
	if (given)
		doctor_report_find(
			&doctor->report, DOCTOR_WARNING, "options",
			say_text("%s: no effect, since the policy always sends calls of "
		                 "any size to the GPU",
		                 quoted),
			"Let the threshold decide:", doctor_source_fix(OPTION_policy, "threshold"));
	free(quoted);
}

static void doctor_values_judge_always(struct doctor *doctor)
{
	const struct options *options = &doctor->options;
	if (options->policy != POLICY_ALWAYS)
		return;
	doctor_values_refuse_threshold(doctor, OPTION_workload_threshold,
	                               options->workload_threshold_given);
	doctor_values_refuse_threshold(doctor, OPTION_work_threshold, options->work_threshold > 0);
	doctor_values_refuse_threshold(doctor, OPTION_k_threshold, options->k_threshold > 0);
}

/* Operands that no memory holds reach no threshold. */
static void doctor_values_judge_threshold(struct doctor *doctor)
{
	const uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	char size[HUMAN_BYTES];
	human_format_size(memory, size);
	if (doctor->options.workload_threshold > memory && doctor->options.policy != POLICY_ALWAYS)
		doctor_values_find(
			doctor, DOCTOR_FAILURE, OPTION_workload_threshold,
			say_text("no call reaches it, the machine's memory has %s", size),
			"Set a threshold in bytes that calls reach, or none:", NULL);
}

static void doctor_values_judge_memory(struct doctor *doctor)
{
	const uint64_t limit = doctor->options.memory_limit;
	char size[HUMAN_BYTES];
	human_format_size(doctor->largest_bytes, size);
	if (doctor->largest_bytes > 0 && limit > doctor->largest_bytes / 1000000)
		doctor_values_find(doctor, DOCTOR_WARNING, OPTION_memory_limit,
		                   say_text("no limit, the largest card has %s", size),
		                   "Set a limit in MB that is below that, or none:", NULL);
	else if (limit > 0 && limit < DOCTOR_LEAST_MEMORY)
		doctor_values_find(doctor, DOCTOR_WARNING, OPTION_memory_limit,
		                   say_text("that is in MB, and hardly any call fits"),
		                   "Set a limit in MB that calls fit into, or none:", NULL);
}

/* The numbers of the cards that are used, as the option devices takes them; to be freed. */
static char *doctor_values_list_cards(const struct doctor *doctor)
{
	char *list = say_need(strdup(""));
	for (int i = 0; i < doctor->set.count; i++) {
		char *longer =
			say_text("%s%s%d", list, i > 0 ? "," : "", doctor->set.devices[i].number);
		free(list);
		list = longer;
	}
	return list;
}

static void doctor_values_judge_devices(struct doctor *doctor)
{
	const struct cuda_refusal *refusal = cuda_find_refusal(&doctor->search);
	if (doctor->gpu == REASON_NO_DEVICE && doctor->set.device_count > 0) {
		doctor_values_find(doctor, DOCTOR_FAILURE, OPTION_devices,
		                   say_text("%s", refusal != NULL ? refusal->sentence : "no GPU"),
		                   "Name a GPU that exists:", "0");
		return;
	}
	char *cards = doctor_values_list_cards(doctor);
	for (int i = 0; i < doctor->search.refusal_count && doctor->gpu == REASON_NONE; i++) {
		refusal = &doctor->search.refusal[i];
		if (refusal->device >= 0 && !refusal->expected)
			doctor_values_find(doctor, DOCTOR_WARNING, OPTION_devices,
			                   say_text("%s", refusal->sentence),
			                   "Name only GPUs that can be used:", cards);
	}
	free(cards);
	if (doctor->options.deterministic && doctor->set.count > 1 &&
	    !cuda_devices_are_chosen(doctor->options.devices))
		doctor_values_find(doctor, DOCTOR_WARNING, OPTION_devices,
		                   say_text("only one of them is used, since deterministic is on"),
		                   "Name one GPU:", "0");
}

/* Whether a folder that was searched is the one that the option names, or lies below it. */
static bool doctor_values_is_searched(const struct doctor *doctor, const char *folder)
{
	const size_t length = strlen(folder);
	for (int i = 0; i < CUDA_LIBRARY_COUNT; i++)
		if (strncmp(doctor->set.path[i], folder, length) == 0 &&
		    (doctor->set.path[i][length] == '/' || folder[length - 1] == '/'))
			return true;
	return false;
}

static void doctor_values_judge_cuda_path(struct doctor *doctor)
{
	const char *folder = doctor->options.cuda_path;
	const bool exists = access(folder, X_OK) == 0;
	if (folder[0] == '\0' ||
	    (exists && doctor->gpu != REASON_NONE && doctor->gpu != REASON_NO_CUDA))
		return;
	if (doctor->gpu == REASON_NONE && doctor_values_is_searched(doctor, folder))
		return;
	doctor_values_find(doctor, DOCTOR_WARNING, OPTION_cuda_path,
	                   say_text(exists ? "no usable CUDA libraries are there or in its "
	                                     "lib64 or lib"
	                                   : "there is no such folder"),
	                   "Name the folder that holds libcudart.so, or none:", NULL);
}

/* Whether a library defines routines of this kind that compute. */
struct doctor_values_library {
	enum library kind;
	bool found;
};

static void doctor_values_note_symbol(void *context, const char *name, bool defined)
{
	struct doctor_values_library *library = context;
	const int symbol = symbol_find(name);
	library->found |= defined && symbol >= 0 && symbol_is_of(symbol, library->kind) &&
	                  symbol_table[symbol].role == ROLE_COMPUTE;
}

static void doctor_values_judge_library(struct doctor *doctor, enum option option, const char *path,
                                        enum library kind)
{
	struct doctor_values_library library = {.kind = kind};
	struct elf_file elf;
	if (path[0] != '/')
		return;
	const int error = elf_file_open(&elf, path);
	if (error == 0 && elf.is_native)
		elf_file_visit_symbols(&elf, false, doctor_values_note_symbol, &library);
	elf_file_close(&elf);
	if (!library.found)
		doctor_values_find(doctor, DOCTOR_WARNING, option,
		                   error != 0 ? say_text("%s", say_error(error))
		                              : say_text("that is no 64-bit library with %s",
		                                         kind == LIBRARY_BLAS ? "BLAS" : "FFTW"),
		                   "Name a library that exists, or none:", NULL);
}

static void doctor_values_judge_libraries(struct doctor *doctor)
{
	doctor_values_judge_library(doctor, OPTION_cpu_blas, doctor->options.cpu_blas,
	                            LIBRARY_BLAS);
	doctor_values_judge_library(doctor, OPTION_cpu_fftw, doctor->options.cpu_fftw,
	                            LIBRARY_FFTW);
}

static void doctor_values_judge_math(struct doctor *doctor)
{
	for (int i = 0; i < doctor->set.count && doctor->options.math == MATH_TF32; i++) {
		const struct cuda_device *card = &doctor->set.devices[i];
		if (card->capability < DOCTOR_TF32_CAPABILITY)
			doctor_values_find(doctor, DOCTOR_WARNING, OPTION_math,
			                   say_text("no effect on GPU %d, which has no "
			                            "TensorFloat-32",
			                            card->number),
			                   "Compute in full precision:", NULL);
	}
}

/* A level without a log records nothing: the log is what was meant. */
static void doctor_values_judge_level(struct doctor *doctor)
{
	char *quoted = doctor_source_quote(&doctor->options, OPTION_log_level);
	if (doctor->options.log_level != LOG_DECISION && doctor->options.log[0] == '\0')
		doctor_report_find(
			&doctor->report, DOCTOR_WARNING, "options",
			say_text("%s: no effect, since the option log names no file", quoted),
			"Name a file for the log, too:",
			doctor_source_fix(OPTION_log, "gpushim-%p.log"));
	free(quoted);
}

void doctor_values_examine(struct doctor *doctor)
{
	static void (*const judges[])(struct doctor *) = {
		doctor_values_judge_enabled,   doctor_values_judge_policy,
		doctor_values_judge_always,    doctor_values_judge_threshold,
		doctor_values_judge_memory,    doctor_values_judge_devices,
		doctor_values_judge_cuda_path, doctor_values_judge_libraries,
		doctor_values_judge_math,      doctor_values_judge_level};
	for (size_t i = 0; i < sizeof judges / sizeof judges[0]; i++)
		judges[i](doctor);
}
