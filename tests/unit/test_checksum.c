#include "base/checksum.h"
#include "unit.h"

/* The check value of the catalogue of parametrised CRC algorithms, and the empty text. */
static void test_crc32(void) {
    CHECK_INT(checksum_crc32("123456789", 9), 0xCBF43926);
    CHECK_INT(checksum_crc32("", 0), 0);
    CHECK(checksum_crc32("12345678", 8) != checksum_crc32("12345679", 8));
}

/* The values are test vectors from the web page of the hash's authors. */
static void test_fnv(void) {
    CHECK(checksum_fnv(CHECKSUM_FNV_START, "", 0) == 0xCBF29CE484222325);
    CHECK(checksum_fnv(CHECKSUM_FNV_START, "a", 1) == 0xAF63DC4C8601EC8C);
    CHECK(checksum_fnv(CHECKSUM_FNV_START, "foobar", 6) == 0x85944171F73967E8);
    uint64_t half = checksum_fnv(CHECKSUM_FNV_START, "foo", 3);
    CHECK(checksum_fnv(half, "bar", 3) == 0x85944171F73967E8);
}

UNIT_MAIN({"crc32", test_crc32}, {"fnv", test_fnv})
