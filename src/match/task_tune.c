/* task_tune.c: plays pairs of games and moves the values after each pair.
 *
 * There is one thread for each concurrent pair, with two processes of the engine that are kept from
 * pair to pair. The only state is the file named by the option -spsa csv=. Its lines are the values
 * after each pair, in the order in which the pairs ended. */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "base/journal.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/xmem.h"
#include "match/task.h"
#include "play/referee.h"
#include "web/chart.h"

typedef struct Tuner {
    const MatchSettings *settings;
    const SpsaOptions *options;
    atomic_bool *cancel;
    PlayerSink sink;
    atomic_bool has_spoken; /* see player_new */
    MatchReport *report;    /* its mutex guards everything below */
    Journal csv;
    int bad_line; /* number of a bad line in the csv file of an earlier run; 0: none */
    double *values;
    double
        *trajectory; /* rows of options->count values: at the start and after each finished pair */
    bool *is_played; /* indexed by pair, from 1 */
    int done;
    int done_before; /* pairs played by earlier runs */
    int next;        /* all pairs before this one have been taken */
    int64_t start_ns;
    bool has_failed;
} Tuner;

/* ---- the file -------------------------------------------------------------------------------- */

/* Stores the values for the chart. */
static void store_values(Tuner *tuner) {
    size_t count = (size_t)tuner->options->count;
    memcpy(tuner->trajectory + count * (size_t)tuner->done, tuner->values, count * sizeof(double));
}

/* Adds the values of one line. Returns false if the line is not from this run. */
static bool read_pair(Tuner *tuner, StrView line) {
    const SpsaOptions *options = tuner->options;
    StrView field;
    int pair, points;
    if (!sv_next_field(&line, ',', &field) || !sv_to_int(field, 1, options->pairs, &pair) ||
        tuner->is_played[pair] || !sv_next_field(&line, ',', &field) ||
        !sv_to_int(field, -2, 2, &points)) {
        return false;
    }
    for (int i = 0; i < options->count; i++) {
        if (!sv_next_field(&line, ',', &field) ||
            !sv_to_double(field, options->params[i].min, options->params[i].max,
                          &tuner->values[i])) {
            return false;
        }
    }
    tuner->is_played[pair] = true;
    tuner->done++;
    store_values(tuner);
    return line.len == 0;
}

/* Reads the pairs of an earlier run, after the head. */
static size_t read_pairs(void *context, StrView text) {
    Tuner *tuner = context;
    size_t whole = journal_whole_lines(text);
    StrView rest = sv_prefix(text, whole);
    StrView line;
    for (int number = 2; tuner->bad_line == 0 && sv_next_line(&rest, &line); number++) {
        tuner->bad_line = read_pair(tuner, line) ? 0 : number;
    }
    return whole;
}

static bool open_csv(Tuner *tuner, StrBuf *error) {
    const char *path = tuner->options->csv_path;
    StrBuf head = STRBUF_INIT;
    strbuf_add_str(&head, "pair,points");
    for (int i = 0; i < tuner->options->count; i++) {
        strbuf_addf(&head, ",%s", tuner->options->params[i].name);
    }
    strbuf_add_byte(&head, '\n');
    JournalFormat format = {strbuf_view(&head), read_pairs, tuner};
    int failure = journal_open(&tuner->csv, path, &format);
    strbuf_free(&head);
    if (failure == EEXIST) {
        strbuf_addf(error, "%s belongs to a run with other parameters", path);
    } else if (failure != 0) {
        strbuf_addf(error, "%s: %s", path, journal_error_text(failure));
    } else if (tuner->bad_line > 0) {
        strbuf_addf(error, "%s, line %d: not a pair of this run", path, tuner->bad_line);
    }
    tuner->done_before = tuner->done;
    return failure == 0 && tuner->bad_line == 0;
}

/* ---- the picture ----------------------------------------------------------------------------- */

#define VALUE_COLOR "#2f7ed8"
#define START_COLOR "#999"

enum {
    COLUMNS = 4,
    CELL_W = 300,
    CELL_H = 190,
    HEAD_H = 44,
    HEAD_W = 2 * CELL_W,
    POINTS_MAX = 400
};

/* A plot: its place in the picture (in pixels, without the axes) and the ranges of its axes, of
 * which x begins at 0. */
typedef struct ChartPlot {
    double left, top, width, height;
    double x_high;
    double y_low, y_high;
} ChartPlot;

/* `anchor` is "start", "middle" or "end". */
static void draw_text(double x, double y, const char *anchor, const char *text, StrBuf *out) {
    strbuf_addf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    chart_escape(sv_from(text), out);
    strbuf_add_str(out, "</text>\n");
}

static double x_of(const ChartPlot *plot, double x) {
    return plot->left + plot->width * x / plot->x_high;
}

static double y_of(const ChartPlot *plot, double y) {
    double part = (y - plot->y_low) / (plot->y_high - plot->y_low);
    return plot->top + plot->height * (1.0 - fmin(fmax(part, 0.0), 1.0));
}

/* Adds the marks of an axis, each with a label and a line across the plot. Their distance is 1, 2
 * or 5 times a power of ten, chosen so that the labels have room. */
static void add_marks(const ChartPlot *plot, bool is_x, StrBuf *out) {
    double low = is_x ? 0 : plot->y_low, high = is_x ? plot->x_high : plot->y_high;
    double least = (high - low) / int_max((int)(is_x ? plot->width / 60 : plot->height / 25), 1);
    double power = pow(10.0, floor(log10(least)));
    double part = least / power;
    double step = power * (part <= 1.0 ? 1.0 : part <= 2.0 ? 2.0 : part <= 5.0 ? 5.0 : 10.0);
    step = is_x ? fmax(step, 1.0) : step; /* pairs are whole numbers */
    StrBuf label = STRBUF_INIT;
    for (double at = ceil(low / step - 1e-6) * step; at <= high + step * 1e-6; at += step) {
        strbuf_clear(&label);
        strbuf_addf(&label, "%.10g", fabs(at) < step * 1e-6 ? 0.0 : at);
        if (is_x) {
            double x = x_of(plot, at);
            strbuf_addf(out, "<path class=\"grid\" d=\"M%.1f,%.1fv%.1f\"/>", x, plot->top,
                        plot->height);
            draw_text(x, plot->top + plot->height + 14, "middle", label.ptr, out);
        } else {
            double y = y_of(plot, at);
            strbuf_addf(out, "<path class=\"grid\" d=\"M%.1f,%.1fh%.1f\"/>", plot->left, y,
                        plot->width);
            draw_text(plot->left - 5, y + 4, "end", label.ptr, out);
        }
    }
    strbuf_free(&label);
}

/* Draws a frame with round numbers at both axes and a title above it. */
static void draw_axes(const ChartPlot *plot, const char *title, StrBuf *out) {
    add_marks(plot, true, out);
    add_marks(plot, false, out);
    strbuf_addf(out,
                "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                plot->left, plot->top, plot->width, plot->height);
    draw_text(plot->left, plot->top - 7, "start", title, out);
}

static void draw_line(const ChartPlot *plot, const double *x, const double *y, int count,
                      const char *color, StrBuf *out) {
    strbuf_add_str(out, "<path d=\"");
    for (int i = 0; i < count; i++) {
        strbuf_addf(out, "%c%.1f,%.1f", i == 0 ? 'M' : 'L', x_of(plot, x[i]), y_of(plot, y[i]));
    }
    strbuf_addf(out,
                "\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" stroke-linejoin=\"round\"/>\n",
                color);
}

/* Draws a dashed line across the plot at height y. */
static void draw_level(const ChartPlot *plot, double y, const char *color, StrBuf *out) {
    strbuf_addf(out, "<path d=\"M%.1f,%.1fh%.1f\" stroke=\"%s\" stroke-dasharray=\"5 4\"/>\n",
                plot->left, y_of(plot, y), plot->width, color);
}

/* Draws the values of one parameter over time, with a dashed line at the start value. */
static void draw_param(const Tuner *tuner, int index, StrBuf *out) {
    const SpsaParam *param = &tuner->options->params[index];
    double x[POINTS_MAX + 1];
    double y[POINTS_MAX + 1];
    int steps = int_min(tuner->done, POINTS_MAX);
    double low = param->start - 2 * param->c_end, high = param->start + 2 * param->c_end;
    for (int i = 0; i <= steps; i++) {
        int pair = steps > 0 ? (int)((int64_t)tuner->done * i / steps) : 0;
        x[i] = pair;
        y[i] = tuner->trajectory[(size_t)pair * (size_t)tuner->options->count + (size_t)index];
        low = fmin(low, y[i]);
        high = fmax(high, y[i]);
    }
    ChartPlot plot = {.left = index % COLUMNS * CELL_W + 55,
                      .top = HEAD_H + index / COLUMNS * CELL_H + 30,
                      .width = CELL_W - 75,
                      .height = CELL_H - 80,
                      .x_high = int_max(tuner->done, 1),
                      .y_low = low,
                      .y_high = high};
    StrBuf title = STRBUF_INIT;
    strbuf_addf(&title, "%s ", param->name);
    spsa_add_value(param, param->start, &title);
    strbuf_add_str(&title, " → ");
    spsa_add_value(param, y[steps], &title);
    draw_axes(&plot, title.ptr, out);
    draw_level(&plot, param->start, START_COLOR, out);
    draw_line(&plot, x, y, steps + 1, VALUE_COLOR, out);
    draw_text(plot.left + plot.width / 2, plot.top + plot.height + 30, "middle", "pairs", out);
    strbuf_free(&title);
}

/* Draws the title, and the meaning of the lines in all plots. */
static void draw_title(const Tuner *tuner, StrBuf *out) {
    const double x[] = {0, 1}, y[] = {0, 0};
    ChartPlot sample = {
        .left = 55, .top = 34, .width = 25, .height = 1, .x_high = 1, .y_low = -1, .y_high = 1};
    StrBuf title = STRBUF_INIT;
    strbuf_addf(&title, "SPSA of %s: %d parameter%s after %d of %d pairs",
                tuner->settings->contest.engines[0].name, tuner->options->count,
                str_plural((uint64_t)tuner->options->count), tuner->done, tuner->options->pairs);
    draw_text(55, 18, "start", title.ptr, out);
    draw_line(&sample, x, y, 2, VALUE_COLOR, out);
    draw_text(86, 38, "start", "value", out);
    sample.left = 140;
    draw_level(&sample, 0, START_COLOR, out);
    draw_text(171, 38, "start", "start", out);
    strbuf_free(&title);
}

static bool write_chart(const Tuner *tuner) {
    const SpsaOptions *options = tuner->options;
    if (options->svg_path == NULL) {
        return true;
    }
    StrBuf text = STRBUF_INIT;
    chart_open(int_max(HEAD_W, int_min(options->count, COLUMNS) * CELL_W),
               HEAD_H + (options->count + COLUMNS - 1) / COLUMNS * CELL_H,
               "font-family=\"sans-serif\" font-size=\"11\"", &text);
    strbuf_add_str(&text, "<style>.frame{fill:none;stroke:#999}.grid{stroke:#e4e4e4}"
                          "text{fill:#444}@media(prefers-color-scheme:dark){.ground{fill:#1b1d21}"
                          ".grid{stroke:#34373d}.frame{stroke:#777}text{fill:#ccc}}</style>\n");
    draw_title(tuner, &text);
    for (int i = 0; i < options->count; i++) {
        draw_param(tuner, i, &text);
    }
    chart_end(&text);
    errno = file_write(options->svg_path, text.ptr, text.len);
    strbuf_free(&text);
    return errno == 0;
}

/* ---- reports --------------------------------------------------------------------------------- */

static void report_tuning(Tuner *tuner) {
    const SpsaOptions *options = tuner->options;
    int here = tuner->done - tuner->done_before;
    int farthest = 0; /* from its start, in units of c_end */
    double most = -1.0;
    for (int i = 0; i < options->count; i++) {
        const SpsaParam *param = &options->params[i];
        double move = fabs(tuner->values[i] - param->start) / param->c_end;
        farthest = move > most ? i : farthest;
        most = fmax(most, move);
    }
    double seconds = (double)(clock_ns() - tuner->start_ns) / 1e9;
    StrBuf text = STRBUF_INIT;
    strbuf_addf(&text, "%d/%d pairs  %.0f min left  farthest %s ", tuner->done, options->pairs,
                seconds / int_max(here, 1) * (options->pairs - tuner->done) / 60.0,
                options->params[farthest].name);
    spsa_add_value(&options->params[farthest], options->params[farthest].start, &text);
    strbuf_add_str(&text, " -> ");
    spsa_add_value(&options->params[farthest], tuner->values[farthest], &text);
    progress_show(&tuner->report->progress, "%s", text.ptr);
    strbuf_free(&text);
}

/* Stops all threads. Only the first reason is reported. */
static void fail_tuning(Tuner *tuner, const char *what, const char *why) {
    if (!tuner->has_failed) {
        matchreport_failure(tuner->report, "%s%s%s", what, why[0] != '\0' ? ": " : "", why);
    }
    tuner->has_failed = true;
    atomic_store(tuner->cancel, true);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* The data that a thread keeps from pair to pair. */
typedef struct TunerThread {
    Tuner *tuner;
    Player *players[2]; /* the players with `plus` and with `minus` */
    SpsaTrial trial;
    Position pos;
} TunerThread;

/* Takes the next pair and its values. Returns false if there is none. */
static bool take_pair(TunerThread *thread) {
    Tuner *tuner = thread->tuner;
    pthread_mutex_lock(&tuner->report->mutex);
    while (tuner->next <= tuner->options->pairs && tuner->is_played[tuner->next]) {
        tuner->next++;
    }
    bool has_pair = !atomic_load(tuner->cancel) && tuner->next <= tuner->options->pairs;
    if (has_pair) {
        thread->trial.pair = tuner->next++;
        spsa_perturb(tuner->options, tuner->values, &thread->trial);
    }
    pthread_mutex_unlock(&tuner->report->mutex);
    return has_pair;
}

/* Plays one game; *points is 1, 0 or -1 for the player with plus. Returns false if there is no
 * result. */
static bool play_tuning_game(TunerThread *thread, bool is_plus_black, int *points) {
    Tuner *tuner = thread->tuner;
    const MatchSettings *settings = tuner->settings;
    const EngineSpec *engine = &settings->contest.engines[0];
    GameSetup setup = {.tc = {&engine->tc, &engine->tc},
                       .ponders = {engine->ponders, engine->ponders},
                       .rules = settings->contest.rules,
                       .adjudication = settings->contest.adjudication};
    GameResult result = {.winner = KMD_WINNER_NONE};
    setup.player[BLACK] = thread->players[is_plus_black ? 0 : 1];
    setup.player[WHITE] = thread->players[is_plus_black ? 1 : 0];
    setup.start = openings_set(&settings->contest.openings, thread->trial.pair - 1, &thread->pos);
    RefereeStatus status = referee_play(&setup, &thread->pos, &result);
    pthread_mutex_lock(&tuner->report->mutex);
    if (status == REFEREE_NO_EXEC) {
        fail_tuning(tuner, result.detail.ptr, "");
    } else if (status == REFEREE_DONE && gameresult_is_fault(result.reason)) {
        matchreport_line(tuner->report, "pair %d: %s loses by %s%s%s", thread->trial.pair,
                         result.winner == KMD_WINNER_WHITE ? "black" : "white",
                         gameresult_end_name(result.reason), result.detail.len > 0 ? ": " : "",
                         result.detail.len > 0 ? result.detail.ptr : "");
    }
    pthread_mutex_unlock(&tuner->report->mutex);
    *points = result.winner == KMD_WINNER_DRAW                       ? 0
              : (result.winner == KMD_WINNER_BLACK) == is_plus_black ? 1
                                                                     : -1;
    gameresult_free(&result);
    return status == REFEREE_DONE;
}

/* Moves the values by the points of a pair and writes the line. */
static void add_pair(Tuner *tuner, int pair, int points) {
    StrBuf text = STRBUF_INIT;
    pthread_mutex_lock(&tuner->report->mutex);
    if (!tuner->has_failed) {
        bool is_due = (tuner->done + 1) % tuner->settings->report.every == 0;
        spsa_update(tuner->options, pair, points, tuner->values);
        tuner->done++;
        tuner->is_played[pair] = true;
        store_values(tuner);
        strbuf_addf(&text, "%d,%d", pair, points);
        for (int i = 0; i < tuner->options->count; i++) {
            strbuf_addf(&text, ",%.12g", tuner->values[i]);
        }
        strbuf_add_byte(&text, '\n');
        if (!journal_add(&tuner->csv, strbuf_view(&text))) {
            fail_tuning(tuner, tuner->options->csv_path, file_error_text(tuner->csv.error));
        }
        if (tuner->report->progress.is_terminal || is_due) {
            report_tuning(tuner);
        }
        if (is_due && !write_chart(tuner)) {
            fail_tuning(tuner, tuner->options->svg_path, file_error_text(errno));
        }
    }
    pthread_mutex_unlock(&tuner->report->mutex);
    strbuf_free(&text);
}

static void play_pairs(void *context, int index) {
    Tuner *tuner = context;
    const SpsaOptions *options = tuner->options;
    TunerThread thread = {.tuner = tuner};
    StrBuf text = STRBUF_INIT;
    int points[2];
    thread.trial.plus = xmem_calloc((size_t)options->count, sizeof(double));
    thread.trial.minus = xmem_calloc((size_t)options->count, sizeof(double));
    pos_init(&thread.pos);
    for (int k = 0; k < 2; k++) {
        thread.players[k] =
            player_new(&tuner->settings->contest.engines[0], &tuner->settings->player_rules,
                       &tuner->sink, index + 1, &tuner->has_spoken, tuner->cancel);
    }
    while (take_pair(&thread)) {
        for (int k = 0; k < 2; k++) {
            const double *values = k == 0 ? thread.trial.plus : thread.trial.minus;
            strbuf_clear(&text);
            for (int i = 0; i < options->count; i++) {
                strbuf_addf(&text, "setoption name %s value ", options->params[i].name);
                spsa_add_value(&options->params[i], values[i], &text);
                strbuf_add_byte(&text, '\n');
            }
            player_set_values(thread.players[k], strbuf_view(&text));
        }
        if (!play_tuning_game(&thread, true, &points[0]) ||
            !play_tuning_game(&thread, false, &points[1])) {
            break;
        }
        add_pair(tuner, thread.trial.pair, points[0] + points[1]);
    }
    for (int k = 0; k < 2; k++) {
        player_free(thread.players[k]);
    }
    pos_free(&thread.pos);
    strbuf_free(&text);
    free(thread.trial.plus);
    free(thread.trial.minus);
}

/* Plays all pairs that are not in the file, and prints the values. */
static void run_pairs(Tuner *tuner) {
    const SpsaOptions *options = tuner->options;
    StrBuf values = STRBUF_INIT;
    if (tuner->done > 0) {
        matchreport_line(tuner->report, "continuing after %d pairs", tuner->done);
    }
    tuner->start_ns = clock_ns();
    parallel_run(tuner->settings->contest.concurrency, play_pairs, tuner);
    spsa_add_values(options, tuner->values, false, &values);
    strbuf_add_byte(&values, '\n');
    spsa_add_values(options, tuner->values, true, &values);
    matchreport_line(tuner->report, "\nvalues after %d of %d pairs, and as input:\n\n%s",
                     tuner->done, options->pairs, values.ptr);
    strbuf_free(&values);
    if (!write_chart(tuner)) {
        fail_tuning(tuner, options->svg_path, file_error_text(errno));
    }
}

TaskStatus task_tune(const MatchSettings *settings, MatchReport *report, atomic_bool *cancel) {
    const SpsaOptions *options = &settings->spsa;
    size_t count = (size_t)options->count;
    size_t rows = (size_t)options->pairs + 1;
    Tuner tuner = {.settings = settings,
                   .options = options,
                   .cancel = cancel,
                   .sink = {matchreport_warn_of_engine, report, NULL},
                   .report = report,
                   .next = 1};
    StrBuf error = STRBUF_INIT;
    tuner.values = xmem_calloc(count, sizeof(double));
    tuner.trajectory = xmem_calloc(rows * count, sizeof(double));
    tuner.is_played = xmem_calloc(rows, sizeof(bool));
    for (size_t i = 0; i < count; i++) {
        tuner.values[i] = options->params[i].start;
    }
    store_values(&tuner);
    const char *log_path = settings->log_path;
    tuner.sink.log = log_path != NULL ? player_log_open(log_path, &error) : NULL;
    if ((log_path == NULL || tuner.sink.log != NULL) && open_csv(&tuner, &error)) {
        run_pairs(&tuner);
    } else {
        fail_tuning(&tuner, error.ptr, "");
    }
    if (!player_log_close(tuner.sink.log)) {
        fail_tuning(&tuner, log_path, "could not be written");
    }
    if (!journal_close(&tuner.csv)) {
        fail_tuning(&tuner, options->csv_path, file_error_text(errno));
    }
    TaskStatus status = tuner.has_failed               ? TASK_FAILED
                        : tuner.done == options->pairs ? TASK_DONE
                                                       : TASK_INTERRUPTED;
    strbuf_free(&error);
    free(tuner.values);
    free(tuner.trajectory);
    free(tuner.is_played);
    return status;
}
