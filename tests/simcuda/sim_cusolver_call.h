/* sim_cusolver_call.h - a call of cuSOLVER on its way from the checks to the kernel */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_CUSOLVER_CALL_H
#define SIMCUDA_SIM_CUSOLVER_CALL_H

#include "sim_cusolver_handle.h"
#include "sim_solver.h"

/* Sizes of the two workspaces. */
struct sim_cusolver_room {
	size_t device_bytes, host_bytes;
};

/* What a kernel costs: operations on real numbers, bytes that move, columns that wait. */
struct sim_cusolver_cost {
	enum simcuda_solver kind;
	double flops, moved_bytes, columns;
};

struct sim_cusolver_call;

/* Properties that all calls of one routine share. */
struct sim_cusolver_routine {
	bool (*compute)(struct sim_solver *work);
	struct sim_cusolver_room (*room)(const struct sim_cusolver_call *call);
	struct sim_cusolver_cost (*cost)(const struct sim_solver *work);
	bool has_params;  /* takes parameters, and the type to compute in */
	bool own_room;    /* the handle's workspace serves */
	bool blocks;      /* the host waits for the result */
	bool has_no_info; /* nothing says on the device how it ended */
	bool finds_pivots;
};

/* What happens to an operand. */
enum sim_cusolver_use {
	SIM_READ = 1,
	SIM_WRITTEN = 2,
	SIM_RUINED = 4,          /* holds garbage afterwards */
	SIM_TRIANGLE_RUINED = 8, /* its other triangle does */
	SIM_REST_RUINED = 16,    /* what lies behind the values that were found does */
};

/* rows x columns elements of `bytes` each in device memory. */
struct sim_cusolver_operand {
	size_t field; /* in struct sim_solver, of the pointer to it */
	int use;
	int64_t rows, columns, ld;
	size_t bytes;
	int64_t unused; /* first rows that are neither read nor written */
};

enum { SIM_CUSOLVER_OPERANDS = 5 };

/*
 * A call as the program made it; also the arguments of the kernel. The pointers of `work` are the
 * program's.
 */
struct sim_cusolver_call {
	const struct sim_cusolver_routine *routine;
	struct sim_solver work;
	struct sim_cusolver_operand operands[SIM_CUSOLVER_OPERANDS];
	int operand_count;
	bool valid; /* what only the routine knows of its arguments */
	int algorithm;
	void *device_buffer, *host_buffer;
	struct sim_cusolver_room given; /* by the program */
	int *info;
	/* Results in host memory, of calls that block; each may be NULL. */
	int64_t *found;
	int *narrow_found;
	double *error_sigma;
};

/* The element of a type, 0: it is none. That of its real parts. */
char sim_cusolver_element(int type);
char sim_cusolver_real(char element);

/*
 * Add an operand of the call's element, or a vector of other elements; one without elements is
 * none. field: in struct sim_solver, of the pointer to it. Note whether the leading dimension will
 * do.
 */
void sim_cusolver_add_matrix(struct sim_cusolver_call *call, size_t field, int use, int64_t rows,
                             int64_t columns, int64_t ld);
void sim_cusolver_add_vector(struct sim_cusolver_call *call, size_t field, int use, int64_t count,
                             size_t bytes);
#define SIM_FIELD(name) offsetof(struct sim_solver, name)

/* The workspaces and the place of info that the program gives. */
void sim_cusolver_give(struct sim_cusolver_call *call, void *device_buffer, size_t device_bytes,
                       void *host_buffer, size_t host_bytes, int *info);

/* Answers a _bufferSize: checks what needs no data, and writes the sizes. */
int sim_cusolver_measure(int name, void *handle, void *params, struct sim_cusolver_call *call,
                         size_t *device_bytes, size_t *host_bytes);
/* The same for functions of one element, which count it in elements. */
int sim_cusolver_measure_elements(int name, void *handle, struct sim_cusolver_call *call,
                                  int *count);
/* Of a workspace on the device in elements. */
void sim_cusolver_give_elements(struct sim_cusolver_call *call, void *work, int count, int *info);
bool sim_cusolver_has_uplo(int uplo);
/* Checks, queues the kernel, and waits for it where the routine does. */
int sim_cusolver_submit(int name, void *handle, void *params, struct sim_cusolver_call *call);

#endif
