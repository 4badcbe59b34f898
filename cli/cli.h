/* cli.h - what the commands of the tool share */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_H
#define GPUSHIM_CLI_CLI_H

enum cli_status {
	CLI_FINE = 0,
	CLI_DIFFERENT = 1, /* also: the GPU cannot be used */
	CLI_USAGE = 2,
	CLI_NOT_RUN = 3,
	CLI_SLOWER = 4 /* of compare --fail-if-slower */
};

/* Each serves one command; words are what follows its name, ended by NULL. Returns the exit status. */
int cli_run_serve(char **words);
int cli_calibrate_serve(char **words);
int cli_compare_serve(char **words);
int cli_coverage_serve(char **words);
int cli_doctor_serve(char **words);
int cli_explain_serve(char **words);
int cli_report_serve(char **words);
int cli_show_serve(char **words);
int cli_top_serve(char **words);
int cli_tune_serve(char **words);

#endif
