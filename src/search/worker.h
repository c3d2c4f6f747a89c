/* worker.h: the state of one search thread, and the state shared by all of them.
 *
 * A Worker belongs to its thread; of another thread's worker only `nodes` may be read while it
 * searches. SearchShared: the table, the timer and the iteration look after themselves, and some
 * members say who may touch them; the rest is written before the workers start and only read while
 * they run. */
#ifndef KMD_SEARCH_WORKER_H
#define KMD_SEARCH_WORKER_H

#include <stdatomic.h>

#include "rules/position.h"
#include "search/history.h"
#include "search/rootmate.h"
#include "search/searchopt.h"
#include "search/shared_iteration.h"
#include "search/sinfo.h"
#include "search/stats.h"
#include "search/stoptimer.h"
#include "search/tt.h"
#include "search/verify.h"

/* Worker 0's last report to the sink since the search started, and the report that it holds back.
 */
typedef struct Reporter {
    int64_t last_ms;           /* of the last lines */
    int64_t last_sign_ms;      /* of the last sign of life, lines or not */
    int whole_depth;           /* the last iteration that was finished; 0: none */
    bool is_held;              /* its report is held back */
    RootMove whole[MAX_MOVES]; /* its lines, as they were at its end */
} Reporter;

/* One ply of the line being searched. */
typedef struct Stack {
    CorrectionPlace corrections;          /* of the position, unless in check; see worker_probe */
    Move move;                            /* played from here; MOVE_NULL for a null move */
    Piece moved_piece;                    /* as it stood after the move; NO_PIECE: a null move */
    PieceToHistory *continuation_history; /* how answers to that move fared */
    PieceToCorrection *continuation_correction; /* NULL for a null move and above the root */
    Move killers[2];                            /* quiet moves that refuted siblings */
    Move excluded_move;    /* left out by the singular test; usually MOVE_NONE */
    bool is_quiet;         /* the move neither captures nor promotes, nor is null */
    bool in_check;         /* the side to move here is in check */
    bool tt_pv;            /* the node is or was on a principal variation */
    bool is_unpruned;      /* the node itself must not be pruned: it checks that (verify.h) */
    int move_count;        /* which of its node's moves the move is, from 1 */
    int reduction;         /* plies that the move is reduced by just now */
    int stat_score;        /* the combined histories of the move */
    int cutoff_count;      /* beta cutoffs of the nodes here since their grandparent began */
    int double_extensions; /* on the line so far */
    Score static_eval;     /* corrected; SCORE_NONE in check */
} Stack;

/* The state of one search of one worker. Assigned as a whole when the search begins. */
typedef struct SearchState {
    uint64_t node_quota; /* this worker's search ends when `nodes` reaches this, */
    bool is_used_up;     /* and it has: see worker_enter_node */
    bool is_committed;   /* continues regardless of the flag, up to its quota: worker 0 until it has
                            an answer */
    bool is_overtaken;   /* another worker has finished this iteration, so it should stop */
    int seldepth;        /* deepest ply of the current root move */
    int completed_depth;
    bool is_proved; /* root move 0 is the first of a mate by the solver */
    int root_count;
    int root_depth;           /* of the iteration that runs */
    uint64_t iteration_nodes; /* when the last one was finished */
    Score root_delta;         /* width of the root's window */
    int nmp_min_ply;          /* no null moves above this ply while one is verified; 0: none is */
    int pv_index;             /* root moves before this one have been ranked in this iteration */
    TimeFeedback feedback;    /* worker 0 only */
} SearchState;

typedef struct SearchShared {
    TransTable tt;
    StopTimer timer;
    SharedIteration iteration;
    RootMate root_mate; /* worker 0 alone touches it while it searches, */
    Reporter reporter;  /* and this */
    SearchOptions options;
    GoLimits limits;
    Position pos; /* the root */
    SearchSink sink;
    _Atomic bool is_silent; /* the sink gets no more reports of this search; set by the owner */
    struct Worker *const *workers;
    int worker_count;
} SearchShared;

struct NnueNet;

typedef struct Worker {
    int index; /* 0 is the one that reports and decides when to end */
    SearchShared *shared;
    Position pos;
    struct NnueEvaluator *evaluator; /* NULL: the hand-written evaluation */

    _Atomic uint64_t nodes; /* moves made in this search; written by the owner only, relaxed */
    SearchState state;
    RootMove root[MAX_MOVES];  /* each is assigned as a whole too, */
    Stack stack[MAX_PLY + 2];  /* and so are these */
    PvLine lines[MAX_PLY + 2]; /* best line from each ply; emptied by each node on entry */

    SearchStats stats; /* of all searches; in tuning builds only, */
    Verify verify;     /* as this */

    /* Kept from search to search, cleared for a new game. */
    bool is_new_game; /* it must be cleared before the next search */
    bool has_learned; /* it has been used since it was cleared */
    History history;  /* the last and by far the largest part: see worker_create */
} Worker;

/* True when the search, or at least this iteration, must end: a function that sees it returns at
 * once, and its score means nothing. */
static inline bool worker_is_stopped(const Worker *worker) {
    const SearchState *state = &worker->state;
    return state->is_overtaken || state->is_used_up ||
           (stoptimer_is_stopped(&worker->shared->timer) && !state->is_committed);
}

/* Enters a node `ply` plies below the root. False when the search must end. The node that uses up
 * the quota is still searched, but nothing below it. */
static inline bool worker_enter_node(Worker *worker, int ply) {
    const SearchShared *shared = worker->shared;
    worker->state.is_overtaken |=
        shared_iteration_has_passed(&shared->iteration, worker->state.root_depth) &&
        !worker->state.is_committed;
    if (worker_is_stopped(worker)) {
        return false;
    }
    worker->state.seldepth = int_max(worker->state.seldepth, ply);
    uint64_t nodes = atomic_load_explicit(&worker->nodes, memory_order_relaxed);
    worker->state.is_used_up = nodes >= worker->state.node_quota;
    return true;
}

static inline uint64_t worker_nodes(const Worker *worker) {
    return atomic_load_explicit(&worker->nodes, memory_order_relaxed);
}

/* Plays a legal move of the node at `ply` and records it in the node's stack entry; worker_undo
 * takes it back. Each move played counts as one node; null moves, and a node that is searched again
 * at another depth or window, do not count. */
void worker_do(Worker *worker, int ply, Move move);
void worker_undo(Worker *worker);

/* The same for a pass. */
void worker_do_null(Worker *worker, int ply);
void worker_undo_null(Worker *worker);

/* A worker that knows nothing, with the hand-written evaluation; NULL when memory is short. Most of
 * it is touched only as it learns, so that the thread which will use it should call this. */
Worker *worker_create(SearchShared *shared, int index);

/* NULL is allowed. */
void worker_free(Worker *worker);

/* Evaluates with this network from now on, or with the hand-written evaluation for NULL. False,
 * with that evaluation, when memory is short. */
bool worker_use_net(Worker *worker, const struct NnueNet *net, uint32_t features) MUST_CHECK;

/* Clears what is kept from search to search. */
void worker_forget(Worker *worker);

/* The static evaluation of the worker's position, the side to move's view, within -SCORE_EVAL_MAX
 * .. SCORE_EVAL_MAX. */
Score worker_evaluate(Worker *worker);

/* The table's entry of the worker's position, as tt_probe; meanwhile the corrections of the
 * position are prefetched for the node at `ply`. */
bool worker_probe(Worker *worker, int ply, TtEntry *entry);

/* The static evaluation of the node at `ply` with the corrections for such positions, which
 * worker_probe has located. */
Score worker_correct(const Worker *worker, int ply, Score raw_eval);

/* The continuation history of "no such move": all zeros, never written. */
PieceToHistory *worker_no_continuation(Worker *worker);

/* The continuation histories of the moves made 1, 2, 3, 4 and 6 plies before the node at `ply`. */
void worker_continuations(Worker *worker, int ply, PieceToHistory *continuations[CONTINUATION_NB]);

/* The static evaluation of the node `back` plies before, SCORE_NONE in check or above the root. */
Score worker_eval_before(const Worker *worker, int ply, int back);

/* Where the quiet move that last refuted the move before the node at `ply` is kept; NULL after a
 * pass. */
Move *worker_counter(Worker *worker, int ply);

/* The line of `ply` becomes `move` and the line of the next ply. */
void worker_update_pv(Worker *worker, int ply, Move move);

/* The table's move for the worker's position; MOVE_NONE if unknown. */
Move worker_table_move(const Worker *worker);

/* The number of lines that the search must rank: the option, or more for a weak level to choose
 * from, at most the number of moves. */
int worker_line_count(const Worker *worker);

/* The value of a draw for the side to move. */
Score worker_draw_score(const Worker *worker);

#endif
