/* usi_format.h: formats results as USI lines. Pure: appends to a buffer, without line ends, in
 * ASCII. Safe from every thread. */
#ifndef KMD_USI_USI_FORMAT_H
#define KMD_USI_USI_FORMAT_H

#include "base/cmdline.h"
#include "engine/matetask.h"
#include "search/sinfo.h"

struct Position;

/* info depth 9 seldepth 15 multipv 1 score cp 31 nodes 70000 nps 900000 hashfull 3 time 78 pv ... A
 * bound follows the score directly, so it never comes directly before pv. */
void usi_format_info(const SearchInfo *info, StrBuf *out);

/* info depth 9 nodes 70000 nps 900000 hashfull 3 time 78 */
void usi_format_progress(const SearchProgress *progress, StrBuf *out);

/* bestmove MOVE [ponder MOVE] */
void usi_format_bestmove(const SearchResult *result, StrBuf *out);

/* info depth 9 nodes 70000 nps 900000 hashfull 3 time 78 pv ...: the current line of a mate
 * search. */
void usi_format_mate_info(const MateInfo *info, StrBuf *out);

/* checkmate MOVES, checkmate nomate, checkmate timeout */
void usi_format_checkmate(const MateAnswer *answer, StrBuf *out);

/* option name NAME type ... */
void usi_format_option(const ArgOption *option, StrBuf *out);

/* cp N, or mate N in plies, negative if the side to move is being mated. "mate -0" if it already is
 * mated, as in Shogidokoro. */
void usi_format_score(Score score, StrBuf *out);

/* The board as text, both hands, SFEN and key: several lines, without a line end after the last. */
void usi_format_board(const struct Position *pos, StrBuf *out);

#endif
