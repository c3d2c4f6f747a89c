/* history.c: the correction histories, each indexed by a hash of one part of the position. */
#include "search/history.h"

#include <string.h>

#include "search/params.h"

/* The correction in centipawns of a position whose entries of all kinds are at CORRECTION_MAX, at
 * a CORRECTION_WEIGHT of 100 per cent. */
#define CORRECTION_FULL 128

void history_clear(History *history) {
    for (size_t i = 0; i < HISTORY_WRITTEN_WORDS; i++) {
        for (; history->written[i] != 0; history->written[i] &= history->written[i] - 1) {
            size_t at = (64 * i + (size_t)BITS_LOWEST(history->written[i])) * HISTORY_PAGE;
            size_t rest = offsetof(History, written) - at;
            memset((char *)history + at, 0, rest < HISTORY_PAGE ? rest : HISTORY_PAGE);
        }
    }
}

void history_set_counter(History *history, Piece piece, Square to, Move counter) {
    history_mark(history, &history->counter[piece][to]);
    history->counter[piece][to] = counter;
}

static uint64_t mix_set(uint64_t hash, Bitboard set) {
    hash = (hash ^ set.word[0]) * 0x9E3779B97F4A7C15;
    hash = (hash ^ hash >> 32 ^ set.word[1]) * 0xD6E8FEB86659FD93;
    return hash ^ hash >> 32;
}

/* A hash of both sides' pieces in `set`. */
static uint64_t hash_of(const Position *pos, Bitboard set, uint64_t seed) {
    return mix_set(mix_set(seed, bb_and(set, pos->color_bb[BLACK])),
                   bb_and(set, pos->color_bb[WHITE]));
}

static unsigned index_of(const Position *pos, Bitboard set) {
    return (unsigned)(hash_of(pos, set, 0) % CORRECTION_SIZE);
}

static void indices(const Position *pos, unsigned index[CORRECTION_NB]) {
    const Bitboard *type = pos->type_bb;
    Bitboard generals = bb_or(bb_or(type[SET_GOLDS], type[SILVER]), type[KING]);
    Bitboard rooks = bb_or(type[ROOK], type[DRAGON]);
    Bitboard bishops = bb_or(type[BISHOP], type[HORSE]);
    uint64_t hands = pos->now->hand_key;
    index[CORRECT_CASTLES] = index_of(pos, generals);
    index[CORRECT_HANDS] = (unsigned)((hands ^ hands >> 32) % CORRECTION_SIZE);
    index[CORRECT_SLIDERS] = index_of(pos, bb_or(bb_or(rooks, bishops), type[LANCE]));
    index[CORRECT_PAWNS] = index_of(pos, bb_or(type[PAWN], type[KNIGHT]));
}

HistoryPlace history_locate(History *history, const Position *pos) {
    unsigned index[CORRECTION_NB];
    indices(pos, index);
    HistoryPlace place = {0};
    for (int kind = 0; kind < CORRECTION_NB; kind++) {
        place.entries[kind] = &history->correction[kind][pos->side][index[kind]];
        PREFETCH(place.entries[kind]);
    }
    uint64_t pawns = hash_of(pos, pos->type_bb[PAWN], 1 + (uint64_t)pos->side);
    place.pawn_history = &history->pawn[pawns % PAWN_HISTORY_SIZE];
    return place;
}

Score history_correction(const HistoryPlace *place) {
    int sum = 0;
    for (int kind = 0; kind < CORRECTION_NB; kind++) {
        sum += *place->entries[kind] * P_CORRECTION_WEIGHT;
    }
    for (int i = 0; i < CONTINUATION_CORRECTION_NB; i++) {
        const int16_t *entry = place->continuations[i];
        sum += entry == NULL ? 0 : *entry * P_CORRECTION_CONTINUATION;
    }
    return sum * (CORRECTION_FULL / CORRECTION_NB) / (100 * CORRECTION_MAX);
}

void history_learn_error(History *history, const HistoryPlace *place, int depth, Score difference) {
    int limit = CORRECTION_MAX / P_CORRECTION_STEPS;
    int bonus = int_clamp(difference * depth / P_CORRECTION_DIVISOR, -limit, limit);
    for (int kind = 0; kind < CORRECTION_NB; kind++) {
        history_add(history, place->entries[kind], bonus, CORRECTION_MAX);
    }
    for (int i = 0; i < CONTINUATION_CORRECTION_NB; i++) {
        if (place->continuations[i] != NULL) {
            history_add(history, place->continuations[i], bonus / (1 + i), CORRECTION_MAX);
        }
    }
}
