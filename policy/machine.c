/* machine.c - machine profiles from text */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/machine.h"

#include <stddef.h>

#include "policy/number.h"
#include "policy/words.h"

/* Each key is the field's name, and for a rate per element the element's letter behind it. */
static const struct machine_row {
	const char *key;
	size_t offset; /* of a double in struct machine */
} machine_rows[] = {
#define MACHINE_RATE(key, field)                                                                                       \
	{                                                                                                              \
		key, offsetof(struct machine, field)                                                                   \
	}
	MACHINE_RATE("cpu_gemm_flops_s", cpu_gemm_flops[ELEMENT_S]),
	MACHINE_RATE("cpu_gemm_flops_d", cpu_gemm_flops[ELEMENT_D]),
	MACHINE_RATE("cpu_gemm_flops_c", cpu_gemm_flops[ELEMENT_C]),
	MACHINE_RATE("cpu_gemm_flops_z", cpu_gemm_flops[ELEMENT_Z]),
	MACHINE_RATE("gpu_gemm_flops_s", gpu_gemm_flops[ELEMENT_S]),
	MACHINE_RATE("gpu_gemm_flops_d", gpu_gemm_flops[ELEMENT_D]),
	MACHINE_RATE("gpu_gemm_flops_c", gpu_gemm_flops[ELEMENT_C]),
	MACHINE_RATE("gpu_gemm_flops_z", gpu_gemm_flops[ELEMENT_Z]),
	MACHINE_RATE("cpu_fft_flops_c", cpu_fft_flops[ELEMENT_C]),
	MACHINE_RATE("cpu_fft_flops_z", cpu_fft_flops[ELEMENT_Z]),
	MACHINE_RATE("gpu_fft_flops_c", gpu_fft_flops[ELEMENT_C]),
	MACHINE_RATE("gpu_fft_flops_z", gpu_fft_flops[ELEMENT_Z]),
	MACHINE_RATE("link_up_bytes", link_up_bytes),
	MACHINE_RATE("link_down_bytes", link_down_bytes),
	MACHINE_RATE("link_duplex", link_duplex),
	MACHINE_RATE("operation_ns", operation_ns),
	MACHINE_RATE("gpu_multiprocessors", gpu_multiprocessors),
	MACHINE_RATE("call_fixed_ns", call_fixed_ns),
#undef MACHINE_RATE
};
enum { MACHINE_ROWS = sizeof machine_rows / sizeof machine_rows[0] };

static const char machine_name_key[] = "name";

static bool machine_set_name(struct machine *machine, struct words value, struct sentence *sentence)
{
	if (value.length >= MACHINE_NAME_BYTES) {
		sentence_add(sentence, "the machine's name is too long: ");
		sentence_quote(sentence, value);
		return false;
	}
	memcpy(machine->name, value.text, value.length);
	machine->name[value.length] = '\0';
	return true;
}

static bool machine_set_rate(struct machine *machine, const struct machine_row *row, struct words value,
                             struct sentence *sentence)
{
	double *field = (double *)(void *)((char *)machine + row->offset);
	if (number_parse_real(value.text, value.length, field) == NUMBER_FINE)
		return true;
	sentence_add(sentence, row->key);
	sentence_add(sentence, " cannot be ");
	sentence_quote(sentence, value);
	sentence_add(sentence, "; allowed: a finite number, 0 or more");
	return false;
}

static void machine_offer_key(const char *key, struct words name, const char **nearest, unsigned *least)
{
	const unsigned distance = words_distance(name, key);
	if (distance >= *least)
		return;
	*least = distance;
	*nearest = key;
}

static bool machine_refuse_key(struct words key, struct sentence *sentence)
{
	const char *nearest = NULL;
	unsigned least = WORDS_FAR;
	machine_offer_key(machine_name_key, key, &nearest, &least);
	for (int i = 0; i < MACHINE_ROWS; i++)
		machine_offer_key(machine_rows[i].key, key, &nearest, &least);
	sentence_add(sentence, "unknown key ");
	sentence_quote(sentence, key);
	if (nearest != NULL) {
		sentence_add(sentence, "; the nearest is ");
		sentence_quote(sentence, words_of(nearest));
	}
	return false;
}

static bool machine_set(struct machine *machine, struct words key, struct words value, struct sentence *sentence)
{
	if (words_equal(key, words_of(machine_name_key)))
		return machine_set_name(machine, value, sentence);
	for (int i = 0; i < MACHINE_ROWS; i++)
		if (words_equal(key, words_of(machine_rows[i].key)))
			return machine_set_rate(machine, &machine_rows[i], value, sentence);
	return machine_refuse_key(key, sentence);
}

bool machine_parse_line(struct machine *machine, const char *line, char message[MACHINE_MESSAGE_BYTES])
{
	struct words key, value;
	struct sentence sentence = sentence_start(message, MACHINE_MESSAGE_BYTES);
	const enum words_line form = words_split_line(line, &key, &value);
	if (form == WORDS_PAIR)
		return machine_set(machine, key, value, &sentence);
	if (form == WORDS_BLANK)
		return true;
	sentence_add(&sentence, words_describe_line(form));
	return false;
}

bool machine_is_usable(const struct machine *machine, char message[MACHINE_MESSAGE_BYTES])
{
	struct sentence sentence = sentence_start(message, MACHINE_MESSAGE_BYTES);
	if (machine->link_up_bytes > 0 && machine->link_down_bytes > 0)
		return true;
	sentence_add(&sentence, machine->link_up_bytes > 0 ? "link_down_bytes" : "link_up_bytes");
	sentence_add(&sentence, " is missing or 0, and without it nothing can be predicted");
	return false;
}
