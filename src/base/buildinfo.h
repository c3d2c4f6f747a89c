/* buildinfo.h: the compiler and the target that this program was built with and for.
 *
 * The text contains no date and no path, so that the same sources and compiler give the same
 * program. No state: safe from every thread. */
#ifndef KMD_BASE_BUILDINFO_H
#define KMD_BASE_BUILDINFO_H

/* One line of text such as "gcc 12.2.0, Linux, x86-64-v3". Static storage. */
const char *buildinfo_text(void);

#endif
