/* usi.h: the conversation with a client in the USI protocol, and the only reader of stdin.
 *
 * docs/usi.md tells what each command and option does. The thread that calls usi_run
 * obeys, another one reads; answers of a search come from the search's threads. */
#ifndef KMD_USI_USI_H
#define KMD_USI_USI_H

#include "base/str.h"
#include "engine/matetask.h"
#include "engine/options.h"
#include "rules/usimove.h"
#include "search/sinfo.h"
#include "usi/command.h"

struct Position;

/* What a session is made of. */
typedef struct UsiConfig {
    int in_fd;
    int out_fd;
    const Command *const *commands; /* besides the protocol's own; ends with NULL */
} UsiConfig;

/* Talks until quit or the end of the input. Returns the exit status of the program. */
int usi_run(const UsiConfig *config);

/* What usi_run_line returns for a command that does not exist. */
enum { USI_UNKNOWN = -1 };

/* Does one command line as if it had been read, waits for its end, and returns the exit status of
 * the program. Reads no input. */
int usi_run_line(const UsiConfig *config, StrView line);

/* In usi_parse.c: USI command lines to plain data. Pure: nothing here prints or keeps state, and no
 * input whatever does more than return a fault. Safe from every thread. */

/* The arguments of `go` or of `ponderhit`. Always gives usable limits: unknown words are skipped,
 * negative times count as 0, and of a parameter whose value is no number only *fault tells (the
 * first one). A line that asks for nothing is infinite; one that asks for nothing but by mistake
 * gets a short time, so that it is answered; one without any known word is nonsense. */
void usi_parse_go(StrView args, GoLimits *limits, UsiFault *fault);

/* The arguments of `setoption`: name NAME [value VALUE]; VALUE is the rest of the line and may be
 * empty. False when there is no name. */
bool usi_parse_setoption(StrView args, StrView *name, StrView *value) MUST_CHECK;

/* In usi_format.c: results to USI lines. Pure: appends to a buffer, without line ends, ASCII only.
 */

/* info depth 9 seldepth 15 multipv 1 score cp 31 nodes 70000 nps 900000 hashfull 3 time 78 pv ...
 * The bound word stands right behind the score and never right before pv. */
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
void usi_format_option(const OptionSpec *spec, StrBuf *out);

/* cp N, or mate N in plies, negative for the side that is mated. "mate -0" where it is mated
 * already, as Shogidokoro has it. */
void usi_format_score(Score score, StrBuf *out);

/* The board as a picture, both hands, SFEN and key: several lines, no line end after the last. */
void usi_format_board(const struct Position *pos, StrBuf *out);

#endif
