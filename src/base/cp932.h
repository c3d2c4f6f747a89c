/* cp932.h: the characters of Microsoft's code page 932 (Shift_JIS with NEC's and IBM's additions).
 * A constant table; used by textenc only. */
#ifndef KMD_BASE_CP932_H
#define KMD_BASE_CP932_H

#include <stdint.h>

/* Rows 0 to 93 are rows 1 to 94 of JIS X 0208 (lead bytes 0x81 to 0xEF, two rows each); rows 94 to
 * 99 belong to the lead bytes 0xFA to 0xFC. */
enum { CP932_JIS_ROW_NB = 94, CP932_ROW_NB = 100, CP932_COLUMN_NB = 94 };

/* The Unicode character of each place, all below U+10000; 0 or a space where there is none. */
extern const uint16_t cp932_table[CP932_ROW_NB][CP932_COLUMN_NB];

#endif
