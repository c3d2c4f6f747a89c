/* usimove.h: moves in USI notation (7g7f, 8h2b+, P*5e), and the positions of the command
 * `position`.
 *
 * Stateless: safe from every thread. */
#ifndef KMD_RULES_USIMOVE_H
#define KMD_RULES_USIMOVE_H

#include "base/str.h"
#include "rules/types.h"

struct Position;

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

/* Appends a space and a move, for each move of the line. */
void usimove_append_line(const Move *line, int len, StrBuf *out);

/* The error in a line. */
typedef struct UsiFault {
    const char *text; /* English phrase, static storage; NULL: nothing wrong */
    StrView word;     /* the word it is about, a part of the line; may be empty */
    int place;        /* SFEN: column from 1; moves: number of the move from 1; else 0 */
    bool is_nonsense; /* of go: no word is known, nothing was asked for */
} UsiFault;

/* Sets up what follows `position`: "startpos", "sfen ...", or an SFEN without that word, then
 * "moves" and moves, or no moves at all. On failure *pos is set up somehow but not as asked. */
bool usimove_position(StrView text, struct Position *pos, UsiFault *fault) MUST_CHECK;

#endif
