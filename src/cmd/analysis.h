/* analysis.h: what the engine thinks of each position of a game's main line, what that says of the
 * moves, and both as comments in the record.
 *
 * Plain data and text; no search happens here. One thread. */
#ifndef KMD_CMD_ANALYSIS_H
#define KMD_CMD_ANALYSIS_H

#include "kifu/kifuio.h"
#include "search/score.h"

enum { ANALYSIS_PV = 16 };

/* One position. The score is black's view, as players of both sides read it. */
typedef struct Judgement {
    bool is_known;
    Score score;
    int depth;
    uint64_t nodes;
    int pv_len;
    Move pv[ANALYSIS_PV];
} Judgement;

/* at[i] is the position after i moves; node[i] is its node in the record. */
typedef struct Analysis {
    const Record *record;
    int count; /* moves + 1 */
    Judgement *at;
    int *node;
} Analysis;

/* How bad a move is, by what it costs of the chance to win. */
typedef enum Mistake { MISTAKE_NONE, MISTAKE_DUBIOUS, MISTAKE_BAD, MISTAKE_BLUNDER } Mistake;

/* For the main line of a record, which must outlive it; nothing is known yet. */
void analysis_init(Analysis *analysis, const Record *record);
void analysis_free(Analysis *analysis);

/* Black's chance to win in percent, 0 to 100, by a logistic curve: 600 centipawns are 73 %. */
double analysis_percent(Score black_score);

/* The side whose move led to position i, which is from 1. */
Color analysis_mover(const Analysis *analysis, int i);

/* What the move that led to position i cost its side, in percent of winning chances, at least 0; 0
 * when it is what the engine wanted or one of the two positions is not known. */
double analysis_cost(const Analysis *analysis, int i);
Mistake analysis_mistake(const Analysis *analysis, int i);

/* Writes the judgements into `record` (the analysed one or a copy of it) as comments, in place of
 * those of an earlier analysis. In CSA's form they are as on floodgate, below a mark of ours:
 * "komadori depth 14", "* 123 +7776FU -3334FU"; else "評価値=123 深さ=14 読み筋=▲７六歩△３四歩" and
 * a line on a mistake. */
void analysis_comment(const Analysis *analysis, bool is_csa, Record *record);

#endif
