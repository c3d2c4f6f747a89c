/* commands.h: the commands of the engine program besides those of the protocol, in one table, and
 * what several of them share. */
#ifndef KMD_CMD_COMMANDS_H
#define KMD_CMD_COMMANDS_H

#include "base/str.h"
#include "data/packed.h"
#include "engine/engine.h"
#include "kifu/record.h"
#include "mate/matecheck.h"
#include "usi/command.h"

struct Position;

extern const Command cmd_perft;
extern const Command cmd_bench;
extern const Command cmd_mate;
extern const Command cmd_hisshi;
extern const Command cmd_analyze;
extern const Command cmd_eval;
extern const Command cmd_net;
extern const Command cmd_data;
extern const Command cmd_gendata;
extern const Command cmd_book;

/* The SFENs that bench searches, the lines of bench/positions.sfen; ends with NULL. Compiled in by
 * the Makefile, so that the program works from any directory. */
extern const char *const bench_positions[];

/* All of them; ends with NULL. */
const Command *const *commands_table(void);

enum { COMMANDS_UNKNOWN = -1 };

/* Runs the command that the first word names, with results on standard output and faults on
 * stderr. Returns the program's exit status, or COMMANDS_UNKNOWN. */
int commands_run(Args args);

/* Gives the engine the table and threads that a user asks for, which are within the ranges of
 * USI_Hash and Threads. False when the system has less; it has been said. */
bool commands_prepare(const CommandContext *context, Engine *engine,
                      EngineResources wanted) MUST_CHECK;

/* In datastats.c: what is in files of training games: ends, phases, scores, kings, rooks,
 * reversals, duplicates; as text and as a picture. On the command's own thread. */

typedef struct DataStats DataStats;

DataStats *datastats_create(void);
void datastats_free(DataStats *stats);

/* Counts a game and its positions. */
void datastats_add(DataStats *stats, const PackedGame *game);

/* Appends lines of text, and an SVG picture. */
void datastats_print(const DataStats *stats, StrBuf *out);
void datastats_draw(const DataStats *stats, StrBuf *out);

/* In matekif.c: the solution of a mate or brinkmate problem as a record with variations.
 *
 * Reads what has been replayed; plain functions for one thread. */

/* What is to be written down. */
typedef struct MateSolution {
    const struct Position *pos; /* the problem */
    const MateChecker *proof;
    int level;        /* brink.h; 0: a mate */
    const Move *line; /* the main line, len moves */
    int len;
} MateSolution;

/* Fills a record: the main line, and beside each of its answers the others, each with the longest
 * defence that follows. Behind a quiet move every answer of every variation is there, down to the
 * mates, and a comment tells the threat. Stops at some hundred thousand moves. */
void matekif_build(const MateSolution *solution, Record *record);

#endif
