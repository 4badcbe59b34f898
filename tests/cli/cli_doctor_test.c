/* cli_doctor_test.c - the doctor's remedies for machines without a driver; words for a shell */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/doctor/doctor_remedy.h"
#include "cli/doctor/doctor_shell.h"

static int failures;

static void expect_text(const char *got, const char *want)
{
	if (got == NULL ? want == NULL : want != NULL && strcmp(got, want) == 0)
		return;
	printf("is:\n%s\nand should be:\n%s\n", got != NULL ? got : "nothing",
	       want != NULL ? want : "nothing");
	failures++;
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
		perror(path);
		exit(1);
	}
}

/* root: stands for / in all that is read of the system. */
static void check_remedy(const char *system, struct doctor_driver driver, const char *want)
{
	static struct doctor doctor;
	char *words[] = {"./my program", "-n", "it's", NULL};
	doctor.words = words;
	doctor.driver = driver;
	mkdir("root", 0700);
	mkdir("root/etc", 0700);
	write_file("root/etc/os-release", system);
	cuda_devices_set_root("root");
	struct doctor_remedy remedy = doctor_remedy_find_driver(&doctor);
	expect_text(remedy.command, want);
	free(remedy.command);
}

static void check_remedies(void)
{
	static const char debian[] = "NAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\nID=debian\n";
	const struct doctor_driver none = {0}, card = {.has_card = true},
				   module = {.has_card = true, .has_module = true},
				   contained = {.has_card = true, .is_contained = true};
	check_remedy(debian, card, "sudo apt install nvidia-driver firmware-misc-nonfree");
	check_remedy(debian, module, "sudo apt install libcuda1");
	check_remedy("ID=ubuntu", card, "sudo ubuntu-drivers install");
	check_remedy("ID=ubuntu-like\nID_LIKE=debian\n", card, NULL);
	check_remedy(debian, contained, "docker run --gpus all IMAGE './my program' -n 'it'\\''s'");
	setenv("APPTAINER_CONTAINER", "/images/a b.sif", 1);
	check_remedy(debian, contained,
	             "apptainer exec --nv '/images/a b.sif' './my program' -n 'it'\\''s'");
	unsetenv("APPTAINER_CONTAINER");
	setenv("PATH", "bin", 1);
	check_remedy(debian, none, "tool compare -- './my program' -n 'it'\\''s'");
	mkdir("bin", 0700);
	write_file("bin/srun", "a program");
	check_remedy(debian, none, "tool compare -- './my program' -n 'it'\\''s'");
	chmod("bin/srun", 0700);
	check_remedy(debian, none, "srun --gpus=1 tool doctor -- './my program' -n 'it'\\''s'");
}

static void check_quotes(void)
{
	static const char *const words[][2] = {
		{"plain-1.0_a/b:c,d@e%f+g", "plain-1.0_a/b:c,d@e%f+g"},
		{"", "''"},
		{"~", "'~'"},
		{"a=b", "'a=b'"},
		{"$(x) `y`", "'$(x) `y`'"},
		{"'", "''\\'''"},
		{"a\nb", "'a\nb'"},
	};
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		char *quoted = doctor_shell_quote(words[i][0]);
		expect_text(quoted, words[i][1]);
		free(quoted);
	}
}

int main(void)
{
	char folder[] = "doctor_test.XXXXXX";
	program_invocation_name = "tool";
	if (mkdtemp(folder) == NULL || chdir(folder) != 0)
		return 1;
	check_quotes();
	check_remedies();
	if (chdir("..") != 0)
		return 1;
	char *remove_all = say_text("exec /bin/rm -r %s", folder);
	if (system(remove_all) != 0)
		failures++;
	free(remove_all);
	return failures != 0;
}
