/* fuzz_bod.c: reads any bytes as a record in the format bod. */
#include "record_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return record_target("bod", data, size);
}
