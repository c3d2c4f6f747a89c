/* meminfo.h: how much memory the system can spare. No state: safe from every thread. */
#ifndef KMD_BASE_MEMINFO_H
#define KMD_BASE_MEMINFO_H

#include <stddef.h>

/* Roughly how many bytes the process can still allocate before the system, or the control group of
 * the process, runs out of memory; SIZE_MAX if unknown. */
size_t meminfo_available(void);

#endif
