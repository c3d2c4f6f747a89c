/* fuzz_usirec.c: reads any bytes as a record in the formats usi, sfen and epd, which share a
 * reader. */
#include "record_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return record_target("usi", data, size);
}
