/* engine.c: applies options, allocates what they require, and passes searches to the book, the mate
 * solver or the pool. */
#include "engine/engine.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/rng.h"
#include "base/xmem.h"
#include "engine/evalfile.h"
#include "engine/ownbook.h"
#include "eval/net.h"
#include "search/pool.h"

/* The thinking time after a ponderhit if neither it nor the go command stated a time. */
#define QUICK_ANSWER_MS 100

/* The longest brinkmate that `go mate` looks for. */
#define BRINK_MOVES 5

struct Engine {
    EngineOptions options;
    EngineHost host;
    Position pos;
    Pool *pool;
    uint32_t features; /* processor features for evaluation */
    MateTask *mate;    /* NULL unless the last search was a mate search */
    Rng rng;
    OwnBook book;
    NnueNet *net;       /* used by the pool; NULL: the hand-written evaluation */
    StrBuf net_choice;  /* the options that named it, see is_net_current; empty: none yet */
    uint64_t net_stamp; /* evalfile_stamp when it was read */
    bool has_wanted_net;
    EngineResources asked; /* last request to engine_prepare; the system may have provided less */
    int granted_mb;        /* table size provided for that request; 0: no request yet */
    StrBuf option_fault;   /* why the last option value was rejected */
    bool is_new_mate;      /* the next mate search must not use earlier results */
    bool is_new_game;      /* the next search must not use earlier table entries */

    bool is_pondering;
    bool is_guessing;   /* stochastic ponder: the search runs on the position one ply before the
                           given one */
    Position go_pos;    /* position of the ponder search, because the client may send another */
    GoLimits go_limits; /* limits of the ponder search */
    SearchSink go_sink;
};

void engine_limit_features(Engine *engine, uint32_t features) {
    engine->features &= features;
}

int engine_chance_scale(const Engine *engine) {
    return net_chance_scale(engine->net);
}

uint64_t engine_evaluation_id(const Engine *engine) {
    const NnueNet *net = engine->net;
    uint64_t state = net == NULL ? 0 : net->id + (uint64_t)net->fv.scale;
    return rng_splitmix(&state);
}

Engine *engine_create(void) {
    Engine *engine = xmem_calloc(1, sizeof(Engine));
    options_init(&engine->options);
    pos_init(&engine->pos);
    pos_init(&engine->go_pos);
    Setup start = setup_start();
    pos_set(&engine->pos, &start);
    engine->pool = pool_create();
    engine->features = cpu_features();
    /* Two processes may have the engine at the same address, but they do not start at the same
     * time. */
    engine->rng = rng_init((uint64_t)(uintptr_t)engine ^ (uint64_t)clock_ns());
    return engine;
}

void engine_free(Engine *engine) {
    if (engine == NULL) {
        return;
    }
    matetask_free(engine->mate);
    pool_free(engine->pool);
    net_free(engine->net);
    strbuf_free(&engine->net_choice);
    pos_free(&engine->pos);
    pos_free(&engine->go_pos);
    ownbook_free(&engine->book);
    options_free(&engine->options);
    strbuf_free(&engine->option_fault);
    free(engine);
}

OptionStatus engine_set_option(Engine *engine, StrView name, StrView value) {
    const ArgOption *option = options_find(name);
    bool is_param = option != NULL && option->fixed != NULL;
    if (is_param) {
        /* A parameter of a tuning build, which a search reads while it runs. */
        engine_stop(engine);
        engine_wait(engine);
    }
    strbuf_clear(&engine->option_fault);
    OptionStatus status = options_set(&engine->options, name, value, &engine->option_fault);
    return status;
}

void engine_set_number(Engine *engine, StrView name, int value) {
    StrBuf text = STRBUF_INIT;
    strbuf_add_i64(&text, value);
    OptionStatus status = engine_set_option(engine, name, strbuf_view(&text));
    ASSERT(status == OPTION_OK);
    (void)status;
    strbuf_free(&text);
}

const char *engine_option_fault(const Engine *engine) {
    return engine->option_fault.ptr;
}

void engine_set_host(Engine *engine, const EngineHost *host) {
    engine->host = *host;
    engine->options.debug_log_file.accept = host->open_log;
    engine->options.debug_log_file.context = host->context;
}

const EngineOptions *engine_options(const Engine *engine) {
    return &engine->options;
}

void engine_set_position(Engine *engine, const Position *pos) {
    pos_copy(&engine->pos, pos);
}

const Position *engine_position(const Engine *engine) {
    return &engine->pos;
}

void engine_new_game(Engine *engine) {
    pool_new_game(engine->pool);
    engine->is_new_game = true;
    engine->is_new_mate = true;
}

EngineResources engine_wanted(const Engine *engine) {
    return (EngineResources){engine->options.usi_hash, engine->options.threads};
}

/* ---- Notes for the user. ---- */

/* Passes the note to the host and frees it. */
static void send_note(const Engine *engine, StrBuf *note) {
    if (engine->host.on_note != NULL) {
        engine->host.on_note(engine->host.context, strbuf_view(note));
    }
    strbuf_free(note);
}

static void note_resources(const Engine *engine, EngineResources wanted, EngineResources got) {
    StrBuf note = STRBUF_INIT;
    if (got.hash_mb != wanted.hash_mb) {
        strbuf_addf(&note, "error USI_Hash: cannot allocate %d MB; the hash table has %d MB",
                    wanted.hash_mb, got.hash_mb);
        send_note(engine, &note);
    }
    if (got.threads != wanted.threads) {
        strbuf_addf(&note, "error Threads: only %d of %d threads could be started", got.threads,
                    wanted.threads);
        send_note(engine, &note);
    }
}

/* Opens the host's book. A book that cannot be used is noted once, and play continues without
 * it. */
static void open_own_book(Engine *engine, const Watch *watch) {
    const Watch host_watch = {.cancel = engine->host.cancel};
    const char *why = engine->host.has_book ? ownbook_open(&engine->book, &engine->options.book,
                                                           watch != NULL ? watch : &host_watch)
                                            : NULL;
    if (why != NULL) {
        StrBuf note = STRBUF_INIT;
        strbuf_addf(&note, "error BookFile: %s ", why);
        cmdline_quote(strbuf_view(&engine->book.path), &note);
        send_note(engine, &note);
    }
}

/* ---- Preparation. ---- */

/* The network that the options name. */
static EvalChoice choice_of(const EngineOptions *options) {
    return (EvalChoice){strbuf_view(&options->eval_file.path), strbuf_view(&options->eval_dir.path),
                        options->fv_scale};
}

/* True if the network in use is the one that the options name, and its file has not been written or
 * replaced since: it may be mapped, and then the network has changed, too. *choice and *stamp
 * become what to remember of the one that they name. */
static bool is_net_current(const Engine *engine, StrBuf *choice, uint64_t *stamp) {
    EvalChoice wanted = choice_of(&engine->options);
    strbuf_add(choice, wanted.file);
    strbuf_add_byte(choice, '\n');
    strbuf_add(choice, wanted.folder);
    strbuf_addf(choice, "\n%d", wanted.fv_scale);
    *stamp = evalfile_stamp(&wanted);
    return sv_equal(strbuf_view(choice), strbuf_view(&engine->net_choice)) &&
           (*stamp == 0 || *stamp == engine->net_stamp);
}

/* Switches to the network that the options name or, if that cannot be used, to the built-in one.
 * Says why not, and which foreign network is used. Returns true if the network was switched;
 * everything learned with the old evaluation is then useless. */
static bool switch_net(Engine *engine) {
    StrBuf names = STRBUF_INIT, note = STRBUF_INIT;
    uint64_t stamp;
    if (is_net_current(engine, &names, &stamp)) {
        strbuf_free(&names);
        return false;
    }
    EvalChoice choice = choice_of(&engine->options);
    NnueNet *net = NULL;
    const char *why = NULL;
    if (!evalfile_load(&choice, &net, &why)) {
        strbuf_addf(&note, "error %s: %s ", choice.file.len > 0 ? "EvalFile" : "EvalDir", why);
        cmdline_quote(evalfile_name(&choice), &note);
        strbuf_add_str(&note, "; using the built-in network");
        send_note(engine, &note);
        choice = (EvalChoice){.file = SV("<internal>")};
        net = evalfile_embedded();
    }
    if (net == NULL && sv_equal(evalfile_name(&choice), SV("<internal>"))) {
        strbuf_add_str(&note, "error EvalFile: the file built into this program is not a network; "
                              "using the hand-written evaluation");
        send_note(engine, &note);
    } else if (net != NULL && net->layers != NULL) {
        net_append_note(net, &note);
        send_note(engine, &note);
    }
    pool_set_net(engine->pool, net, engine->features);
    pool_new_game(engine->pool);
    net_free(engine->net);
    strbuf_free(&engine->net_choice);
    engine->net = net;
    engine->net_choice = names;
    engine->net_stamp = stamp;
    engine->has_wanted_net = why == NULL;
    return true;
}

bool engine_has_wanted_net(const Engine *engine) {
    return engine->has_wanted_net;
}

bool engine_is_prepared(Engine *engine) {
    const TransTable *tt = pool_table(engine->pool);
    StrBuf names = STRBUF_INIT;
    uint64_t stamp;
    bool has_net = is_net_current(engine, &names, &stamp);
    strbuf_free(&names);
    return engine->mate == NULL && tt->buckets != NULL && has_net &&
           engine->asked.hash_mb == engine->options.usi_hash &&
           engine->asked.threads == engine_wanted(engine).threads &&
           !(engine->is_new_game && tt->is_used);
}

/* Resizes the table. If the new size does not fit, restores the size that the table had before it
 * was freed. The first table may be smaller than requested, because without any table the search
 * would be very slow. */
static void resize_table(TransTable *tt, int wanted_mb, size_t old_mb) {
    bool is_done = tt_resize(tt, (size_t)wanted_mb);
    if (!is_done && tt->buckets == NULL && old_mb > 0) {
        is_done = tt_resize(tt, old_mb);
    }
    for (int mb = wanted_mb / 2; !is_done && tt->buckets == NULL && mb >= TT_MIN_MB; mb /= 2) {
        is_done = tt_resize(tt, (size_t)mb);
    }
}

/* The table size to request. A size that could not be allocated is not tried again, not even after
 * a mate search has freed the table. */
static int granted_mb(const Engine *engine, int wanted_mb) {
    bool is_known = engine->granted_mb > 0 && wanted_mb == engine->asked.hash_mb;
    return is_known ? engine->granted_mb : wanted_mb;
}

/* Searches a little before the first game, so that the system provides the memory of stacks,
 * network and code now and the first move loses no time to it. Clear the table and the histories
 * afterwards. */
static void warm_up(Engine *engine, int threads) {
    enum { NODES_PER_THREAD = 1000 };
    Position pos;
    pos_init(&pos);
    Setup start = setup_start();
    pos_set(&pos, &start);
    GoLimits limits = {.nodes = (uint64_t)threads * NODES_PER_THREAD};
    SearchOptions options = {.multi_pv = 1, .resign_value = SCORE_INFINITE};
    pool_start(engine->pool,
               &(SearchRequest){
                   .pos = &pos, .limits = &limits, .options = &options, .start_ns = clock_ns()});
    pool_wait(engine->pool, NULL);
    pos_free(&pos);
}

EngineResources engine_prepare(Engine *engine, EngineResources wanted, const Watch *watch) {
    matetask_free(engine->mate);
    engine->mate = NULL;
    TransTable *tt = pool_table(engine->pool);
    bool is_urgent = watch == NULL;
    /* A waiting search keeps what was learned, because it may be in the middle of a game. */
    bool is_stale = switch_net(engine) || engine->is_new_game || !is_urgent;
    bool was_used = tt->is_used && is_stale;
    size_t old_mb = tt->mb;
    if (is_urgent && was_used) {
        tt_free(tt); /* new memory is empty */
    }
    /* Threads come first: a smaller table is acceptable, but without a thread there is no
     * search. */
    int threads = pool_set_threads(engine->pool, wanted.threads);
    int wanted_mb = is_urgent ? granted_mb(engine, wanted.hash_mb) : wanted.hash_mb;
    resize_table(tt, wanted_mb, old_mb);
    engine->granted_mb = (int)tt->mb;
    bool is_dirty = was_used || !tt->is_faulted_in;
    if (!is_urgent && tt->buckets != NULL && is_dirty) {
        if (!was_used) {
            warm_up(engine, threads);
        }
        tt_clear(tt, int_min(threads, cpu_cores()), watch);
    }
    if (is_stale) {
        pool_forget(engine->pool,
                    is_urgent ? NULL : watch->cancel); /* needed even if the table has not changed,
                                                          as after a mate search */
    }
    engine->asked = wanted;
    engine->is_new_game = is_stale && tt->is_used; /* true if clearing was interrupted */
    EngineResources got = {(int)tt->mb, threads};
    note_resources(engine, wanted, got);
    bool has_own_scale = engine->net == NULL || engine->net->layers == NULL;
    if (!is_urgent && has_own_scale && engine->options.fv_scale != 0) {
        StrBuf note = STRBUF_INIT;
        strbuf_add_str(&note, "FV_SCALE is ignored: it is for networks of other programs");
        send_note(engine, &note);
    }
    open_own_book(engine, watch);
    return got;
}

/* The random number for a search. With a seed it depends only on the seed and the position. */
static uint64_t random_of(Engine *engine, const Position *pos) {
    uint64_t state = (uint64_t)engine->options.seed ^ pos_key(pos);
    return engine->options.seed != 0 ? rng_splitmix(&state) : rng_next(&engine->rng);
}

static void start_with(Engine *engine, const SearchOptions *options, const Position *pos,
                       const GoLimits *limits, int64_t start_ns) {
    SearchRequest request = {.pos = pos,
                             .limits = limits,
                             .options = options,
                             .sink = engine->go_sink,
                             .start_ns = start_ns,
                             .random = random_of(engine, pos)};
    pool_start(engine->pool, &request);
}

static void start_search(Engine *engine, const Position *pos, const GoLimits *limits,
                         int64_t start_ns) {
    SearchOptions options;
    options_for_search(&engine->options, &options);
    start_with(engine, &options, pos, limits, start_ns);
}

/* Starts the search of the position before the opponent's expected move (stochastic ponder). The
 * given search moves do not apply to that position. For the opponent, a draw is worth the negative
 * of its value for us. */
static void start_guessing(Engine *engine, const GoLimits *limits, int64_t start_ns) {
    GoLimits all_moves = *limits;
    all_moves.search_move_count = 0;
    Position before;
    pos_init(&before);
    pos_copy(&before, &engine->pos);
    pos_undo(&before);
    SearchOptions options;
    options_for_search(&engine->options, &options);
    options.draw_value[before.side] = -options.draw_value[color_flip(before.side)];
    start_with(engine, &options, &before, &all_moves, start_ns);
    pos_free(&before);
}

/* True if a book may answer instead of a search. */
static bool may_use_book(const Engine *engine, const GoLimits *limits) {
    return !limits->is_infinite && limits->search_move_count == 0 &&
           engine->options.book.usi_own_book && !engine->options.consideration_mode;
}

static int brink_moves(const Engine *engine) {
    return engine->options.mate_mode == MATE_MODE_HISSHI ? BRINK_MOVES : 0;
}

const char *engine_mate_refusal(const Engine *engine) {
    return matetask_refusal(&engine->pos, brink_moves(engine) == 0);
}

static void go_mate(Engine *engine, const GoLimits *limits, const MateSink *sink,
                    int64_t start_ns) {
    if (engine->mate == NULL) {
        tt_free(pool_table(engine->pool)); /* makes room for the table of the mate search */
        engine->mate = matetask_create();
    }
    EngineResources wanted = engine_wanted(engine);
    uint64_t most = engine->options.search.nodes_limit; /* the smaller limit counts; 0: none */
    bool is_option_less = limits->nodes == 0 || (most > 0 && most < limits->nodes);
    MateRequest request = {.pos = &engine->pos,
                           .options = engine->options.mate,
                           .effort = {.hash_mb = granted_mb(engine, wanted.hash_mb),
                                      .threads = wanted.threads,
                                      .time_ms = limits->mate_ms,
                                      .nodes = is_option_less ? most : limits->nodes},
                           .start_ns = start_ns,
                           .keeps_table = !engine->is_new_mate,
                           .brink_moves = brink_moves(engine),
                           .sink = *sink};
    request.options.lines = engine->options.search.multi_pv;
    request.options.defends = engine->options.mate_mode == MATE_MODE_DEFENCE;
    engine->is_new_mate = false;
    int table_mb = matetask_start(engine->mate, &request);
    note_resources(engine, wanted, (EngineResources){table_mb, wanted.threads});
}

void engine_go(Engine *engine, const GoLimits *limits, const EngineSink *sink, int64_t start_ns) {
    engine_wait(engine);
    if (limits->is_mate) {
        go_mate(engine, limits, &sink->mate, start_ns);
        return;
    }
    if (!engine_is_prepared(engine)) {
        engine_prepare(engine, engine_wanted(engine), NULL);
    } else {
        open_own_book(engine, NULL);
    }
    engine->go_limits = *limits;
    engine->go_sink = sink->search;
    if (!limits->is_ponder && may_use_book(engine, limits) &&
        ownbook_answer(&engine->book, &engine->options.book, &engine->pos,
                       random_of(engine, &engine->pos), &engine->go_sink)) {
        return;
    }
    engine->is_new_game = false;
    engine->is_pondering = limits->is_ponder;
    if (limits->is_ponder) {
        pos_copy(&engine->go_pos, &engine->pos);
    }
    engine->is_guessing = limits->is_ponder && engine->options.stochastic_ponder &&
                          move_is_real(engine->pos.now->move);
    if (engine->is_guessing) {
        start_guessing(engine, limits, start_ns);
    } else {
        start_search(engine, &engine->pos, limits, start_ns);
    }
}

/* The context of engine_search's callbacks. */
typedef struct Listener {
    const SearchSink *sink; /* the caller's sink, or NULL */
    SearchResult *result;
} Listener;

static void pass_info(void *context, const SearchInfo *info) {
    const Listener *listener = context;
    if (listener->sink != NULL && listener->sink->on_info != NULL) {
        listener->sink->on_info(listener->sink->context, info);
    }
}

static void keep_result(void *context, const SearchResult *result) {
    *((Listener *)context)->result = *result;
}

void engine_search(Engine *engine, const GoLimits *limits, const SearchSink *sink,
                   const _Atomic bool *cancel, SearchResult *result) {
    Listener listener = {sink, result};
    EngineSink own = {
        .search = {.context = &listener, .on_info = pass_info, .on_done = keep_result}};
    engine_go(engine, limits, &own, clock_ns());
    pool_wait(engine->pool, cancel);
}

void engine_stop(Engine *engine) {
    engine->is_pondering = false;
    if (engine->mate != NULL) {
        matetask_stop(engine->mate);
    }
    pool_stop(engine->pool);
}

/* Replaces the times of a search. Clocks are ignored while a fixed time is set, so new clocks also
 * remove the fixed time. */
static void replace_clocks(GoLimits *limits, const GoLimits *clocks) {
    if (clocks != NULL && clocks->has_clock) {
        limits->has_clock = true;
        limits->time_ms[BLACK] = clocks->time_ms[BLACK];
        limits->time_ms[WHITE] = clocks->time_ms[WHITE];
        limits->inc_ms[BLACK] = clocks->inc_ms[BLACK];
        limits->inc_ms[WHITE] = clocks->inc_ms[WHITE];
        limits->byoyomi_ms = clocks->byoyomi_ms;
        limits->moves_to_go = clocks->moves_to_go;
    } else if (clocks != NULL && clocks->moves_to_go > 0) {
        limits->moves_to_go = clocks->moves_to_go;
    }
    if (clocks != NULL && (clocks->has_clock || clocks->movetime_ms > 0 || clocks->rtime_ms > 0)) {
        limits->movetime_ms = clocks->movetime_ms;
        limits->rtime_ms = clocks->rtime_ms;
    }
    bool has_end = limits->has_clock || limits->movetime_ms > 0 || limits->rtime_ms > 0 ||
                   limits->depth > 0 || limits->nodes > 0 || limits->is_infinite;
    if (!has_end) {
        limits->movetime_ms = QUICK_ANSWER_MS;
    }
}

void engine_ponderhit(Engine *engine, const GoLimits *clocks, int64_t now_ns) {
    if (!engine->is_pondering) {
        return;
    }
    engine->is_pondering = false;
    GoLimits *limits = &engine->go_limits;
    replace_clocks(limits, clocks);
    limits->is_ponder = false;
    const Position *pos = &engine->go_pos;
    uint64_t random = random_of(engine, pos);
    if (may_use_book(engine, limits) &&
        ownbook_answer(&engine->book, &engine->options.book, pos, random, NULL)) {
        pool_abort(engine->pool);
        (void)ownbook_answer(&engine->book, &engine->options.book, pos, random, &engine->go_sink);
    } else if (engine->is_guessing) {
        pool_abort(engine->pool);
        start_search(engine, pos, limits, now_ns);
    } else if (!limits->is_infinite) {
        pool_ponderhit(engine->pool, limits, now_ns);
    }
}

void engine_wait(Engine *engine) {
    if (engine->mate != NULL) {
        matetask_wait(engine->mate);
    }
    pool_wait(engine->pool, NULL);
}

bool engine_is_searching(Engine *engine) {
    return pool_is_busy(engine->pool) || (engine->mate != NULL && matetask_is_busy(engine->mate));
}
