/* summary_books.c - what deciding by time came to, in sentences */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/summary_books.h"

#include "shim/record/human.h"

/* Plain sums of struct counters_books. */
struct summary_books {
	uint64_t looks, offloads, verified;
	int64_t gain_ns, look_loss_ns, dry_cpu_ns, dry_gpu_ns;
};

static struct summary_books summary_books_sum_up(const struct counters_file *const files[], size_t file_count)
{
	struct summary_books sum = {0};
	for (size_t i = 0; i < file_count; i++) {
		const struct counters_books *books = &files[i]->books;
		sum.looks += atomic_load_explicit(&books->looks, memory_order_relaxed);
		sum.offloads += atomic_load_explicit(&books->offloads, memory_order_relaxed);
		sum.verified += atomic_load_explicit(&books->verified, memory_order_relaxed);
		sum.gain_ns += atomic_load_explicit(&books->gain_ns, memory_order_relaxed);
		sum.look_loss_ns += atomic_load_explicit(&books->look_loss_ns, memory_order_relaxed);
		sum.dry_cpu_ns += atomic_load_explicit(&books->dry_cpu_ns, memory_order_relaxed);
		sum.dry_gpu_ns += atomic_load_explicit(&books->dry_gpu_ns, memory_order_relaxed);
	}
	return sum;
}

static void summary_books_put_time(struct page_line *line, int64_t time_ns)
{
	char text[HUMAN_BYTES];
	human_format_time((uint64_t)(time_ns < 0 ? -time_ns : time_ns), text);
	page_put(line, text);
}

static void summary_books_put_calls(struct page_line *line, uint64_t calls)
{
	char text[HUMAN_BYTES];
	human_format_count(calls, text);
	page_put(line, text);
	page_put(line, calls == 1 ? " call" : " calls");
}

/* Expected and measured times: the CPU's are not known of a call that it did not do. */
static void summary_books_add_gain(struct page *page, const struct summary_books *sum)
{
	struct page_line line = {.used = 0};
	page_put(&line, "expected of the CPU for what the GPU did: ");
	summary_books_put_time(&line, sum->gain_ns);
	page_put(&line, sum->gain_ns < 0 ? " less" : " more");
	page_end_line(page, &line);
}

static void summary_books_add_looks(struct page *page, const struct summary_books *sum)
{
	struct page_line line = {.used = 0};
	summary_books_put_calls(&line, sum->looks);
	page_put(&line, " looked at the other side, at a cost of ");
	summary_books_put_time(&line, sum->look_loss_ns);
	page_end_line(page, &line);
}

static void summary_books_add_dry(struct page *page, const struct summary_books *sum)
{
	struct page_line line = {.used = 0};
	page_put(&line, "dry run: calls that the GPU is expected to do faster took ");
	summary_books_put_time(&line, sum->dry_cpu_ns);
	page_put(&line, ", there about ");
	summary_books_put_time(&line, sum->dry_gpu_ns);
	page_end_line(page, &line);
}

void summary_books_add(struct page *page, const struct counters_file *const files[], size_t file_count)
{
	const struct summary_books sum = summary_books_sum_up(files, file_count);
	if (sum.offloads > 0)
		summary_books_add_gain(page, &sum);
	if (sum.looks > 0)
		summary_books_add_looks(page, &sum);
	if (sum.dry_cpu_ns > 0)
		summary_books_add_dry(page, &sum);
	if (sum.verified > 0) {
		struct page_line line = {.used = 0};
		summary_books_put_calls(&line, sum.verified);
		page_put(&line, " of the GPU computed by the CPU too (verify)");
		page_end_line(page, &line);
	}
}
