/* analysis.h: the engine's scores and lines for each position of a game's main line, the losses of
 * the moves, and both as comments in the record.
 *
 * Plain data and text; no search happens here. One thread. */
#ifndef KMD_STUDY_ANALYSIS_H
#define KMD_STUDY_ANALYSIS_H

#include "kifu/record.h"
#include "search/sinfo.h"

enum { ANALYSIS_PV = 16, ANALYSIS_LINES = 5 };

/* A line of moves and its score: black's view, as players of both sides read it. */
typedef struct AnalysisLine {
    Score score;
    int pv_len;
    Move pv[ANALYSIS_PV];
} AnalysisLine;

/* One position: its lines, the best first. */
typedef struct Judgement {
    int depth;
    uint64_t nodes;
    int64_t time_ms; /* of the search; 0: not known */
    int line_count;  /* 0: not known */
    AnalysisLine lines[ANALYSIS_LINES];
} Judgement;

/* The lines of a search as it reports them, until those of an iteration are complete.
 * Zero-initialised before each search. */
typedef struct AnalysisGather {
    Judgement whole; /* all lines of the latest iteration that is known; line_count 0: none yet */
    Judgement part;  /* what has come since the last first line */
    bool whole_is_mixed, part_is_mixed; /* the lines are of several iterations */
} AnalysisGather;

/* Takes a line that the search reports. A search that is cut short reports the move it plays as its
 * new iteration has it, beside other lines of the last one: scores of two depths do not compare, so
 * such lines are used only while nothing better is known. */
void analysis_gather(AnalysisGather *gather, const SearchInfo *info);

/* The final result: the lines of one iteration, the best first. */
Judgement analysis_gathered(const AnalysisGather *gather);

/* at[i] is the position after i moves; node[i] is its node in the record. */
typedef struct Analysis {
    const Record *record;
    int count;  /* moves + 1 */
    int scale;  /* centipawns with a winning chance of 73 %; 600 unless the engine knows better */
    Color side; /* whose moves are commented on; COLOR_NB: both */
    bool has_index; /* there is an index of games next to the page of this one */
    Judgement *at;
    int *node;
} Analysis;

/* How bad a move is, by what it costs of the chance to win. */
typedef enum Mistake { MISTAKE_NONE, MISTAKE_DUBIOUS, MISTAKE_BAD, MISTAKE_BLUNDER } Mistake;

/* For the main line of a record, which must outlive it; nothing is known yet. */
void analysis_init(Analysis *analysis, const Record *record);
void analysis_free(Analysis *analysis);

/* The best line of position i; NULL when it is not known. */
const AnalysisLine *analysis_line(const Analysis *analysis, int i);

/* Whether the move that led to position i is of a side that is commented on; true for the start. */
bool analysis_comments_on(const Analysis *analysis, int i);

/* Black's chance to win in percent, 0 to 100: 100 / (1 + exp(-score / analysis->scale)). */
double analysis_percent(const Analysis *analysis, Score black_score);

/* The side whose move led to position i, which is from 1. */
Color analysis_mover(const Analysis *analysis, int i);

/* The loss by the move that led to position i, in percent of winning chances, at least 0; 0
 * when it is what the engine wanted or one of the two positions is not known. */
double analysis_cost(const Analysis *analysis, int i);
Mistake analysis_mistake(const Analysis *analysis, int i);

/* The moves of the mate that the move leading to position i gave away; 0 when it gave none away. */
int analysis_missed_mate(const Analysis *analysis, int i);

/* The moves of a side that have a score before and after them. */
typedef struct AnalysisSummary {
    int moves;
    int mistakes[MISTAKE_BLUNDER + 1]; /* by their Mistake */
    int missed_mates;
    double loss;     /* the mean cost of a move, in percent of winning chances */
    double accuracy; /* the mean of 100 * exp(-cost / 25), in percent; 0 without moves */
} AnalysisSummary;

AnalysisSummary analysis_summary(const Analysis *analysis, Color side);

/* Which programs' comments those of an analysis look like. */
typedef enum AnalysisStyle {
    STYLE_SHOGIHOME, /* #評価値=123, #読み筋=▲７六歩△３四歩, #深さ=14 ..., a line each */
    STYLE_SHOGIGUI, /* *解析 0 ▲ 候補1 時間 00:01.5 深さ 14 ノード数 9 評価値 123 読み筋 ▲７六歩(77)
                     */
    STYLE_FLOODGATE /* * 123 +7776FU -3334FU */
} AnalysisStyle;

/* Writes the judgements into `record` (the analysed one or a copy of it) as comments, instead of
 * those of an earlier analysis, with a line on a mistake above. A style that does not name the
 * engine has a mark of ours above it: "komadori depth 14". */
void analysis_comment(const Analysis *analysis, AnalysisStyle style, Record *record);

/* Writes the better line of each mistake into the record as a variation. */
void analysis_add_variations(const Analysis *analysis, Record *record);

/* Takes the judgements from comments in the record, in any style above and as ShogiHome's players
 * write theirs. Returns how many positions have one. */
int analysis_read(Analysis *analysis);

/* Appends the lines of a comment that were not written by our analysis, each with its LF. */
void analysis_keep_comment(StrView comment, StrBuf *out);

/* Appends moves from the position on, at most `count`, up to one that is not legal; the position is
 * as it was afterwards. */
void analysis_append_line(Position *pos, const Move *pv, int count, AnalysisStyle style,
                          StrBuf *out);

/* A mate as CSA has it, 30000; else the score itself. */
int analysis_plain_score(Score score);

#endif
