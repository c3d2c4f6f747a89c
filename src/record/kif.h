/* kif.h: KIF and KI2, the formats of Kakinoki's program, and BOD, a diagram with their headers. The
 * codecs are constants: safe from every thread. */
#ifndef KMD_RECORD_KIF_H
#define KMD_RECORD_KIF_H

#include "record/codec.h"

extern const Codec kif_codec, ki2_codec, bod_codec;

/* Reads a closing line such as "まで80手で後手の勝ち" as an ending, given the side to move;
 * KMD_END_NONE if it is not understood, or names a winner for which there is no such ending, as
 * 先手の勝ち with 先手 to move. */
KmdEnding kif_ending_of_closing(StrView line, Color to_move);

#endif
