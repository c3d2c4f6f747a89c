/* sfen.h: positions as text, the SFEN of USI.
 *
 * "BOARD SIDE HANDS [PLY]" or the word "startpos". A missing ply or ply 0 counts as 1. Kings may be
 * missing. Stateless; safe from every thread. */
#ifndef KMD_RULES_SFEN_H
#define KMD_RULES_SFEN_H

#include "base/str.h"
#include "rules/position.h"
#include "rules/types.h"

#define SFEN_START "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

/* Reads text into *setup; accepts "startpos", and words separated by _ as in addresses. On failure
 * *setup is unchanged, and *column (may be NULL) is the column of the fault in text, from 1. */
KmdError sfen_read(StrView text, Setup *setup, int *column) MUST_CHECK;

/* Like sfen_read, but fills *setup even if the error is KMD_ERROR_SFEN_NIFU or
 * KMD_ERROR_SFEN_DEAD_PIECE, provided that setup_is_playable. */
KmdError sfen_read_playable(StrView text, Setup *setup, int *column) MUST_CHECK;

/* Appends the SFEN with all four fields; black's hand comes first, each hand in the order R B G S N
 * L P. */
void sfen_write(const Setup *setup, StrBuf *out);

/* Like sfen_read, but sets up a position without history. On failure the position is unchanged. */
KmdError pos_set_sfen(Position *pos, StrView text, int *column) MUST_CHECK;

/* Appends the SFEN of the current position. */
void pos_get_sfen(const Position *pos, StrBuf *out);

/* A short English phrase for an error. Static storage. */
const char *sfen_error_text(KmdError error);

/* True if the word looks like the board of an SFEN, that is, pieces and numbers with eight slashes
 * between them. No file has such a name. */
bool sfen_is_board(StrView word);

/* The SFEN letter of a type's unpromoted form, upper case: 'P' for PAWN and PRO_PAWN. */
char sfen_letter(PieceType type);

/* The piece type of an SFEN letter in upper or lower case; NO_PIECE_TYPE if the letter has none. */
PieceType sfen_type(char letter);

#endif
