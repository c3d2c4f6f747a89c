/* report.c: decides which lines of a search are sent to the sink, and when. */
#include "search/report.h"

#include <stdlib.h>
#include <string.h>

#include "search/gameend.h"
#include "search/worker.h"

/* From LINE_DEPTH on, lines are extended from the hash table to at least LINE_MIN moves if
 * possible. */
#define LINE_DEPTH 8
#define LINE_MIN   6

/* Interval of progress reports when there is nothing else to report. */
#define PROGRESS_INTERVAL_MS 1000

static int shown_lines(const Worker *worker) {
    return int_min(worker->shared->options.multi_pv, worker->state.root_move_count);
}

static bool is_heard(const SearchShared *shared) {
    return !atomic_load_explicit(&shared->is_silent, memory_order_relaxed);
}

/* Without a listener nothing is reported, so the clock need not be read. */
static bool has_listener(const SearchShared *shared) {
    return shared->sink.on_info != NULL || shared->sink.on_progress != NULL;
}

static int64_t search_ms(const Worker *worker) {
    return stoptimer_search_ms(&worker->shared->timer);
}

static void send_info(SearchShared *shared, SearchInfo *info) {
    if (shared->sink.on_info == NULL || !is_heard(shared)) {
        return;
    }
    info->nodes = worker_total_nodes(shared);
    info->time_ms = stoptimer_search_ms(&shared->timer);
    info->hashfull = tt_hashfull(&shared->tt);
    shared->sink.on_info(shared->sink.context, info);
}

/* Extends the line with hash moves until it is long enough, the game ends or a position repeats. */
static void lengthen(Worker *worker, Score score, PvLine *line) {
    int most = score_is_mate(score) ? int_min(abs(score_mate_plies(score)), LINE_MIN) : LINE_MIN;
    int played = 0;
    while (played < line->len) {
        pos_do(&worker->pos, line->moves[played++]);
    }
    Score ending;
    while (played < most && !gameend_score(worker, played, &ending)) {
        Move move = worker_tt_move(worker);
        if (move == MOVE_NONE) {
            break;
        }
        line->moves[played++] = move;
        pos_do(&worker->pos, move);
    }
    line->len = played;
    while (played-- > 0) {
        pos_undo(&worker->pos);
    }
}

static void send_with_line(Worker *worker, const RootMove *root, SearchInfo *info) {
    PvLine line = root->pv;
    if (info->depth >= LINE_DEPTH) {
        lengthen(worker, info->score, &line);
    }
    info->pv = line.moves;
    info->pv_len = line.len;
    send_info(worker->shared, info);
}

/* Reports one root move as a line. A move not yet searched in this iteration is shown with its
 * result from the last one. If its score fell outside the window, its last exact line is reported,
 * provided that this is from the current or previous iteration; otherwise its latest score, which
 * is only a bound. */
static void report_line(Worker *worker, const RootMove *root, int rank, int depth) {
    bool has_exact = root->exact_depth > 0;
    Score score = has_exact ? root->exact_score : rootmove_score(root);
    if (score == -SCORE_INFINITE) {
        return;
    }
    int earlier = int_max(depth - 1, 1);
    SearchInfo info = {.depth = has_exact                   ? root->exact_depth
                                : rootmove_is_current(root) ? depth
                                                            : earlier,
                       .seldepth = root->seldepth,
                       .rank = rank + 1,
                       .line_count = shown_lines(worker),
                       .score = score,
                       .bound = BOUND_EXACT};
    send_with_line(worker, root, &info);
}

static void send_lines(Worker *worker, const RootMove *roots, int depth) {
    int lines = shown_lines(worker);
    for (int rank = 0; rank < lines; rank++) {
        report_line(worker, &roots[rank], rank, depth);
    }
}

/* Who analyses wants the first line at once, and each line after it. */
static bool is_due(const Worker *worker, int64_t now_ms) {
    const SearchShared *shared = worker->shared;
    int interval = shared->limits.is_infinite ? 0 : shared->options.pv_interval;
    return now_ms - shared->reporter.last_ms >= interval;
}

/* Records that a report was sent, which makes the held report obsolete. */
static void note_report(Worker *worker) {
    Reporter *reporter = &worker->shared->reporter;
    reporter->last_ms = search_ms(worker);
    reporter->last_sent_ms = reporter->last_ms;
    reporter->is_held = false;
}

void report_begin(SearchShared *shared) {
    Reporter *reporter = &shared->reporter;
    reporter->last_ms = -shared->options.pv_interval; /* the first line is due at once */
    reporter->last_sent_ms = 0;
    reporter->finished_depth = 0;
    reporter->is_held = false;
}

void report_iteration(Worker *worker, int depth) {
    Reporter *reporter = &worker->shared->reporter;
    if (!has_listener(worker->shared)) {
        return;
    }
    reporter->finished_depth = depth;
    reporter->is_held = true;
    memcpy(reporter->finished, worker->root_moves, (size_t)shown_lines(worker) * sizeof(RootMove));
    /* With MultiPV, every depth is reported, even if the search is very short. */
    if (shown_lines(worker) > 1 || is_due(worker, search_ms(worker))) {
        report_at_once(worker, depth);
    }
}

static void send_finished(Worker *worker) {
    const Reporter *reporter = &worker->shared->reporter;
    send_lines(worker, reporter->finished, reporter->finished_depth);
    note_report(worker);
}

static void send_progress(Worker *worker, int depth, int64_t now_ms) {
    SearchShared *shared = worker->shared;
    shared->reporter.last_sent_ms = now_ms;
    if (shared->sink.on_progress != NULL && is_heard(shared)) {
        SearchProgress progress = {.depth = depth,
                                   .nodes = worker_total_nodes(shared),
                                   .time_ms = now_ms,
                                   .hashfull = tt_hashfull(&shared->tt)};
        shared->sink.on_progress(shared->sink.context, &progress);
    }
}

void report_root_move(Worker *worker, const RootMove *root, int depth) {
    const Reporter *reporter = &worker->shared->reporter;
    if (!has_listener(worker->shared)) {
        return;
    }
    /* With MultiPV, lines of an unfinished iteration are not reported, because a move might then
     * appear in two lines. The first move is reported with its iteration, or when it fails. */
    bool is_new_best = shown_lines(worker) == 1 && worker->state.pv_index == 0 &&
                       root != &worker->root_moves[0] && rootmove_is_current(root) &&
                       root->bound == BOUND_EXACT;
    int64_t now_ms = search_ms(worker);
    if (is_due(worker, now_ms) && is_new_best) {
        report_line(worker, root, 0, depth);
        note_report(worker);
    } else if (is_due(worker, now_ms) && reporter->is_held) {
        send_finished(worker);
    } else if (now_ms - reporter->last_sent_ms >= PROGRESS_INTERVAL_MS) {
        send_progress(worker, depth, now_ms);
    }
}

void report_at_once(Worker *worker, int depth) {
    send_lines(worker, worker->root_moves, depth);
    note_report(worker);
}

void report_fail(Worker *worker, int depth) {
    int rank = worker->state.pv_index;
    if (!worker->shared->options.output_fail_lhpv || rank >= shown_lines(worker) ||
        !is_due(worker, search_ms(worker))) {
        return;
    }
    const RootMove *root = &worker->root_moves[rank];
    SearchInfo info = {.depth = depth,
                       .seldepth = root->seldepth,
                       .rank = rank + 1,
                       .line_count = shown_lines(worker),
                       .score = root->score,
                       .bound = root->bound};
    send_with_line(worker, root, &info);
    note_report(worker);
}

void report_end(Worker *worker) {
    SearchShared *shared = worker->shared;
    if (shared->reporter.is_held && stoptimer_is_held(&shared->timer)) {
        send_finished(worker);
    }
}

/* Moves the played move's line of the last complete iteration to the position `rank`, because no
 * move may appear in two lines. If the move had no line, it replaces the last line. */
static void place_played(Reporter *reporter, const RootMove *played, int rank, int lines) {
    RootMove *finished = reporter->finished;
    int from = 0;
    while (from < lines - 1 && finished[from].move != played->move) {
        from++;
    }
    RootMove line = finished[from].move == played->move ? finished[from] : *played;
    for (; from > rank; from--) {
        finished[from] = finished[from - 1];
    }
    for (; from < rank; from++) {
        finished[from] = finished[from + 1];
    }
    finished[rank] = line;
}

void report_final(Worker *worker, int rank) {
    const RootMove *played = &worker->root_moves[rank];
    Reporter *reporter = &worker->shared->reporter;
    int depth = worker->state.root_depth;
    int lines = shown_lines(worker);
    int shown =
        int_min(rank, lines - 1); /* a limited skill level may play a move that is not shown */
    bool is_cut_short = worker->state.completed_depth < depth;
    if (lines > 1 && is_cut_short && reporter->finished_depth > 0) {
        place_played(reporter, played, shown, lines);
        send_finished(worker);
    } else if (lines > 1) {
        send_lines(worker, worker->root_moves, depth);
    }
    report_line(worker, played, shown, depth);
}

void report_verdict(SearchShared *shared, Score score, Move move, const char *remark) {
    int pv_len = move_is_real(move) ? 1 : 0;
    SearchInfo info = {.depth = pv_len,
                       .seldepth = pv_len,
                       .rank = 1,
                       .line_count = 1,
                       .score = score,
                       .bound = BOUND_EXACT,
                       .pv = &move,
                       .pv_len = pv_len,
                       .remark = remark};
    send_info(shared, &info);
}
