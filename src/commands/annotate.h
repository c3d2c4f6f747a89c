/* annotate.h: writes the results of an analysis into the record, as comments and variations, and
 * reads such comments. The comments are those of other programs, in three styles. Pure functions.
 */
#ifndef KMD_COMMANDS_ANNOTATE_H
#define KMD_COMMANDS_ANNOTATE_H

#include "commands/analysis.h"

/* The styles of comments, named after the programs that use them. */
typedef enum AnnotateStyle {
    STYLE_SHOGIHOME, /* #評価値=123, #読み筋=▲７六歩△３四歩, #深さ=14 ..., one per line */
    STYLE_SHOGIGUI, /* *解析 0 ▲ 候補1 時間 00:01.5 深さ 14 ノード数 9 評価値 123 読み筋
                       ▲７六歩(77) */
    STYLE_FLOODGATE /* * 123 +7776FU -3334FU */
} AnnotateStyle;

/* Writes the results into `record` (the analysed record or a copy of it) as comments, which replace
 * those of an earlier analysis. If the move is a mistake, a line about it comes first. In styles
 * that do not name the engine, a line "komadori depth 14" comes first. */
void annotate_comments(const Analysis *analysis, AnnotateStyle style, Record *record);

/* Adds the better line of each mistake to the record as a variation. */
void annotate_variations(const Analysis *analysis, Record *record);

/* Reads results from the comments of the record in any of the styles, including the comments that
 * engines write during games in ShogiHome. Returns the number of positions with a result. */
int annotate_read(Analysis *analysis);

/* True if the comments contain an analysis by Komadori. */
bool annotate_is_ours(const Analysis *analysis);

/* Appends the lines of a comment that were not written by our analysis, each with its LF. */
void annotate_keep(StrView comment, StrBuf *out);

/* Appends at most `count` moves of the line that starts at the position, up to the first illegal
 * move. The position is restored. */
void annotate_append_line(Position *pos, const Move *pv, int count, AnnotateStyle style,
                          StrBuf *out);

/* Returns 30000 for a mate, as in CSA; otherwise the score itself. */
int annotate_plain_score(Score score);

#endif
