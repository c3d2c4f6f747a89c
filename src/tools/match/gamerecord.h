/* gamerecord.h: a finished game as a record of any format of src/kifu, for people and other
 * programs. No state. */
#ifndef KMD_MATCH_GAMERECORD_H
#define KMD_MATCH_GAMERECORD_H

#include "base/str.h"
#include "kifu/kifuio.h"
#include "tools/match/gameresult.h"

/* Who played, and the game as it stands on the board at its end. */
typedef struct GameSheet {
    const char *black;
    const char *white;
    const char *event; /* NULL: not told, as the next */
    const char *site;
    const Position *pos; /* with all moves since the set-up, the opening's first */
    const GameResult *result;
} GameSheet;

/* Appends the game with names, times, the players' scores for black, ending and, for faults
 * and adjudications, a comment. */
void gamerecord_write(const GameSheet *sheet, const KifuForm *form, StrBuf *out);

#endif
