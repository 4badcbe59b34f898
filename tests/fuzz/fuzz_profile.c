/* fuzz_profile.c - machine profiles: refused with a sentence, or finite and positive rates */
/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>

#include "policy/machine/machine.h"
#include "tests/fuzz/fuzz.h"

static bool read_profile(char *text, struct machine *machine)
{
	char message[MACHINE_MESSAGE_BYTES] = "";
	memset(machine, 0, sizeof *machine);
	for (char *rest = text; rest != NULL;)
		if (!machine_parse_line(machine, strsep(&rest, "\n"), message)) {
			fuzz_check_message(message);
			return false;
		}
	if (machine_is_usable(machine, message))
		return true;
	fuzz_check_message(message);
	return false;
}

/* What is written is read again, and is then written the same. */
static void check_written(const struct machine *machine)
{
	static struct machine again;
	char line[512], second[512], message[MACHINE_MESSAGE_BYTES];
	memset(&again, 0, sizeof again);
	for (int position = 0; machine_write_line(machine, &position, line, sizeof line);)
		FUZZ_CHECK(machine_parse_line(&again, line, message));
	for (int position = 0, other = 0;
	     machine_write_line(machine, &position, line, sizeof line);) {
		FUZZ_CHECK(machine_write_line(&again, &other, second, sizeof second));
		FUZZ_CHECK(strcmp(line, second) == 0);
	}
}

static void check_rates(struct machine *machine, unsigned draw)
{
	machine_assume(machine, (int)(draw % 130), (int)(draw / 2 % 200));
	for (int family = 0; family < FAMILY_COUNT; family++) {
		const double size = 1e3 * (1 + draw % 1000) * (family + 1);
		const double rate = machine_find_rate(
			machine, (enum machine_side)(draw % MACHINE_SIDES), (enum family)family,
			(draw & 1) != 0 ? ELEMENT_Z : ELEMENT_C, size, (int)(draw % 300));
		FUZZ_CHECK(rate >= 1 && rate <= 1e60);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct machine machine;
	char *text = fuzz_copy_text(data, size);
	if (read_profile(text, &machine)) {
		check_written(&machine);
		check_rates(&machine, size == 0 ? 0 : data[size / 2] * 257u);
	}
	free(text);
	return 0;
}
