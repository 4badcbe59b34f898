/* doctor_residency.c - whether operands can stay on the GPU here, and if not, why */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"
#include "cli/doctor/doctor.h"
#include "cli/doctor/doctor_source.h"
#include "cli/doctor/doctor_tracking.h"
#include "policy/resident/migration_reason.h"
#include "shim/execute/gpu/node/kernel_text.h"
#include "shim/execute/gpu/pages/digest.h"

static const char doctor_residency_sends[] = "operands are sent each time";

/* Of the GPU that is used first; one at least is usable. */
static enum migration_reason doctor_residency_judge_card(const struct doctor *doctor)
{
	int order[CUDA_DEVICES];
	doctor_cards_order(doctor, order);
	const struct cuda_device *card = &doctor->set.devices[order[0]];
	return migration_reason_judge(card->reads_host, card->memory_node);
}

/* "always [madvise] never": the word in brackets is in force. */
static void doctor_residency_add_pages(struct doctor_report *report)
{
	char text[KERNEL_TEXT_BYTES];
	if (!kernel_text_read(cuda_devices_find_root(), "/sys/kernel/mm/transparent_hugepage",
	                      "/enabled", text))
		text[0] = '\0';
	const char *given =
		strstr(text, "[always]") != NULL ? "always"
		: strstr(text, "[madvise]") != NULL
			? "where a program asks for them; GLIBC_TUNABLES=glibc.malloc.hugetlb=1 "
			  "does so for malloc (glibc 2.35 or later)"
			: "never";
	doctor_report_add(report, "large pages: %s", given);
}

static void doctor_residency_add_hashing(struct doctor_report *report)
{
	const char *why = track_reason_sentence(TRACK_REASON_NO_HASH);
	if (digest_is_built()) {
		doctor_report_add(report, "hashing of operands: possible (residency = hash)");
		return;
	}
	doctor_report_add(report, "hashing of operands: not possible; %s", why);
	doctor_report_add(report, "  what helps: %s", doctor_tracking_remedy(TRACK_REASON_NO_HASH));
}

static void doctor_residency_add_migration(struct doctor_report *report,
                                           enum migration_reason reason)
{
	const char *why = migration_reason_sentence(reason);
	if (reason == MIGRATION_REASON_NONE) {
		doctor_report_add(
			report, "moving pages to the GPU: possible (residency = migrate); %s", why);
		return;
	}
	doctor_report_add(report, "moving pages to the GPU: not possible; %s", why);
	doctor_report_add(report, "  what helps: %s",
	                  reason == MIGRATION_REASON_NO_NODE
	                          ? "a driver that gives the GPU's memory NUMA nodes; until then "
	                            "residency = auto"
	                          : "a GH200 or GB200; on other machines residency = auto");
}

/* The option names a way that cannot be taken: another one. result: what comes of it. */
static void doctor_residency_warn(struct doctor *doctor, const char *result, const char *why)
{
	char *quoted = doctor_source_quote(&doctor->options, OPTION_residency);
	const bool hashes = doctor->options.residency == RESIDENCY_TRACK && digest_is_built();
	doctor_report_find(&doctor->report, DOCTOR_WARNING, "options",
	                   say_text("%s: %s; %s", quoted, result, why),
	                   hashes ? "Let operands be hashed instead, or see below what helps:"
	                          : "Let the shim choose:",
	                   doctor_source_fix(OPTION_residency, hashes ? "hash" : NULL));
	free(quoted);
}

static void doctor_residency_judge_auto(struct doctor *doctor, const struct doctor_trial *trial)
{
	if (trial->reason == TRACK_REASON_NONE)
		doctor_report_pass(&doctor->report, "residency",
		                   "auto: operands that have not changed stay on the GPU, where "
		                   "tracking costs less than sending");
	else
		doctor_report_pass(&doctor->report, "residency",
		                   "auto: operands are sent each time; %s", trial->why);
}

static void doctor_residency_judge(struct doctor *doctor, enum residency way,
                                   const struct doctor_trial *trial)
{
	const enum migration_reason migration = doctor_residency_judge_card(doctor);
	struct doctor_report *report = &doctor->report;
	if (way == RESIDENCY_OFF)
		doctor_report_pass(report, "residency", "off: operands are sent each time");
	else if (way == RESIDENCY_AUTO)
		doctor_residency_judge_auto(doctor, trial);
	else if (way == RESIDENCY_TRACK && trial->is_killed)
		doctor_residency_warn(doctor, "ends a program here", trial->why);
	else if (way == RESIDENCY_TRACK && trial->reason != TRACK_REASON_NONE)
		doctor_residency_warn(doctor, doctor_residency_sends, trial->why);
	else if (way == RESIDENCY_HASH && !digest_is_built())
		doctor_residency_warn(doctor, doctor_residency_sends,
		                      track_reason_sentence(TRACK_REASON_NO_HASH));
	else if (way == RESIDENCY_MIGRATE && migration != MIGRATION_REASON_NONE)
		doctor_residency_warn(doctor, doctor_residency_sends,
		                      migration_reason_sentence(migration));
	else if (way == RESIDENCY_MIGRATE)
		doctor_report_pass(report, "residency", "migrate: %s",
		                   migration_reason_sentence(migration));
	else
		doctor_report_pass(report, "residency",
		                   "%s: operands that have not changed stay on the GPU",
		                   way == RESIDENCY_HASH ? "hash" : "track");
}

void doctor_residency_examine(struct doctor *doctor)
{
	static struct options settled;
	settled = doctor->options;
	options_settle(&settled);
	const enum residency way = (enum residency)settled.residency;
	const struct doctor_tracking tracking = doctor_tracking_try(way == RESIDENCY_TRACK);
	doctor_report_begin(&doctor->report, "residency");
	doctor_tracking_add(&doctor->report, &tracking);
	doctor_tracking_add_times(&doctor->report, &tracking);
	doctor_residency_add_pages(&doctor->report);
	doctor_residency_add_hashing(&doctor->report);
	if (doctor->gpu == REASON_NONE)
		doctor_residency_add_migration(&doctor->report,
		                               doctor_residency_judge_card(doctor));
	if (doctor->gpu == REASON_NONE)
		doctor_residency_judge(doctor, way, &tracking.usual);
}
