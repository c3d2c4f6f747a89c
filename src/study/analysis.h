/* analysis.h: the engine's scores and lines for each position of a game's main line, the losses of
 * its moves, and the comments that state them in the record.
 *
 * Plain data and text; nothing here searches. One thread. */
#ifndef KMD_STUDY_ANALYSIS_H
#define KMD_STUDY_ANALYSIS_H

#include "kifu/record.h"
#include "search/sinfo.h"

enum { ANALYSIS_PV = 16, ANALYSIS_LINES = 5 };

/* A line of moves and its score, from black's point of view. */
typedef struct AnalysisLine {
    Score score;
    int pv_len;
    Move pv[ANALYSIS_PV];
} AnalysisLine;

/* One position with its lines, best first. */
typedef struct Judgement {
    int depth;
    uint64_t nodes;
    int64_t time_ms; /* time of the search; 0: unknown */
    int line_count;  /* 0: not analysed */
    AnalysisLine lines[ANALYSIS_LINES];
} Judgement;

/* Collects the lines that a search reports, until those of an iteration are complete.
 * Zero-initialise it before each search. */
typedef struct AnalysisGather {
    Judgement whole; /* all lines of the last known iteration; line_count 0: none yet */
    Judgement part;  /* the lines since the last line of rank 1 */
    bool whole_is_mixed, part_is_mixed; /* the lines come from several iterations */
} AnalysisGather;

/* Adds a line reported by the search. An interrupted search reports the move it plays from the new
 * iteration together with other lines of the last one. Scores of different depths cannot be
 * compared, so such lines are used only until better ones are known. */
void analysis_gather(AnalysisGather *gather, const SearchInfo *info);

/* The final result: the lines of one iteration, best first. */
Judgement analysis_gathered(const AnalysisGather *gather);

/* at[i] is the position after i moves; node[i] is its node in the record. */
typedef struct Analysis {
    const Record *record;
    int count;  /* number of moves + 1 */
    int scale;  /* centipawns with a winning chance of 73 %; 600 unless the engine provides another
                 */
    Color side; /* the side whose moves get comments; COLOR_NB: both */
    bool has_index; /* there is an index of games in the folder of this game's page */
    Judgement *at;
    int *node;
} Analysis;

/* How bad a move is, by the winning chances it loses. */
typedef enum Mistake { MISTAKE_NONE, MISTAKE_DUBIOUS, MISTAKE_BAD, MISTAKE_BLUNDER } Mistake;

/* Prepares the analysis of a record's main line; no position is analysed yet. The record must
 * outlive it. */
void analysis_init(Analysis *analysis, const Record *record);
void analysis_free(Analysis *analysis);

/* The best line of position i; NULL if it is not analysed. */
const AnalysisLine *analysis_line(const Analysis *analysis, int i);

/* True if the move that led to position i belongs to a side that gets comments; true for the
 * start. */
bool analysis_comments_on(const Analysis *analysis, int i);

/* Black's winning chance in per cent: 100 / (1 + exp(-score / analysis->scale)). */
double analysis_percent(const Analysis *analysis, Score black_score);

/* The side whose move led to position i (at least 1). */
Color analysis_mover(const Analysis *analysis, int i);

/* The loss by the move that led to position i, in per cent of winning chances, at least 0. It is 0
 * if the move is the engine's choice, or if either position is not analysed. */
double analysis_cost(const Analysis *analysis, int i);
Mistake analysis_mistake(const Analysis *analysis, int i);

/* The number of moves of the mate that the move leading to position i missed; 0 if it missed
 * none. */
int analysis_missed_mate(const Analysis *analysis, int i);

/* Statistics over the moves of a side that have a score before and after them. */
typedef struct AnalysisSummary {
    int moves;
    int mistakes[MISTAKE_BLUNDER + 1]; /* indexed by Mistake */
    int missed_mates;
    double loss;     /* mean loss of a move, in per cent of winning chances */
    double accuracy; /* mean of 100 * exp(-loss / 25), in per cent; 0 without moves */
} AnalysisSummary;

AnalysisSummary analysis_summary(const Analysis *analysis, Color side);

/* The programs whose style of comments is used. */
typedef enum AnalysisStyle {
    STYLE_SHOGIHOME, /* #評価値=123, #読み筋=▲７六歩△３四歩, #深さ=14 ..., one per line */
    STYLE_SHOGIGUI, /* *解析 0 ▲ 候補1 時間 00:01.5 深さ 14 ノード数 9 評価値 123 読み筋 ▲７六歩(77)
                     */
    STYLE_FLOODGATE /* * 123 +7776FU -3334FU */
} AnalysisStyle;

/* Writes the results into `record` (the analysed one or a copy) as comments, replacing those of an
 * earlier analysis, with a line about a mistake above. In styles that do not name the engine, a
 * line "komadori depth 14" comes first. */
void analysis_comment(const Analysis *analysis, AnalysisStyle style, Record *record);

/* Adds the better line of each mistake to the record as a variation. */
void analysis_add_variations(const Analysis *analysis, Record *record);

/* Reads results from the comments of the record, in any of the styles, including those that players
 * of ShogiHome write. Returns the number of positions with a result. */
int analysis_read(Analysis *analysis);

/* Appends the lines of a comment that were not written by our analysis, each with its LF. */
void analysis_keep_comment(StrView comment, StrBuf *out);

/* Appends at most `count` moves from the position on, up to the first illegal one. The position is
 * restored. */
void analysis_append_line(Position *pos, const Move *pv, int count, AnalysisStyle style,
                          StrBuf *out);

/* A mate as in CSA, 30000; otherwise the score itself. */
int analysis_plain_score(Score score);

#endif
