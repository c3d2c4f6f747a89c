#include <string.h>

#include "base/buildinfo.h"
#include "unit.h"

static void test_names_what_it_was_built_for(void) {
    const char *text = buildinfo_text();
#if defined(__clang__)
    CHECK(strncmp(text, "clang ", 6) == 0);
#else
    CHECK(strncmp(text, "gcc ", 4) == 0);
#endif
#if defined(__aarch64__)
    CHECK(strstr(text, ", aarch64") != NULL);
#else
    CHECK(strstr(text, ", x86-64") != NULL);
#endif
#if defined(KMD_DEBUG)
    CHECK(strstr(text, "assertions") != NULL);
#else
    CHECK(strstr(text, "assertions") == NULL);
#endif
}

UNIT_MAIN({"compiler, system and processor are named", test_names_what_it_was_built_for})
