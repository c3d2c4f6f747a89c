/* ki2.h: KI2, the format for people (.ki2): ▲７六歩 △３四歩 …, with the words of the Japanese
 * notation instead of origins, without times. */
#ifndef KMD_KIFU_KI2_H
#define KMD_KIFU_KI2_H

#include "kifu/codec.h"

/* Reader and writer of the codec; see Codec. */
bool ki2_read(StrView text, Record *record, KmdFault *error);
void ki2_write(const Record *record, TextEncoding encoding, StrBuf *out);

#endif
