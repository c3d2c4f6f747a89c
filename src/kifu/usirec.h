/* usirec.h: records as engines speak: a line of USI ("position startpos moves 7g7f ..."), a bare
 * SFEN, or an SFEN with EPD operations as in test suites. One game per line. */
#ifndef KMD_KIFU_USIREC_H
#define KMD_KIFU_USIREC_H

#include "kifu/codec.h"

/* The reader is the same for all three; see Codec. sfen_codec_write writes a line of USI where
 * there are moves, as GUIs do in a file of that name, and else the position; epd_write writes the
 * position at the end of the main line with operations. */
bool usi_read(StrView text, Record *record, KmdFault *error);
void usi_write(const Record *record, TextEncoding encoding, StrBuf *out);
void sfen_codec_write(const Record *record, TextEncoding encoding, StrBuf *out);
void epd_write(const Record *record, TextEncoding encoding, StrBuf *out);

#endif
