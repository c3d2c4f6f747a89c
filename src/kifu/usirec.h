/* usirec.h: records as engines speak: a line of USI ("position startpos moves 7g7f ..."), a bare
 * SFEN, or an SFEN with EPD operations as in test suites. One game per line. */
#ifndef KMD_KIFU_USIREC_H
#define KMD_KIFU_USIREC_H

#include "kifu/codec.h"

extern const Codec usi_codec;
extern const Codec sfen_codec; /* writes the position at the end of the main line */
extern const Codec epd_codec;  /* writes the start position with operations */

#endif
