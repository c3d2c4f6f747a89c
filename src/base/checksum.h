/* checksum.h: checksums against accidental damage; not cryptographic. No state: safe from every
 * thread. */
#ifndef KMD_BASE_CHECKSUM_H
#define KMD_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* The CRC-32 of zip and Ethernet (polynomial 0x04C11DB7, reflected). */
uint32_t checksum_crc32(const void *bytes, size_t len);

/* The 64-bit FNV-1a hash (Fowler, Noll, Vo). Continues from `hash`, which is CHECKSUM_FNV_START for
 * the first bytes. */
uint64_t checksum_fnv(uint64_t hash, const void *bytes, size_t len);

#define CHECKSUM_FNV_START ((uint64_t)0xCBF29CE484222325)

#endif
