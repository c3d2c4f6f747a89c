/* cpu.c: asks the processor and the system for instruction sets and the number of cores. */
#include "base/cpu.h"

#include <string.h>

#include "base/base.h"
#include "base/system.h"

#if defined(__x86_64__)
#include <cpuid.h>

/* The name is returned by three calls of cpuid, 16 bytes each. Some names begin with spaces. */
const char *cpu_name(char text[CPU_NAME_SIZE]) {
    unsigned parts[12] = {0};
    for (unsigned i = 0; i < 3; i++) {
        unsigned *part = parts + 4 * i;
        if (!__get_cpuid(0x80000002U + i, &part[0], &part[1], &part[2], &part[3])) {
            memset(parts, 0, sizeof(parts));
            break;
        }
    }
    memcpy(text, parts, sizeof(parts));
    text[CPU_NAME_SIZE - 1] = '\0';
    return text + strspn(text, " ");
}

uint32_t cpu_features(void) {
    uint32_t features = 0;
    if (__builtin_cpu_supports("avx2")) {
        features |= CPU_AVX2;
    }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
        features |= CPU_AVX512;
        if (__builtin_cpu_supports("avx512vnni")) {
            features |= CPU_VNNI;
        }
    }
    return features;
}

#else

const char *cpu_name(char text[CPU_NAME_SIZE]) {
    text[0] = '\0';
    return text;
}

#if defined(__aarch64__)
#define FEATURES CPU_NEON
#else
#define FEATURES 0
#endif

uint32_t cpu_features(void) {
    return FEATURES;
}

#endif

int cpu_cores(void) {
    return int_max(system_cores(), 1);
}
