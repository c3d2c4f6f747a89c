/* worker.h: the state of one search thread (Worker), and the state that all search threads share
 * (SearchShared).
 *
 * A Worker belongs to its thread. Other threads may read only `nodes` while it searches. In
 * SearchShared, the table, the timer and the iteration are thread-safe; the comments of some other
 * members name the only thread that uses them. All other members are written before the workers
 * start and only read while they run. */
#ifndef KMD_SEARCH_WORKER_H
#define KMD_SEARCH_WORKER_H

#include <stdatomic.h>

#include "mate/matesolver.h"
#include "rules/position.h"
#include "search/history.h"
#include "search/search.h"
#include "search/stoptimer.h"
#include "search/tt.h"

/* What worker 0 has reported since the search started, and the report that it still holds back. */
typedef struct Reporter {
    int64_t last_ms;              /* time of the last report of lines */
    int64_t last_sent_ms;         /* time of the last report of any kind, including progress */
    int finished_depth;           /* last finished iteration; 0: none */
    bool is_held;                 /* the report of that iteration is held back */
    RootMove finished[MAX_MOVES]; /* the lines at the end of that iteration */
} Reporter;

/* A node may look this many plies back, even at the root. */
enum { STACK_BEFORE = 6 };

/* One ply of the current line. */
typedef struct Stack {
    HistoryPlace place; /* set by the move that leads to the node; in check only pawn_history is
                           used */
    Move move;          /* move made here; MOVE_NULL for a null move */
    Piece moved_piece;  /* the piece after the move, possibly promoted; NO_PIECE for a null move */
    PieceToHistory *continuation_history;       /* histories of the replies to the move */
    PieceToCorrection *continuation_correction; /* NULL for a null move */
    Move killers[2];                            /* quiet best moves of sibling nodes */
    Move excluded_move;    /* skipped during a singular search; otherwise MOVE_NONE */
    bool is_quiet;         /* the move neither captures nor promotes and is not a null move */
    bool in_check;         /* the side to move here is in check */
    bool tt_pv;            /* the node is or was on a principal variation */
    int move_count;        /* number of the move in its node, from 1; 0 at the root */
    int reduced_plies;     /* of the search below the move; that node reads it and sets it to 0 */
    int stat_score;        /* the combined histories of the move; 0 at the root */
    int cutoff_count;      /* beta cutoffs at this ply within the node two plies above */
    int double_extensions; /* number of double extensions on the line so far */
    Score static_eval;     /* static evaluation with corrections; SCORE_NONE in check */
} Stack;

/* The state of a worker during one search. This struct is assigned as a whole at the start of the
 * search. */
typedef struct SearchState {
    uint64_t node_quota; /* this worker's search ends when `nodes` reaches this */
    bool is_used_up;     /* the quota is used up; see worker_enter_node */
    bool is_committed;   /* ignore the stop flag, but not the quota; true for worker 0 until it has
                            a move to play */
    bool is_overtaken;   /* another worker has finished this iteration, so this worker must stop */
    bool has_threefold;  /* a position up to the root has occurred three times in the game */
    int seldepth;        /* deepest ply of the current root move */
    int completed_depth;
    bool is_proved; /* root_moves[0] starts a mate found by the mate solver */
    int root_move_count;
    int root_depth;   /* depth of the current iteration */
    Score root_delta; /* width of the root window */
    int nmp_min_ply;  /* while a null move cutoff is verified, no null moves above this ply; 0: no
                         verification */
    int pv_index;     /* the root moves before this index have been ranked in this iteration */
    TimeFeedback feedback; /* worker 0 only */
} SearchState;

/* The iteration that the workers of a search share: all search the same depth, and the first to
 * finish shares its line; the others stop, adopt it and continue one ply deeper. */
typedef struct SharedIteration {
    _Atomic int depth; /* the deepest finished iteration; nodes read it, relaxed */
    pthread_mutex_t lock;
    RootMove best; /* the best move of that iteration; guarded by `lock` */
} SharedIteration;

/* The mate solver at the root. Only one thread at a time may use it: the pool's owner, and worker 0
 * during a search. */
typedef struct RootMate {
    MateSolver *solver; /* NULL until it is first needed */
    uint64_t needed;    /* solver nodes of the slice that found this search's mate; 0: none found */
    uint64_t spent;     /* solver nodes used in this search */
    uint64_t promised;  /* solver nodes of the first slice, whatever the nodes searched */
    bool is_over;       /* the solver has nothing more to look for in this search */
    MateAnswer answer;
} RootMate;

typedef struct SearchShared {
    TransTable tt;
    StopTimer timer;
    SharedIteration iteration;
    RootMate root_mate;
    Reporter reporter; /* only worker 0 uses it during a search */
    SearchOptions options;
    GoLimits limits;
    Position pos; /* the root */
    SearchSink sink;
    SearchHooks hooks;
    _Atomic bool is_silent; /* suppress further reports of this search; set by the owner */
    struct Worker *const *workers;
    int worker_count;
} SearchShared;

struct NnueNet;
struct PickContext;

typedef struct Worker {
    int index; /* worker 0 reports and decides when to end */
    SearchShared *shared;
    Position pos;
    struct NnueEvaluator *evaluator; /* NULL: the hand-written evaluation */

    _Atomic uint64_t nodes; /* moves made in this search; relaxed, only the owner writes it */
    SearchState state;
    RootMove root_moves[MAX_MOVES];          /* filled by root_prepare */
    Stack stack[STACK_BEFORE + MAX_PLY + 3]; /* see worker_stack */
    PvLine lines[MAX_PLY + 2]; /* best line from each ply; a node clears its line on entry */

    /* Kept from one search to the next and cleared for a new game. */
    bool is_new_game; /* must be cleared before the next search */
    History history;  /* the last and by far the largest member: see worker_create */
} Worker;

/* True if the search, or at least this iteration, must end. A function that finds it true returns
 * at once, and its score is meaningless. */
static inline bool worker_is_stopped(const Worker *worker) {
    const SearchState *state = &worker->state;
    return state->is_overtaken || state->is_used_up ||
           (stoptimer_is_stopped(&worker->shared->timer) && !state->is_committed);
}

/* True if a worker has finished an iteration of at least this depth. */
static inline bool worker_iteration_has_passed(const SearchShared *shared, int depth) {
    return atomic_load_explicit(&shared->iteration.depth, memory_order_relaxed) >= depth;
}

/* Enters a node `ply` plies below the root. Returns false if the search must end. The node that
 * uses up the quota is still entered, but none of its children are, and its score is not used. */
static inline bool worker_enter_node(Worker *worker, int ply) {
    const SearchShared *shared = worker->shared;
    if (worker_iteration_has_passed(shared, worker->state.root_depth) &&
        !worker->state.is_committed) {
        worker->state.is_overtaken = true;
    }
    bool is_stopped = worker_is_stopped(worker);
    /* Also if this iteration ends here: its last node must not be forgotten in the next one. */
    uint64_t nodes = atomic_load_explicit(&worker->nodes, memory_order_relaxed);
    worker->state.is_used_up = nodes >= worker->state.node_quota;
    worker->state.seldepth = int_max(worker->state.seldepth, is_stopped ? 0 : ply);
    return !is_stopped;
}

/* The entry of the node `ply` plies below the root. The STACK_BEFORE entries before it and the two
 * after it are valid too. */
static inline Stack *worker_stack(Worker *worker, int ply) {
    return &worker->stack[STACK_BEFORE + ply];
}

/* Empties the whole stack. */
void worker_clear_stack(Worker *worker);

static inline uint64_t worker_nodes(const Worker *worker) {
    return atomic_load_explicit(&worker->nodes, memory_order_relaxed);
}

/* The nodes searched by all workers so far. */
uint64_t worker_total_nodes(const SearchShared *shared);

/* Makes a legal move of the node at `ply` and records it in the stack; worker_undo takes it back.
 * Each call counts as one node. Null moves do not count, and neither do repeated searches of a node
 * at another depth or with another window. */
void worker_do(Worker *worker, int ply, Move move);
void worker_undo(Worker *worker);

/* Makes a null move in the same way. */
void worker_do_null(Worker *worker, int ply);
void worker_undo_null(Worker *worker);

/* Creates a worker with empty histories and the hand-written evaluation; NULL if out of memory.
 * Call it on the thread that will use the worker: most of its memory is first touched when
 * histories are written. */
Worker *worker_create(SearchShared *shared, int index);

/* NULL is allowed. */
void worker_free(Worker *worker);

/* Uses this network from now on, or the hand-written evaluation if it is NULL. If out of memory,
 * returns false and uses the hand-written evaluation. */
bool worker_use_net(Worker *worker, const struct NnueNet *net, uint32_t features) MUST_CHECK;

/* Clears everything that is kept from one search to the next. */
void worker_forget(Worker *worker);

/* The static evaluation of the worker's position from the side to move's point of view, within
 * -SCORE_EVAL_MAX .. SCORE_EVAL_MAX. */
Score worker_evaluate(Worker *worker);

/* The static evaluation `raw_eval` of a node plus its corrections. */
Score worker_correct(const Stack *ss, Score raw_eval);

/* The continuation history for "no such move": all zeros, never written. */
PieceToHistory *worker_no_continuation(Worker *worker);

/* Fills in the continuation histories of the moves made 1, 2, 3, 4 and 6 plies before the node. */
void worker_continuations(const Stack *ss, PieceToHistory *continuations[CONTINUATION_NB]);

/* Fills in the histories that order the moves of the node at `ply`, without refutations. */
void worker_pick_context(Worker *worker, int ply, struct PickContext *context);

/* The counter move of the move that led to the node at `ply`, that is, the quiet move that was last
 * best against it. MOVE_NONE after a null move. */
Move worker_counter_move(Worker *worker, int ply);

/* Gives a quiet move of the node at `ply` a bonus, or a malus if it is negative, in all histories
 * of quiet moves. */
void worker_reward_quiet(Worker *worker, int ply, Move move, int bonus);

/* Gives the move that led to the node at `ply`, if it is quiet, a bonus as a reply to the moves
 * before it. */
void worker_reward_before(Worker *worker, int ply, int bonus);

/* Sets the line at `ply` to `move` followed by the line of the next ply. */
void worker_update_pv(Worker *worker, int ply, Move move);

/* The hash move of the worker's position; MOVE_NONE if unknown. */
Move worker_tt_move(const Worker *worker);

/* The number of lines the search must rank: the MultiPV option, or more if the skill level needs
 * more candidates, but at most the number of root moves. */
int worker_line_count(const Worker *worker);

#endif
