/* usi_text.h: the text of the USI protocol in both directions: parses the arguments of commands
 * into plain data, and formats results as lines.
 *
 * Nothing here prints or keeps state. Bad input only returns an error. Lines are appended to a
 * buffer in ASCII, without line ends. Safe from every thread. */
#ifndef KMD_ENGINE_USI_TEXT_H
#define KMD_ENGINE_USI_TEXT_H

#include "base/cmdline.h"
#include "engine/matetask.h"
#include "rules/usimove.h"
#include "search/search.h"

struct Position;

/* ---- parsing --------------------------------------------------------------------------------- */

/* Parses the arguments of `go` or `ponderhit`. The limits are always usable: unknown words are
 * skipped, negative times count as 0, and a parameter without a valid number only sets *fault (the
 * first error). A line without limits gets `usual_ms` as its time or, if that is 0, is infinite. If
 * a line has no limits because of an error, it gets a short time, so that the search answers. A
 * line without any known word sets fault->is_nonsense. */
void usi_parse_go(StrView args, int64_t usual_ms, GoLimits *limits, UsiFault *fault);

/* Parses the arguments of `setoption`: name NAME [value VALUE]. VALUE is the rest of the line.
 * VALUE may be empty; <empty> means the same. Returns false if there is no name. */
bool usi_parse_setoption(StrView args, StrView *name, StrView *value) MUST_CHECK;

/* ---- formatting ------------------------------------------------------------------------------ */

/* info depth 9 seldepth 15 multipv 1 score cp 31 nodes 70000 nps 900000 hashfull 3 time 78 pv ...
 * If the score is a bound, "lowerbound" or "upperbound" follows it directly, and never comes
 * directly before pv. */
void usi_format_info(const SearchInfo *info, StrBuf *out);

/* info depth 9 nodes 70000 nps 900000 hashfull 3 time 78 */
void usi_format_progress(const SearchProgress *progress, StrBuf *out);

/* bestmove MOVE [ponder MOVE] */
void usi_format_bestmove(const SearchResult *result, StrBuf *out);

/* info depth 9 nodes 70000 nps 900000 hashfull 3 time 78 pv ..., with the current line of a mate
 * search. */
void usi_format_mate_info(const MateInfo *info, StrBuf *out);

/* checkmate MOVES, checkmate nomate, checkmate timeout */
void usi_format_checkmate(const MateAnswer *answer, StrBuf *out);

/* option name NAME type ... */
void usi_format_option(const ArgOption *option, StrBuf *out);

/* Appends "cp N", or "mate N" with N in plies, negative if the side to move is being mated. If it
 * is already mated, appends "mate -0", as in Shogidokoro. */
void usi_format_score(Score score, StrBuf *out);

/* Appends the board as text, both hands, the SFEN and the key: several lines, without a line end
 * after the last. */
void usi_format_board(const struct Position *pos, StrBuf *out);

#endif
