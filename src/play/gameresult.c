/* gameresult.c: the names of reasons and winners, and the hash of a game, which is a part of the
 * match's signature. */
#include "play/gameresult.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/checksum.h"
#include "base/json.h"
#include "base/rng.h"
#include "base/xmem.h"
#include "rules/legality.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "rules/usimove.h"

/* For each reason, the word in the file of results and the ending in records. For illegal moves see
 * gameresult_ending. */
static const struct {
    const char *name;
    KmdEnding ending;
} reasons[ENDED_NB] = {
    [ENDED_MATE] = {"mate", KMD_END_MATE},
    [ENDED_NO_MOVES] = {"no_moves", KMD_END_NO_MOVES},
    [ENDED_RESIGN] = {"resign", KMD_END_RESIGN},
    [ENDED_DECLARATION] = {"declaration", KMD_END_DECLARATION},
    [ENDED_TRY] = {"try", KMD_END_TRY},
    [ENDED_REPETITION] = {"repetition", KMD_END_SENNICHITE},
    [ENDED_PERPETUAL_CHECK] = {"perpetual_check", KMD_END_ILLEGAL_LOSS},
    [ENDED_MAX_PLIES] = {"max_plies", KMD_END_MAX_MOVES},
    [ENDED_ADJUDGED_WIN] = {"adjudged_win", KMD_END_RESIGN}, /* referee.c makes sure that the loser
                                                                is to move */
    [ENDED_ADJUDGED_DRAW] = {"adjudged_draw", KMD_END_DRAW},
    [ENDED_INTERRUPTED] = {"interrupted", KMD_END_INTERRUPT},
    [ENDED_ILLEGAL] = {"illegal", KMD_END_ILLEGAL_LOSS},
    [ENDED_FALSE_WIN] = {"false_win", KMD_END_ILLEGAL_LOSS},
    [ENDED_TIME] = {"time", KMD_END_TIMEOUT},
    [ENDED_HANG] = {"hang", KMD_END_TIMEOUT},
    [ENDED_CRASH] = {"crash", KMD_END_ILLEGAL_LOSS},
    [ENDED_NOT_READY] = {"not_ready", KMD_END_ILLEGAL_LOSS},
    [ENDED_PROTOCOL] = {"protocol", KMD_END_ILLEGAL_LOSS},
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

void gameresult_add_move(GameResult *result, Move move, MoveNote note, StrView pv) {
    note.pv = result->pvs.len;
    note.pv_len = pv.len;
    strbuf_add(&result->pvs, pv);
    result->notes = xmem_grow(result->notes, &result->note_cap, (size_t)result->plies + 1,
                              sizeof(result->notes[0]));
    result->notes[result->plies++] = note;
    strbuf_add_str(&result->moves, result->moves.len > 0 ? " " : "");
    usimove_append(move, &result->moves);
}

int gameresult_read_pv(StrView line, Position *pos, Move *moves, int max) {
    Tokenizer tok = {line};
    StrView word;
    int count = 0;
    bool is_good = tok_next(&tok, &word) && usimove_read(word) == pos->now->move;
    while (is_good && count < max && tok_next(&tok, &word)) {
        Move move = usimove_read(word);
        is_good = move_is_legal(pos, move);
        if (is_good) {
            moves[count++] = move;
            pos_do(pos, move);
        }
    }
    pos_undo_moves(pos, count);
    return count;
}

const char *gameresult_end_name(EndReason reason) {
    ASSERT(reason >= 0 && reason < ENDED_NB);
    return reasons[reason].name;
}

bool gameresult_end_read(StrView name, EndReason *reason) {
    int index = SV_INDEX(name, reasons, name);
    if (index >= 0) {
        *reason = (EndReason)index;
    }
    return index >= 0;
}

EndReason gameresult_reason_of(KmdEnding ending) {
    int reason = ENDED_MATE;
    while (reason < ENDED_NB && reasons[reason].ending != ending) {
        reason++;
    }
    return reason < ENDED_NB ? (EndReason)reason : ENDED_PERPETUAL_CHECK;
}

KmdEnding gameresult_ending(const GameResult *result, Color side) {
    KmdEnding ending = reasons[result->reason].ending;
    if (ending == KMD_END_ILLEGAL_LOSS && result->winner == outcome_winner(side)) {
        return KMD_END_ILLEGAL_WIN;
    }
    bool is_draw = result->winner == KMD_WINNER_DRAW;
    return ending == KMD_END_DECLARATION && is_draw ? KMD_END_IMPASSE : ending;
}

const char *gameresult_winner_name(KmdWinner winner) {
    return winner_names[winner];
}

bool gameresult_winner_read(StrView name, KmdWinner *winner) {
    int index = SV_INDEX_OF(name, winner_names);
    if (index < 0 || index == KMD_WINNER_NONE) {
        return false;
    }
    *winner = (KmdWinner)index;
    return true;
}

bool gameresult_is_fault(EndReason reason) {
    return reason >= ENDED_ILLEGAL;
}

/* Adds a text to a hash, followed by a byte that no text contains, so that "ab" "c" and "a" "bc"
 * give different hashes. */
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

/* The numbers of a player: the name in the file of results, which follows "black_" or "white_", the
 * place, and the unit in the file. */
static const struct {
    const char *name;
    size_t place;
    int64_t unit;
} stats_fields[] = {
    {"us", offsetof(PlayerStats, time_ns), 1000},
    {"nodes", offsetof(PlayerStats, nodes), 1},
    {"nodes_us", offsetof(PlayerStats, nodes_time_ns), 1000},
    {"moves", offsetof(PlayerStats, moves), 1},
    {"depth_sum", offsetof(PlayerStats, depth_sum), 1},
    {"depth_moves", offsetof(PlayerStats, depth_moves), 1},
};

static int64_t *stats_field(PlayerStats *stats, size_t field) {
    return (int64_t *)(void *)((char *)stats + stats_fields[field].place);
}

void gameresult_add_stats(PlayerStats *sum, const PlayerStats *more) {
    PlayerStats added = *more;
    for (size_t i = 0; i < COUNTOF(stats_fields); i++) {
        int64_t *total = stats_field(sum, i), value = *stats_field(&added, i);
        *total += i64_min(value, INT64_MAX - *total);
    }
}

/* The member of a number in the file of results. */
static void set_key(Color side, size_t field, StrBuf *key) {
    strbuf_clear(key);
    strbuf_addf(key, "%s_%s", side == BLACK ? "black" : "white", stats_fields[field].name);
}

void gameresult_write_stats(const PlayerStats stats[COLOR_NB], StrBuf *out) {
    StrBuf key = STRBUF_INIT;
    for (int side = BLACK; side <= WHITE; side++) {
        PlayerStats copy = stats[side];
        for (size_t i = 0; i < COUNTOF(stats_fields); i++) {
            set_key((Color)side, i, &key);
            json_add_i64(key.ptr, *stats_field(&copy, i) / stats_fields[i].unit, out);
        }
    }
    strbuf_free(&key);
}

void gameresult_read_stats(StrView line, PlayerStats stats[COLOR_NB]) {
    StrBuf key = STRBUF_INIT;
    for (int side = BLACK; side <= WHITE; side++) {
        for (size_t i = 0; i < COUNTOF(stats_fields); i++) {
            int64_t value = 0, unit = stats_fields[i].unit;
            set_key((Color)side, i, &key);
            bool is_there = json_line_i64(line, key.ptr, 0, INT64_MAX / unit, &value);
            *stats_field(&stats[side], i) = is_there ? value * unit : 0;
        }
    }
    strbuf_free(&key);
}
