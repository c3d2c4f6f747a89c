/* usimove.h: moves as USI writes them: 7g7f, 8h2b+, P*5e. Stateless. */
#ifndef KMD_RULES_USIMOVE_H
#define KMD_RULES_USIMOVE_H

#include "base/str.h"
#include "rules/types.h"

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

#endif
