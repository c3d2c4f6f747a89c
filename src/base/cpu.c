#include "base/cpu.h"

#include "base/base.h"

#if defined(__linux__)
#include <sched.h>
#elif defined(_WIN32)
#include <pthread.h>
#else
#include <unistd.h>
#endif

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

#if defined(__linux__)

int cpu_cores(void) {
    cpu_set_t allowed;
    /* Fails on machines with more processors than a cpu_set_t has bits. */
    if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) {
        return CPU_SETSIZE;
    }
    return int_max(CPU_COUNT(&allowed), 1);
}

#elif defined(_WIN32)

int cpu_cores(void) {
    return int_max(pthread_num_processors_np(), 1);
}

#else

int cpu_cores(void) {
    return int_max((int)sysconf(_SC_NPROCESSORS_ONLN), 1);
}

#endif
