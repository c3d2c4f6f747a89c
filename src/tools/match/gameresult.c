#include "tools/match/gameresult.h"

#include "base/rng.h"

static const char *const reason_names[END_REASON_NB] = {
    [END_MATE] = "mate",
    [END_NO_MOVES] = "no_moves",
    [END_RESIGN] = "resign",
    [END_DECLARATION] = "declaration",
    [END_TRY] = "try",
    [END_REPETITION] = "repetition",
    [END_PERPETUAL_CHECK] = "perpetual_check",
    [END_MAX_PLIES] = "max_plies",
    [END_ADJUDGED_WIN] = "adjudged_win",
    [END_ADJUDGED_DRAW] = "adjudged_draw",
    [END_ILLEGAL] = "illegal",
    [END_FALSE_WIN] = "false_win",
    [END_TIME] = "time",
    [END_HANG] = "hang",
    [END_CRASH] = "crash",
    [END_NOT_READY] = "not_ready",
    [END_PROTOCOL] = "protocol",
};

static const char *const winner_names[] = {
    [WINNER_NONE] = "none",
    [WINNER_BLACK] = "black",
    [WINNER_WHITE] = "white",
    [WINNER_DRAW] = "draw",
};

void gameresult_free(GameResult *result) {
    strbuf_free(&result->detail);
    strbuf_free(&result->start);
    strbuf_free(&result->moves);
}

const char *end_reason_name(EndReason reason) {
    ASSERT(reason >= 0 && reason < END_REASON_NB);
    return reason_names[reason];
}

bool end_reason_read(StrView name, EndReason *reason) {
    for (int i = 0; i < END_REASON_NB; i++) {
        if (sv_equal(name, sv_from(reason_names[i]))) {
            *reason = (EndReason)i;
            return true;
        }
    }
    return false;
}

const char *winner_name(Winner winner) {
    return winner_names[winner];
}

bool winner_read(StrView name, Winner *winner) {
    for (int i = WINNER_BLACK; i <= WINNER_DRAW; i++) {
        if (sv_equal(name, sv_from(winner_names[i]))) {
            *winner = (Winner)i;
            return true;
        }
    }
    return false;
}

bool end_reason_is_fault(EndReason reason) {
    return reason >= END_ILLEGAL;
}

/* FNV-1a (Fowler, Noll, Vo 1991). */
static uint64_t hash_text(uint64_t hash, StrView text) {
    for (size_t i = 0; i < text.len; i++) {
        hash = (hash ^ (unsigned char)text.ptr[i]) * 0x100000001b3;
    }
    return (hash ^ 0xff) * 0x100000001b3;
}

uint64_t gameresult_hash(const GameResult *result, int index) {
    uint64_t hash = 0xcbf29ce484222325;
    hash = hash_text(hash, sv_from(winner_name(result->winner)));
    hash = hash_text(hash, sv_from(end_reason_name(result->reason)));
    hash = hash_text(hash, strbuf_view(&result->start));
    hash = hash_text(hash, strbuf_view(&result->moves));
    hash += (uint64_t)index;
    return rng_splitmix(&hash);
}

void player_stats_add(PlayerStats *sum, const PlayerStats *more) {
    sum->moves += more->moves;
    sum->time_ns += more->time_ns;
    sum->nodes += more->nodes;
    sum->nodes_time_ns += more->nodes_time_ns;
    sum->depth_sum += more->depth_sum;
    sum->depth_moves += more->depth_moves;
}
