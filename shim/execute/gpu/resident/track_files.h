/* track_files.h - requests to the files of /proc that tell of the process's pages and mappings */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_TRACK_FILES_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_TRACK_FILES_H

/* Of /proc/self/pagemap: as ioctl returns it. */
int track_control_map(unsigned long request, void *argument);
/* Of /proc/self/maps: -1 also where the descriptor is another file's by now. */
int track_control_layout(unsigned long request, void *argument);

#endif
