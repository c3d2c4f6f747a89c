/* buildinfo.h: what this program was compiled with and for. No date and no path: the same sources
 * and compiler give the same program. No state: safe from every thread. */
#ifndef KMD_BASE_BUILDINFO_H
#define KMD_BASE_BUILDINFO_H

/* One line such as "gcc 12.2.0, Linux, x86-64-v3". Static storage. */
const char *buildinfo_text(void);

#endif
