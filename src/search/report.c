#include "search/report.h"

#include "search/worker.h"

uint64_t report_nodes(const SearchShared *shared) {
    uint64_t sum = 0;
    for (int i = 0; i < shared->worker_count; i++) {
        sum += worker_nodes(shared->workers[i]);
    }
    return sum;
}

static int shown_lines(const Worker *worker) {
    return int_min(worker->shared->options.multi_pv, worker->run.root_count);
}

static void tell(SearchShared *shared, SearchInfo *info) {
    if (shared->sink.on_info == NULL) {
        return;
    }
    info->nodes = report_nodes(shared);
    info->time_ms = keeper_view(&shared->keeper).search_ms;
    info->hashfull = tt_hashfull(&shared->tt);
    shared->sink.on_info(shared->sink.context, info);
}

/* One root move as a line. Moves that this iteration has not reached yet are shown as the last one
 * left them. */
static void tell_line(Worker *worker, int rank, int depth) {
    const RootMove *root = &worker->root[rank];
    bool is_current = root->score != -SCORE_INFINITE;
    if (!is_current && root->previous_score == -SCORE_INFINITE) {
        return;
    }
    SearchInfo info = {.depth = is_current ? depth : int_max(depth - 1, 1),
                       .seldepth = root->seldepth,
                       .multipv = rank + 1,
                       .multi_pv = shown_lines(worker),
                       .score = is_current ? root->score : root->previous_score,
                       .bound = is_current ? root->bound : BOUND_EXACT,
                       .pv = root->pv.moves,
                       .pv_len = root->pv.len};
    tell(worker->shared, &info);
}

static void tell_lines(Worker *worker, int depth) {
    int lines = shown_lines(worker);
    for (int rank = 0; rank < lines; rank++) {
        tell_line(worker, rank, depth);
    }
}

static bool is_due(const Worker *worker) {
    const Reporter *reporter = &worker->run.reporter;
    int64_t now = keeper_view(&worker->shared->keeper).search_ms;
    return now - reporter->last_ms >= worker->shared->options.pv_interval_ms;
}

static void note_report(Worker *worker) {
    worker->run.reporter =
        (Reporter){.has_reported = true, .last_ms = keeper_view(&worker->shared->keeper).search_ms};
}

void report_iteration(Worker *worker, int depth) {
    worker->run.reporter.pending_depth = depth;
    report_pending(worker);
}

void report_pending(Worker *worker) {
    if (worker->run.reporter.pending_depth > 0 && is_due(worker)) {
        report_at_once(worker, worker->run.reporter.pending_depth);
    }
}

void report_at_once(Worker *worker, int depth) {
    tell_lines(worker, depth);
    note_report(worker);
}

void report_fail(Worker *worker, int depth) {
    if (worker->shared->options.reports_fail && is_due(worker)) {
        report_at_once(worker, depth);
    }
}

void report_final(Worker *worker, int rank) {
    int depth = worker->run.root_depth;
    if (shown_lines(worker) > 1) {
        tell_lines(worker, depth);
    }
    tell_line(worker, rank, depth);
}

void report_verdict(SearchShared *shared, Score score, const Move *pv, int pv_len) {
    SearchInfo info = {.depth = pv_len,
                       .seldepth = pv_len,
                       .multipv = 1,
                       .multi_pv = 1,
                       .score = score,
                       .bound = BOUND_EXACT,
                       .pv = pv,
                       .pv_len = pv_len};
    tell(shared, &info);
}
