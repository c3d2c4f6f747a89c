/* usi_format.h: results to USI lines. Pure: appends to a buffer, without line ends, ASCII only.
 * Safe from every thread. */
#ifndef KMD_USI_USI_FORMAT_H
#define KMD_USI_USI_FORMAT_H

#include "base/cmdline.h"
#include "engine/matetask.h"
#include "search/sinfo.h"

struct Position;

/* info depth 9 seldepth 15 multipv 1 score cp 31 nodes 70000 nps 900000 hashfull 3 time 78 pv ...
 * The bound word follows the score and never right before pv. */
void usi_format_info(const SearchInfo *info, StrBuf *out);

/* info depth 9 nodes 70000 nps 900000 hashfull 3 time 78 */
void usi_format_progress(const SearchProgress *progress, StrBuf *out);

/* bestmove MOVE [ponder MOVE] */
void usi_format_bestmove(const SearchResult *result, StrBuf *out);

/* info depth 9 nodes 70000 nps 900000 hashfull 3 time 78 pv ...: where a mate search is just now.
 */
void usi_format_mate_info(const MateInfo *info, StrBuf *out);

/* checkmate MOVES, checkmate nomate, checkmate timeout */
void usi_format_checkmate(const MateAnswer *answer, StrBuf *out);

/* option name NAME type ... */
void usi_format_option(const ArgOption *option, StrBuf *out);

/* cp N, or mate N in plies, negative for the side that is mated. "mate -0" where it is mated
 * already, as Shogidokoro has it. */
void usi_format_score(Score score, StrBuf *out);

/* The board as a picture, both hands, SFEN and key: several lines, no line end after the last. */
void usi_format_board(const struct Position *pos, StrBuf *out);

#endif
