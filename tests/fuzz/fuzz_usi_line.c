/* fuzz_usi_line.c: parses any bytes as lines from a client. Accepted values must be within their
 * documented limits. */
#include <stdlib.h>

#include "engine/options.h"
#include "engine/usi_text.h"
#include "rules/position.h"
#include "search/stoptimer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void demand(bool condition) {
    if (!condition) {
        abort();
    }
}

static bool is_inside(StrView part, StrView whole) {
    return part.len == 0 || (part.ptr >= whole.ptr && part.ptr + part.len <= whole.ptr + whole.len);
}

static void try_position(StrView line) {
    Position pos;
    UsiFault fault;
    pos_init(&pos);
    if (usimove_position(line, &pos, &fault)) {
        demand(fault.text == NULL && pos_ok(&pos));
    } else {
        demand(fault.text != NULL && is_inside(fault.word, line));
    }
    pos_free(&pos);
}

static void try_go(StrView line) {
    GoLimits limits;
    UsiFault fault;
    usi_parse_go(line, 0, &limits, &fault);
    demand(fault.text == NULL || fault.word.len == 0 || fault.word.ptr != NULL);
    demand(limits.time_ms[BLACK] >= 0 && limits.time_ms[WHITE] >= 0 && limits.byoyomi_ms >= 0);
    demand(limits.inc_ms[BLACK] >= 0 && limits.inc_ms[WHITE] >= 0 && limits.movetime_ms >= 0);
    demand(limits.depth >= 0 && limits.mate_ms >= 0 && limits.rtime_ms >= 0);
    demand(limits.search_move_count >= 0 && limits.search_move_count <= MAX_MOVES);
    if (fault.is_nonsense) {
        return; /* the line starts no search */
    }
    /* Only an infinite search may have no limit. */
    TimeOptions options = {.network_delay = 20, .network_delay2 = 50, .slow_mover = 100};
    TimePlan plan = stoptimer_plan(&limits, &options, BLACK, 1, 12345);
    demand(!plan.is_timed || (plan.hard_ms >= 1 && plan.soft_ms <= plan.hard_ms));
    demand(limits.is_infinite || limits.is_ponder || limits.is_mate || plan.is_timed ||
           limits.depth > 0 || limits.nodes > 0 || limits.perft_depth > 0);
}

static void try_setoption(StrView line) {
    StrView name;
    StrView value;
    if (!usi_parse_setoption(line, &name, &value)) {
        return;
    }
    demand(name.len > 0 && is_inside(name, line) && is_inside(value, line));
    EngineOptions options;
    options_init(&options);
    StrBuf fault = STRBUF_INIT;
    if (options_set(&options, name, value, &fault) == OPTION_OK) {
        demand(fault.len == 0);
        demand(options.threads >= 1 && options.usi_hash >= 1 && options.search.multi_pv >= 1);
    }
    options_free(&options);
    strbuf_free(&fault);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    StrView text = {(const char *)data, len};
    StrView line;
    pos_init_tables();
    while (sv_next_line(&text, &line)) {
        try_position(line);
        try_go(line);
        try_setoption(line);
    }
    return 0;
}
