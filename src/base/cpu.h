/* cpu.h: the features of the processor, detected at run time.
 *
 * No state: safe from every thread. A caller that wants to use fewer features, such as a test of
 * one kernel, clears bits of the set before passing it on. */
#ifndef KMD_BASE_CPU_H
#define KMD_BASE_CPU_H

#include <stdint.h>

/* Bits of a set of features. A bit is set if the processor has the instructions and the operating
 * system saves the registers they use. */
enum {
    CPU_AVX2 = 1 << 0,
    CPU_AVX512 = 1 << 1, /* F, BW, VL and DQ together */
    CPU_VNNI = 1 << 2,   /* the AVX-512 form, for vectors of every length */
    CPU_NEON = 1 << 3,   /* AArch64 Advanced SIMD */
};

/* The features of this processor. */
uint32_t cpu_features(void);

/* Writes the processor's name, such as "AMD EPYC 9654 96-Core Processor", to `text` and returns
 * `text`. The name is empty if unknown. */
enum { CPU_NAME_SIZE = 49 };
const char *cpu_name(char text[CPU_NAME_SIZE]);

/* The number of processors that this process may run on, at least 1. */
int cpu_cores(void);

#endif
