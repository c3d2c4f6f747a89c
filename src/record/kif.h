/* kif.h: KIF, the format of Kakinoki's program that most programs use: a head, then numbered moves
 * with origins and times, and variations after the main line. The codec is a constant: safe from
 * every thread. */
#ifndef KMD_RECORD_KIF_H
#define KMD_RECORD_KIF_H

#include "record/codec.h"

/* For .kif files in Shift_JIS and .kifu files in UTF-8. */
extern const Codec kif_codec;

#endif
