/* The move picker must return every legal move once, whatever moves it is told to try first. */
#include "search/movepick.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "eval/handwritten.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

static History *history;
static PickContext context;

static void make_context(Rng *rng, const Move *legal, int count) {
    context.history = history;
    for (int i = 0; i < CONTINUATION_NB; i++) {
        context.continuations[i] =
            &history->continuation[rng_below(rng, 2)][rng_below(rng, 2)][rng_below(rng, PIECE_NB)]
                                  [rng_below(rng, SQ_NB)];
    }
    for (int i = 0; i < PICK_REFUTATION_NB; i++) {
        context.refutations[i] = legal[rng_below(rng, (uint64_t)count)];
    }
    context.pawn_history = &history->pawn[rng_below(rng, PAWN_HISTORY_SIZE)];
    context.ply = (int)rng_below(rng, 2 * LOW_PLIES);
    for (int i = 0; i < 200; i++) {
        int16_t *flat = &history->quiet[0][0][0];
        flat[rng_below(rng, sizeof(history->quiet) / 2)] =
            (int16_t)((int)(rng_next(rng) % 16000) - 8000);
    }
}

static int list_index(const Move *list, int count, Move move) {
    for (int i = 0; i < count; i++) {
        if (list[i] == move) {
            return i;
        }
    }
    return -1;
}

/* Runs a picker to its end. Returns the number of moves of the list that it returned, or -1 if it
 * returned a move twice or one that is not in the list. */
static int run_picker(MovePicker *picker, const Move *legal, int count) {
    bool is_seen[MAX_MOVES] = {false};
    int seen = 0;
    for (Move move; (move = movepick_next(picker)) != MOVE_NONE; seen++) {
        int index = list_index(legal, count, move);
        if (index < 0 || is_seen[index]) {
            return -1;
        }
        is_seen[index] = true;
    }
    return seen;
}

static int count_captures(const Position *pos, const Move *legal, int count) {
    int captures = 0;
    for (int i = 0; i < count; i++) {
        captures += !pos_is_quiet(pos, legal[i]);
    }
    return captures;
}

static void check_position(const Position *pos, Rng *rng) {
    Move legal[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, legal);
    if (count == 0) {
        return;
    }
    make_context(rng, legal, count);
    Move first = rng_below(rng, 4) == 0 ? MOVE_NONE : legal[rng_below(rng, (uint64_t)count)];
    MovePicker picker;
    movepick_init(&picker, pos, &context, first);
    picker.with_non_promotions = true;
    CHECK_INT(run_picker(&picker, legal, count), count);
    movepick_init(&picker, pos, &context, first);
    if (first != MOVE_NONE) {
        CHECK_INT(movepick_next(&picker), first);
    }
    movepick_init_captures(&picker, pos, &context, MOVE_NONE, -30000);
    picker.with_non_promotions = true;
    int given = run_picker(&picker, legal, count);
    if (pos_in_check(pos)) {
        CHECK_INT(given, count);
    } else {
        Move declined[MAX_MOVES];
        int unwanted = count_captures(pos, declined, gen_moves(pos, GEN_NON_PROMOTIONS, declined));
        CHECK_INT(given, count_captures(pos, legal, count) - unwanted);
    }
}

static void test_random_games(void) {
    handwritten_init();
    history = calloc(1, sizeof(*history));
    Rng rng = rng_init(20);
    Position pos;
    pos_init(&pos);
    for (int game = 0; game < 20; game++) {
        Setup start = setup_start();
        pos_set(&pos, &start);
        for (int ply = 0; ply < 120; ply++) {
            Move legal[MAX_MOVES];
            int count = gen_moves(&pos, GEN_LEGAL, legal);
            if (count == 0) {
                break;
            }
            check_position(&pos, &rng);
            pos_do(&pos, legal[rng_below(&rng, (uint64_t)count)]);
        }
    }
    pos_free(&pos);
    free(history);
}

static int place_of(const Position *pos, const char *text) {
    Move wanted = usimove_read(sv_from(text));
    MovePicker picker;
    movepick_init(&picker, pos, &context, MOVE_NONE);
    int place = 0;
    for (Move move; (move = movepick_next(&picker)) != MOVE_NONE; place++) {
        if (move == wanted) {
            return place;
        }
    }
    return -1;
}

/* With empty histories, the first move takes the gold away from a square where a pawn can capture
 * it, and moves of the gold to such a square come last. The pawn itself may go there. */
static void pieces_shun_pawns(void) {
    handwritten_init();
    history = calloc(1, sizeof(*history));
    context = (PickContext){.history = history, .pawn_history = &history->pawn[0]};
    for (int i = 0; i < CONTINUATION_NB; i++) {
        context.continuations[i] = &history->continuation[0][0][NO_PIECE][0];
    }
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, SV("k8/9/9/3p2p2/3G5/6G2/2P6/9/K8 b - 1"), NULL), KMD_OK);
    Move legal[MAX_MOVES];
    int last = gen_moves(&pos, GEN_LEGAL, legal) - 1;
    CHECK(place_of(&pos, "6e5e") >= 0 && place_of(&pos, "6e5e") < 6);
    CHECK_INT(place_of(&pos, "3f3e"), last);
    CHECK(place_of(&pos, "3f2e") < last);
    pos_free(&pos);
    free(history);
}

UNIT_MAIN({"each legal move once", test_random_games}, {"pieces shun pawns", pieces_shun_pawns})
