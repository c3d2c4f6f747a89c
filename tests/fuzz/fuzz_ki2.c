/* fuzz_ki2.c: reads any bytes as a record in the format ki2. */
#include "record_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return record_target("ki2", data, size);
}
