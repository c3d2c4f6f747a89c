/* gamerecord.h: the record of a played game, with the players' times, scores and lines. */
#ifndef KMD_PLAY_GAMERECORD_H
#define KMD_PLAY_GAMERECORD_H

#include "base/cmdline.h"
#include "play/gameresult.h"
#include "play/timecontrol.h"
#include "record/codec.h"

struct Position;

/* Where records are written, and their format. */
typedef struct GameRecordOptions {
    const char *dir; /* NULL: no records */
    const Codec *codec;
    StrView extension; /* extension of the files, without the dot; static storage */
} GameRecordOptions;

/* The keys of -records, whose places are relative to a GameRecordOptions; the last entry has no
 * name. */
extern const ArgOption gamerecord_keys[];

/* Chooses CSA if no format was given. Returns false with the reason in *error if a format was
 * given, but no folder. */
bool gamerecord_complete(GameRecordOptions *options, StrBuf *error) MUST_CHECK;

/* A game that has ended, or the part of it that has been played. */
typedef struct PlayedGame {
    const char *event, *site; /* NULL: not given */
    const char *name[COLOR_NB];
    const TimeControl *tc[COLOR_NB];
    const struct Position *pos; /* the position after the last move, with all moves since the start,
                                   including those of the opening */
    const GameResult *result;
} PlayedGame;

/* Appends the record of a game, in the format of the options: the names, the date, the time
 * control, the moves with their times and the players' scores and lines, and the ending, which gets
 * a comment after a fault or an adjudication. */
void gamerecord_append(const GameRecordOptions *options, const PlayedGame *game, StrBuf *out);

#endif
