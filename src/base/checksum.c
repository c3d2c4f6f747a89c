/* checksum.c: CRC-32, four bits at a time with a table of 16 entries, and 64-bit FNV-1a. */
#include "base/checksum.h"

/* Processes four bits at a time: the table then fits one cache line, and the speed is sufficient,
 * because decoding the blocks takes far longer. */
uint32_t checksum_crc32(const void *bytes, size_t len) {
    static const uint32_t table[16] = {0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC,
                                       0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
                                       0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                       0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};
    const unsigned char *at = bytes;
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < len; i++) {
        crc ^= at[i];
        crc = table[crc & 15] ^ crc >> 4;
        crc = table[crc & 15] ^ crc >> 4;
    }
    return ~crc;
}

uint64_t checksum_fnv(uint64_t hash, const void *bytes, size_t len) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < len; i++) {
        hash = (hash ^ at[i]) * (uint64_t)0x100000001B3;
    }
    return hash;
}
