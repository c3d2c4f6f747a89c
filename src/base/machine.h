/* machine.h: the machine under the program, and what the program was built for. No state: safe from
 * every thread. */
#ifndef KMD_BASE_MACHINE_H
#define KMD_BASE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* In cpu.c: what the processor under the program can do, asked at run time. No state: safe from
 * every thread. A caller that wants less than there is (a test of one kernel, an option) masks the
 * value that it hands on: nothing asks twice. */

/* Bits of a set of features. A bit is set when the processor has the instructions and the system
 * saves their registers. */
enum {
    CPU_AVX2 = 1 << 0,
    CPU_AVX512 = 1 << 1, /* F, BW, VL and DQ together */
    CPU_VNNI = 1 << 2,   /* the AVX-512 form, for vectors of every length */
    CPU_NEON = 1 << 3,   /* AArch64 Advanced SIMD */
};

/* The features of this processor. */
uint32_t cpu_features(void);

/* The number of processors that this process may run on, at least 1. */
int cpu_cores(void);

/* In meminfo.c: how much memory the system can spare. No state: safe from every thread. */

/* About how many bytes the process can still take without driving the system, or the group of
 * processes it is confined to, out of memory; SIZE_MAX where the system does not say. */
size_t meminfo_available(void);

/* In terminal.c. True when the descriptor is a terminal that obeys escape codes, by the word in its
 * user's TERM (NULL: none). */
bool terminal_obeys_codes(int descriptor, const char *term);

/* In buildinfo.c: what this program was compiled with and for. No date and no path: the same
 * sources and compiler give the same program. */

/* One line such as "gcc 12.2.0, Linux, x86-64-v3". Static storage. */
const char *buildinfo_text(void);

#endif
