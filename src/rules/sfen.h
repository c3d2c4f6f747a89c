/* sfen.h: positions as text, the SFEN of USI.
 *
 * "BOARD SIDE HANDS [PLY]"; the word "startpos"; a missing ply or ply 0 counts as 1. Kings may be
 * missing. Stateless and safe from every thread. */
#ifndef KMD_RULES_SFEN_H
#define KMD_RULES_SFEN_H

#include "base/str.h"
#include "rules/position.h"
#include "rules/types.h"

#define SFEN_START "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

/* Reads text into *setup. On failure *setup is left alone, and *column (may be NULL) is the place
 * of the fault in text, counted from 1. Accepts "startpos". */
KmdError sfen_read(StrView text, Setup *setup, int *column) MUST_CHECK;

/* As sfen_read, but with KMD_ERROR_SFEN_NIFU and KMD_ERROR_SFEN_DEAD_PIECE *setup is filled all the
 * same where setup_is_playable. */
KmdError sfen_read_playable(StrView text, Setup *setup, int *column) MUST_CHECK;

/* Appends the SFEN with all four fields; hands in the order R B G S N L P, black first. */
void sfen_write(const Setup *setup, StrBuf *out);

/* Convenience: as sfen_read, into a position, without history. On failure the
 * position is left alone. */
KmdError pos_set_sfen(Position *pos, StrView text, int *column) MUST_CHECK;

/* Appends the SFEN of the position as it stands. */
void pos_get_sfen(const Position *pos, StrBuf *out);

/* A short English phrase for an error. Static storage. */
const char *sfen_error_text(KmdError error);

/* The SFEN letter of a type's unpromoted side, upper case: 'P' for PAWN and PRO_PAWN. */
char sfen_letter(PieceType type);

/* The type of an upper- or lower-case letter, NO_PIECE_TYPE when there is none. */
PieceType sfen_type(char letter);

/* In usimove.c: moves as USI writes them: 7g7f, 8h2b+, P*5e. Stateless. */

/* Room for the longest move text and its NUL. */
enum { USI_MOVE_SIZE = 8 };

/* Reads exactly one move. MOVE_NONE when text is not of the form of a move; whether it is legal
 * anywhere is not asked. Upper-case piece letters only in drops, as USI demands. The special words
 * "resign" and "win" give MOVE_RESIGN and MOVE_WIN; "pass" and "0000" give MOVE_NULL. */
Move usimove_read(StrView text);

/* Writes the move and a NUL to out; the special moves as the words above, MOVE_NONE as "none".
 * Returns out. */
const char *usimove_write(Move move, char out[USI_MOVE_SIZE]);

void usimove_append(Move move, StrBuf *out);

/* Moves, each behind a blank. */
void usimove_append_line(const Move *line, int len, StrBuf *out);

/* What is wrong with a line. */
typedef struct UsiFault {
    const char *text; /* English phrase, static storage; NULL: nothing wrong */
    StrView word;     /* the word it is about, a part of the line; may be empty */
    int place;        /* SFEN: column from 1; moves: number of the move from 1; else 0 */
    bool is_nonsense; /* of go: no word is known, nothing was asked for */
} UsiFault;

/* Sets up what stands behind `position`: "startpos", "sfen ...", or an SFEN without that word, then
 * "moves" and moves, or no moves at all. On failure *pos is set up somehow but not as asked. */
bool usimove_position(StrView text, struct Position *pos, UsiFault *fault) MUST_CHECK;

#endif
