#include "tools/match/gameresult.h"

#include <stdlib.h>

#include "base/checksum.h"
#include "base/rng.h"

static const char *const reason_names[ENDED_NB] = {
    [ENDED_MATE] = "mate",
    [ENDED_NO_MOVES] = "no_moves",
    [ENDED_RESIGN] = "resign",
    [ENDED_DECLARATION] = "declaration",
    [ENDED_TRY] = "try",
    [ENDED_REPETITION] = "repetition",
    [ENDED_PERPETUAL_CHECK] = "perpetual_check",
    [ENDED_MAX_PLIES] = "max_plies",
    [ENDED_ADJUDGED_WIN] = "adjudged_win",
    [ENDED_ADJUDGED_DRAW] = "adjudged_draw",
    [ENDED_ILLEGAL] = "illegal",
    [ENDED_FALSE_WIN] = "false_win",
    [ENDED_TIME] = "time",
    [ENDED_HANG] = "hang",
    [ENDED_CRASH] = "crash",
    [ENDED_NOT_READY] = "not_ready",
    [ENDED_PROTOCOL] = "protocol",
};

static const char *const winner_names[] = {
    [KMD_WINNER_NONE] = "none",
    [KMD_WINNER_BLACK] = "black",
    [KMD_WINNER_WHITE] = "white",
    [KMD_WINNER_DRAW] = "draw",
};

void gameresult_free(GameResult *result) {
    strbuf_free(&result->detail);
    strbuf_free(&result->start);
    strbuf_free(&result->moves);
    strbuf_free(&result->pvs);
    free(result->notes);
}

const char *gameresult_end_name(EndReason reason) {
    ASSERT(reason >= 0 && reason < ENDED_NB);
    return reason_names[reason];
}

bool gameresult_end_read(StrView name, EndReason *reason) {
    for (int i = 0; i < ENDED_NB; i++) {
        if (sv_equal(name, sv_from(reason_names[i]))) {
            *reason = (EndReason)i;
            return true;
        }
    }
    return false;
}

const char *gameresult_winner_name(KmdWinner winner) {
    return winner_names[winner];
}

bool gameresult_winner_read(StrView name, KmdWinner *winner) {
    for (int i = KMD_WINNER_BLACK; i <= KMD_WINNER_DRAW; i++) {
        if (sv_equal(name, sv_from(winner_names[i]))) {
            *winner = (KmdWinner)i;
            return true;
        }
    }
    return false;
}

bool gameresult_is_fault(EndReason reason) {
    return reason >= ENDED_ILLEGAL;
}

/* The byte behind each text, which no text holds, keeps "ab" "c" and "a" "bc" apart. */
static uint64_t hash_text(uint64_t hash, StrView text) {
    static const unsigned char separator = 0xff;
    return checksum_fnv(checksum_fnv(hash, text.ptr, text.len), &separator, 1);
}

uint64_t gameresult_hash(const GameResult *result, int index) {
    uint64_t hash = CHECKSUM_FNV_START;
    hash = hash_text(hash, sv_from(gameresult_winner_name(result->winner)));
    hash = hash_text(hash, sv_from(gameresult_end_name(result->reason)));
    hash = hash_text(hash, strbuf_view(&result->start));
    hash = hash_text(hash, strbuf_view(&result->moves));
    hash += (uint64_t)index;
    return rng_splitmix(&hash);
}

void gameresult_add_nodes(PlayerStats *stats, uint64_t nodes) {
    uint64_t room = INT64_MAX - stats->nodes;
    stats->nodes += nodes < room ? nodes : room;
}

void gameresult_add_stats(PlayerStats *sum, const PlayerStats *more) {
    sum->moves += more->moves;
    sum->time_ns += more->time_ns;
    gameresult_add_nodes(sum, more->nodes);
    sum->nodes_time_ns += more->nodes_time_ns;
    sum->depth_sum += more->depth_sum;
    sum->depth_moves += more->depth_moves;
}
