/* bod.h: BOD, a single position as a diagram (.bod). Writes the end of the main line. */
#ifndef KMD_KIFU_BOD_H
#define KMD_KIFU_BOD_H

#include "kifu/codec.h"

/* Reader and writer of the codec; see Codec. */
bool bod_read(StrView text, Record *record, KmdFault *error);
void bod_write(const Record *record, TextEncoding encoding, StrBuf *out);

#endif
