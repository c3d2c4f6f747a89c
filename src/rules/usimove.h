/* usimove.h: moves in USI notation (7g7f, 8h2b+, P*5e), and the positions of the `position`
 * command.
 *
 * Stateless; safe from every thread. */
#ifndef KMD_RULES_USIMOVE_H
#define KMD_RULES_USIMOVE_H

#include "base/str.h"
#include "rules/types.h"

struct Position;

/* Room for the longest move and its NUL. */
enum { USI_MOVE_SIZE = 8 };

/* Reads exactly one move. Returns MOVE_NONE if the text does not have the form of a move. Legality
 * is not checked. Drops need upper-case piece letters, as USI requires. The words "resign" and
 * "win" give MOVE_RESIGN and MOVE_WIN; "pass", "null" and "0000" give MOVE_NULL. */
Move usimove_read(StrView text);

/* Writes the move and a NUL to out, and returns out. Special moves are written as the words that
 * usimove_read accepts, MOVE_NONE as "none". */
const char *usimove_write(Move move, char out[USI_MOVE_SIZE]);

void usimove_append(Move move, StrBuf *out);

/* Appends a space and a move for each move of the line. */
void usimove_append_line(const Move *line, int len, StrBuf *out);

/* An error in a line. */
typedef struct UsiFault {
    const char *text; /* English phrase in static storage; NULL: no error */
    KmdError error;   /* of a position, what is wrong with it */
    StrView word;     /* the wrong word, as a part of the line; empty: the start of an SFEN */
    int place;        /* SFEN: column from 1; moves: number of the move from 1; otherwise 0 */
    bool is_nonsense; /* for `go`: no word is known, so nothing was requested */
} UsiFault;

/* Sets up a position: "startpos", "sfen ...", or an SFEN without the word "sfen"; each may follow
 * the word "position", and "moves" and moves may follow it, and the word of an ending after the
 * last one. A side that is not in check may also pass, to show what the other side threatens;
 * pos_has_passed tells. On failure *pos is valid but not the requested position. */
bool usimove_position(StrView text, struct Position *pos, UsiFault *fault) MUST_CHECK;

/* Like usimove_position, but accepts a start position that can be played although it breaks a rule
 * (sfen_read_playable). *note then says which, as a fault; otherwise its text is NULL. */
bool usimove_position_playable(StrView text, struct Position *pos, UsiFault *note,
                               UsiFault *fault) MUST_CHECK;

/* True for the words with which programs end the moves of a whole game: "resign", "rep_draw" and so
 * on. What they mean is in record/usirec.c. */
bool usimove_is_ending(StrView word);

/* Distinguishes a position from a file name, which may contain spaces too: a position starts with
 * `position`, `sfen`, `startpos` or a board, or has a side to move as its second word. */
bool usimove_is_position(StrView text);

#endif
