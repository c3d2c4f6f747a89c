#include "base/cpu.h"
#include "unit.h"

/* The detected features include the instructions that this program was compiled for. */
static void test_finds_what_it_was_built_for(void) {
    uint32_t features = cpu_features();
#if defined(__AVX2__)
    CHECK((features & CPU_AVX2) != 0);
#endif
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512DQ__)
    CHECK((features & CPU_AVX512) != 0);
#endif
#if defined(__AVX512VNNI__)
    CHECK((features & CPU_VNNI) != 0);
#endif
#if defined(__ARM_NEON)
    CHECK((features & CPU_NEON) != 0);
#endif
    CHECK((features & CPU_VNNI) == 0 || (features & CPU_AVX512) != 0);
    CHECK(features == cpu_features());
}

static void test_cores(void) {
    CHECK(cpu_cores() >= 1);
}

UNIT_MAIN({"the features built for are found", test_finds_what_it_was_built_for},
          {"there is a processor", test_cores})
