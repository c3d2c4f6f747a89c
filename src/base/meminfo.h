/* meminfo.h: how much memory the system can spare. No state: safe from every thread. */
#ifndef KMD_BASE_MEMINFO_H
#define KMD_BASE_MEMINFO_H

#include <stddef.h>

/* About how many bytes the process can still take without driving the system, or the group of
 * processes it is confined to, out of memory; SIZE_MAX where the system does not say. */
size_t meminfo_available(void);

#endif
