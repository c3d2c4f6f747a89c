/* usen.h: USEN, the short form of Shogi Playground for addresses in the web: a start position,
 * three characters per move, and variations. */
#ifndef KMD_KIFU_USEN_H
#define KMD_KIFU_USEN_H

#include "kifu/codec.h"

/* Reader and writer of the codec; see Codec. */
bool usen_read(StrView text, Record *record, KmdFault *error);
void usen_write(const Record *record, TextEncoding encoding, StrBuf *out);

#endif
