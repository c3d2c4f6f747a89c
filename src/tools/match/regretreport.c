/* regretreport.c: sums up losses by groups of positions.
 *
 * A position belongs to groups by its ply and by its best move. All means are over the same
 * positions for all engines and nodes, so the curves can be compared. */
#include "tools/match/regretreport.h"

#include <math.h>
#include <stdlib.h>

#include "base/chart.h"
#include "base/xmem.h"
#include "rules/see.h"
#include "rules/usimove.h"

typedef enum Group {
    GROUP_ALL,
    GROUP_OPENING,
    GROUP_MIDDLE,
    GROUP_END,
    GROUP_CHECK,
    GROUP_SACRIFICE,
    GROUP_CAPTURE,
    GROUP_DROP,
    GROUP_QUIET,
    GROUP_NB
} Group;

static const char *const group_names[GROUP_NB] = {
    "all",       "ply 1 to 40", "ply 41 to 80", "ply 81 and later", "best is a check",
    "sacrifice", "capture",     "drop",         "none of these",
};

enum { OPENING_PLIES = 40, MIDDLE_PLIES = 80 };

/* An engine together with a number of nodes. */
typedef struct Runner {
    int engine;
    uint64_t nodes;
    double sum[GROUP_NB], squares[GROUP_NB]; /* of losses (0 to 1) and of their squares */
} Runner;

/* The loss of the move that a runner has chosen. */
typedef struct Loss {
    int position;
    Move best, chosen;
    double loss;
} Loss;

typedef struct Study {
    const RegretRules *rules;
    const Contest *contest;
    const RegretLog *log;
    int reference;   /* number of the reference engine in the log, or -1 */
    Runner *runners; /* sorted by engine, then by nodes */
    int runner_count;
    Loss *losses; /* a row of runner_count for each complete position */
    int complete;
    int number[GROUP_NB]; /* number of complete positions */
    Position pos;
} Study;

/* The gain from capturing a piece, in pawns: its value on the board plus its value in hand. The
 * values are rounded, because they only serve to find moves that sacrifice material. */
static const int16_t taken_values[PIECE_TYPE_NB] = {
    [PAWN] = 2,        [LANCE] = 6,  [KNIGHT] = 8,   [SILVER] = 10,   [GOLD] = 12,
    [BISHOP] = 16,     [ROOK] = 20,  [PRO_PAWN] = 7, [PRO_LANCE] = 8, [PRO_KNIGHT] = 9,
    [PRO_SILVER] = 10, [HORSE] = 18, [DRAGON] = 22,  [KING] = 1000,
};

static double chance_of(const Study *study, int score) {
    return 1.0 / (1.0 + exp(-score / study->rules->scale));
}

static int compare_runners(const void *a, const void *b) {
    const Runner *left = a, *right = b;
    return left->engine != right->engine
               ? left->engine - right->engine
               : (left->nodes > right->nodes) - (left->nodes < right->nodes);
}

static void find_runners(Study *study) {
    size_t cap = 0;
    for (int i = 0; i < study->log->count; i++) {
        const RegretRow *row = &study->log->rows[i];
        bool is_new = row->engine >= 0;
        for (int k = 0; k < study->runner_count && is_new; k++) {
            is_new =
                study->runners[k].engine != row->engine || study->runners[k].nodes != row->nodes;
        }
        if (is_new) {
            study->runners = xmem_grow(study->runners, &cap, (size_t)study->runner_count + 1,
                                       sizeof(study->runners[0]));
            study->runners[study->runner_count++] =
                (Runner){.engine = row->engine, .nodes = row->nodes};
        }
    }
    if (study->runner_count > 0) {
        qsort(study->runners, (size_t)study->runner_count, sizeof(study->runners[0]),
              compare_runners);
    }
}

/* ---- Positions. ---- */

static void find_groups(Study *study, int position, Move best, bool is_in[GROUP_NB]) {
    (void)openings_set(&study->contest->openings, position, &study->pos);
    const Position *pos = &study->pos;
    bool is_real = move_is_real(best);
    is_in[GROUP_ALL] = true;
    is_in[GROUP_OPENING] = pos->ply <= OPENING_PLIES;
    is_in[GROUP_END] = pos->ply > MIDDLE_PLIES;
    is_in[GROUP_MIDDLE] = !is_in[GROUP_OPENING] && !is_in[GROUP_END];
    is_in[GROUP_CHECK] = is_real && pos_gives_check(pos, best);
    /* The sacrifice must be more than a pawn, because pawns are often dropped to be captured. */
    is_in[GROUP_SACRIFICE] = is_real && !see_reaches(pos, best, -taken_values[PAWN], taken_values);
    is_in[GROUP_CAPTURE] = is_real && pos_is_capture(pos, best);
    is_in[GROUP_DROP] = is_real && move_is_drop(best);
    is_in[GROUP_QUIET] = is_real;
    for (int i = GROUP_CHECK; i < GROUP_QUIET; i++) {
        is_in[GROUP_QUIET] &= !is_in[i];
    }
}

static const RegretRow *find(const Study *study, int position, const Runner *runner, Move move) {
    RegretRow wanted = {.position = position, .engine = -1, .move = move};
    if (runner != NULL) {
        wanted.engine = runner->engine;
        wanted.nodes = runner->nodes;
    }
    return regretlog_find(study->log, &wanted);
}

/* Finds the best of the judged moves, and the loss of each chosen move compared with it. */
static bool judge_losses(const Study *study, int position, Loss *losses) {
    int best_score = INT32_MIN;
    Move best = MOVE_NONE;
    for (int i = 0; i < study->log->count; i++) {
        const RegretRow *row = &study->log->rows[i];
        if (row->position == position && row->engine < 0 && row->score > best_score) {
            best_score = row->score;
            best = row->move;
        }
    }
    for (int i = 0; i < study->runner_count; i++) {
        const RegretRow *judgment = find(study, position, NULL, losses[i].chosen);
        if (judgment == NULL) {
            return false;
        }
        losses[i].best = best;
        losses[i].loss = chance_of(study, best_score) - chance_of(study, judgment->score);
    }
    return true;
}

/* Fills in the losses of all runners. If all of them chose the same move, it needs no judgement and
 * the losses are 0. Returns false while anything about the position is missing. */
static bool measure(const Study *study, int position, Loss *losses) {
    bool is_same = true;
    for (int i = 0; i < study->runner_count; i++) {
        const RegretRow *choice = find(study, position, &study->runners[i], MOVE_NONE);
        if (choice == NULL) {
            return false;
        }
        is_same &= i == 0 || choice->move == losses[0].chosen;
        losses[i] = (Loss){position, choice->move, choice->move, 0.0};
    }
    return is_same || judge_losses(study, position, losses);
}

static void add_position(Study *study, int position) {
    bool is_in[GROUP_NB];
    Loss *losses = study->losses + (size_t)study->complete * (size_t)study->runner_count;
    if (!measure(study, position, losses)) {
        return;
    }
    study->complete++;
    find_groups(study, position, losses[0].best, is_in);
    for (int group = 0; group < GROUP_NB; group++) {
        study->number[group] += is_in[group];
        for (int i = 0; i < study->runner_count && is_in[group]; i++) {
            study->runners[i].sum[group] += losses[i].loss;
            study->runners[i].squares[group] += losses[i].loss * losses[i].loss;
        }
    }
}

static double mean_of(const Study *study, const Runner *runner, int group) {
    return runner->sum[group] / study->number[group];
}

/* The standard error of the mean over two or more positions. */
static double error_of(const Study *study, const Runner *runner, int group) {
    double number = study->number[group], mean = mean_of(study, runner, group);
    double variance = runner->squares[group] / number - mean * mean;
    return sqrt(fmax(variance, 0.0) / (number - 1));
}

/* ---- Tables. ---- */

static const char *name_of(const Study *study, const Runner *runner) {
    return study->log->engines[runner->engine];
}

/* Lists the different numbers of nodes in ascending order. Returns how many there are. */
static int list_nodes(const Study *study, uint64_t *list) {
    int count = 0;
    for (int i = 0; i < study->runner_count; i++) {
        uint64_t nodes = study->runners[i].nodes;
        int at = count;
        while (at > 0 && list[at - 1] > nodes) {
            at--;
        }
        if (at > 0 && list[at - 1] == nodes) {
            continue;
        }
        for (int k = count; k > at; k--) {
            list[k] = list[k - 1];
        }
        list[at] = nodes;
        count++;
    }
    return count;
}

static void add_row(const Study *study, int group, int engine, const uint64_t *nodes, int columns,
                    StrBuf *out) {
    strbuf_addf(out, "| %s | %d | %s |", group_names[group], study->number[group],
                study->log->engines[engine]);
    for (int column = 0; column < columns; column++) {
        const Runner wanted = {.engine = engine, .nodes = nodes[column]};
        const Runner *runner = bsearch(&wanted, study->runners, (size_t)study->runner_count,
                                       sizeof(wanted), compare_runners);
        if (runner != NULL) {
            strbuf_addf(out, " %.2f", 100.0 * mean_of(study, runner, group));
            if (study->number[group] > 1) {
                strbuf_addf(out, " ± %.2f", 100.0 * error_of(study, runner, group));
            }
            strbuf_add_str(out, " |");
        } else {
            strbuf_add_str(out, " |");
        }
    }
    strbuf_add_byte(out, '\n');
}

static void add_means(const Study *study, StrBuf *out) {
    uint64_t *nodes = xmem_calloc((size_t)study->runner_count, sizeof(uint64_t));
    int columns = list_nodes(study, nodes);
    strbuf_add_str(out, "| positions | number | engine |");
    for (int i = 0; i < columns; i++) {
        strbuf_addf(out, " %llu |", (unsigned long long)nodes[i]);
    }
    strbuf_add_str(out, "\n|---|---|---|");
    for (int i = 0; i < columns; i++) {
        strbuf_add_str(out, "---|");
    }
    strbuf_add_byte(out, '\n');
    for (int group = 0; group < GROUP_NB; group++) {
        for (int i = 0; i < study->log->engine_count && study->number[group] > 0; i++) {
            add_row(study, group, i, nodes, columns, out);
        }
    }
    free(nodes);
}

static int compare_losses(const void *a, const void *b) {
    const Loss *left = a, *right = b;
    return left->loss != right->loss ? (left->loss < right->loss) - (left->loss > right->loss)
                                     : left->position - right->position;
}

/* Appends the worst moves of a runner. */
static void add_worst(const Study *study, int runner, StrBuf *out) {
    size_t count = (size_t)study->complete;
    Loss *list = xmem_calloc(count, sizeof(Loss));
    for (size_t i = 0; i < count; i++) {
        list[i] = study->losses[i * (size_t)study->runner_count + (size_t)runner];
    }
    qsort(list, count, sizeof(Loss), compare_losses);
    strbuf_addf(out,
                "\nWorst moves of %s at %llu nodes:\n\n| loss | best | chosen | position |\n"
                "|---|---|---|---|\n",
                name_of(study, &study->runners[runner]),
                (unsigned long long)study->runners[runner].nodes);
    for (int i = 0; i < int_min(study->complete, study->rules->worst); i++) {
        char best[USI_MOVE_SIZE], chosen[USI_MOVE_SIZE];
        strbuf_addf(out, "| %.1f | %s | %s | %d: %s |\n", 100.0 * list[i].loss,
                    usimove_write(list[i].best, best), usimove_write(list[i].chosen, chosen),
                    list[i].position + 1, study->contest->openings.lines[list[i].position]);
    }
    free(list);
}

/* True for the runner with the most nodes of an engine that is not the reference. */
static bool is_last(const Study *study, int runner) {
    int engine = study->runners[runner].engine;
    return engine != study->reference &&
           (runner + 1 == study->runner_count || study->runners[runner + 1].engine != engine);
}

/* ---- The chart. ---- */

enum { PLOT_COLUMNS = 3, CELL_W = 300, CELL_H = 220, LEGEND_H = 30 };

static const char *const colors[] = {"#2f7ed8", "#d9482b", "#2e9d4f", "#8e44ad", "#b8860b"};

static const char *color_of(int engine) {
    return colors[(size_t)engine % COUNTOF(colors)];
}

static double log_nodes(const Runner *runner) {
    return log10((double)runner->nodes);
}

/* Draws the lines of a group of positions. The reference has chosen with only one number of nodes,
 * so it has no line. */
static void draw_group(const Study *study, int group, int cell, StrBuf *out) {
    ChartPlot plot = {.left = cell % PLOT_COLUMNS * CELL_W + 45,
                      .top = cell / PLOT_COLUMNS * CELL_H + 30,
                      .width = CELL_W - 65,
                      .height = CELL_H - 60,
                      .x_low = INFINITY,
                      .x_high = -INFINITY,
                      .x_is_log10 = true};
    double *x = xmem_calloc((size_t)study->runner_count, sizeof(double));
    double *y = xmem_calloc((size_t)study->runner_count, sizeof(double));
    for (int i = 0; i < study->runner_count; i++) {
        if (study->runners[i].engine == study->reference) {
            continue;
        }
        x[i] = log_nodes(&study->runners[i]);
        y[i] = 100.0 * mean_of(study, &study->runners[i], group);
        plot.x_low = fmin(plot.x_low, x[i]);
        plot.x_high = fmax(plot.x_high, x[i]);
        plot.y_high = fmax(plot.y_high, y[i] * 1.1);
    }
    plot.x_high = fmax(plot.x_high, plot.x_low + 1e-3);
    plot.y_high = fmax(plot.y_high, 1e-3);
    StrBuf title = STRBUF_INIT;
    strbuf_addf(&title, "%s (%d)", group_names[group], study->number[group]);
    chart_axes(&plot, title.ptr, out);
    for (int i = 0, first = 0; i < study->runner_count; i++) {
        int engine = study->runners[i].engine;
        first = engine != study->runners[first].engine ? i : first;
        if (is_last(study, i)) {
            chart_line(&plot, x + first, y + first, i + 1 - first, color_of(engine), out);
        }
    }
    strbuf_free(&title);
    free(x);
    free(y);
}

/* Draws the legend and a description of the chart. */
static void draw_legend(const Study *study, double top, StrBuf *out) {
    double left = 45;
    for (int i = 0; i < study->log->engine_count; i++) {
        const double x[2] = {0, 1}, y[2] = {0, 0};
        if (i == study->reference) {
            continue;
        }
        ChartPlot plot = {.left = left,
                          .top = top,
                          .width = 25,
                          .height = 1,
                          .x_high = 1,
                          .y_low = -1,
                          .y_high = 1};
        chart_line(&plot, x, y, 2, color_of(i), out);
        chart_text(left + 30, top + 4, "start", study->log->engines[i], out);
        left += 60 + 7.0 * (double)sv_from(study->log->engines[i]).len;
    }
    chart_text(PLOT_COLUMNS * CELL_W - 20, top + 4, "end",
               "mean loss of winning chance in %, by nodes", out);
}

static void draw(const Study *study, StrBuf *out) {
    int cells = 0;
    for (int group = 0; group < GROUP_NB; group++) {
        cells += study->number[group] > 0;
    }
    int rows = (cells + PLOT_COLUMNS - 1) / PLOT_COLUMNS;
    chart_begin(PLOT_COLUMNS * CELL_W, rows * CELL_H + LEGEND_H, out);
    for (int group = 0, cell = 0; group < GROUP_NB; group++) {
        if (study->number[group] > 0) {
            draw_group(study, group, cell++, out);
        }
    }
    draw_legend(study, rows * CELL_H + 10, out);
    chart_end(out);
}

int regretreport_write(const RegretRules *rules, const Contest *contest, const RegretLog *log,
                       StrBuf *table, StrBuf *svg) {
    Study study = {.rules = rules, .contest = contest, .log = log};
    int positions = contest->openings.count;
    study.reference = -1;
    for (int i = 0; i < log->engine_count; i++) {
        if (sv_equal(sv_from(log->engines[i]), sv_from(contest->engines[0].name))) {
            study.reference = i;
        }
    }
    find_runners(&study);
    study.losses = xmem_calloc((size_t)positions * (size_t)study.runner_count + 1, sizeof(Loss));
    pos_init(&study.pos);
    for (int i = 0; i < positions && study.runner_count > 0; i++) {
        add_position(&study, i);
    }
    if (study.complete > 0) {
        add_means(&study, table);
        for (int i = 0; i < study.runner_count; i++) {
            if (is_last(&study, i) && rules->worst > 0) {
                add_worst(&study, i, table);
            }
        }
        bool has_line = false;
        for (int i = 0; i < study.runner_count; i++) {
            has_line |= is_last(&study, i);
        }
        if (svg != NULL && has_line) {
            draw(&study, svg);
        }
    }
    pos_free(&study.pos);
    free(study.runners);
    free(study.losses);
    return study.complete;
}
