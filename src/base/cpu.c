#include "base/cpu.h"

#include "base/base.h"
#include "base/system.h"

#if defined(__x86_64__)

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

#elif defined(__aarch64__)

uint32_t cpu_features(void) {
    return CPU_NEON;
}

#else

uint32_t cpu_features(void) {
    return 0;
}

#endif

int cpu_cores(void) {
    return int_max(system_cores(), 1);
}
