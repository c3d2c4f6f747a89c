/* datastats.c: counts positions and games by kind while blocks are read, then prints the counts. */
#include "train/datastats.h"

#include <math.h>
#include <stdlib.h>

#include "base/xmem.h"
#include "eval/arch.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"

static const char *const reason_names[PACK_REASON_NB] = {[PACK_MATE] = "mate",
                                                         [PACK_ADJUDICATED] = "adjudicated",
                                                         [PACK_REPETITION] = "repetition",
                                                         [PACK_DECLARATION] = "declaration",
                                                         [PACK_MAX_MOVES] = "move limit",
                                                         [PACK_UNKNOWN] = "unknown",
                                                         [PACK_NO_MOVE] = "no move known"};

/* ---- totals and single games ----------------------------------------------------------------- */

void datastats_count(DataTally *tally, const PackedGame *game) {
    tally->games++;
    tally->moves += (uint64_t)game->move_count;
    tally->results[game->winner]++;
    for (int i = 0; i < game->move_count; i++) {
        tally->positions += game->moves[i].score != PACK_NO_SCORE;
    }
}

void datastats_print_tally(const DataTally *tally, int64_t read_ns, StrBuf *out) {
    strbuf_addf(out, "files %llu, blocks %llu, games %llu, positions %llu\n",
                (unsigned long long)tally->files, (unsigned long long)tally->blocks,
                (unsigned long long)tally->games, (unsigned long long)tally->positions);
    if (tally->positions > 0) {
        strbuf_addf(out, "%.3f bytes a position\n",
                    (double)tally->bytes / (double)tally->positions);
    }
    if (tally->moves > 0) {
        strbuf_addf(out, "black won %llu, white %llu, drawn %llu, unknown %llu\n",
                    (unsigned long long)tally->results[KMD_WINNER_BLACK],
                    (unsigned long long)tally->results[KMD_WINNER_WHITE],
                    (unsigned long long)tally->results[KMD_WINNER_DRAW],
                    (unsigned long long)tally->results[KMD_WINNER_NONE]);
        strbuf_addf(out, "decoded %.0f positions a second\n",
                    (double)tally->moves * 1e9 / (double)i64_max(read_ns, 1));
    }
    if (tally->damaged_bytes > 0 || tally->bad_blocks > 0) {
        strbuf_addf(out, "damaged: skipped %llu bytes and %llu inconsistent blocks\n",
                    (unsigned long long)tally->damaged_bytes,
                    (unsigned long long)tally->bad_blocks);
    }
}

/* Appends the name of an evaluation. */
static void add_evaluation(uint64_t id, StrBuf *out) {
    if (id == PACK_HANDWRITTEN) {
        strbuf_add_str(out, "<handwritten>");
    } else {
        strbuf_addf(out, "%016llx", (unsigned long long)id);
    }
}

static bool has_players(const PackedGame *game) {
    return game->evaluation[BLACK] != PACK_UNKNOWN_EVALUATION &&
           game->evaluation[WHITE] != PACK_UNKNOWN_EVALUATION;
}

static void add_players(const PackedGame *game, StrBuf *out) {
    if (has_players(game)) {
        strbuf_add_str(out, ", black ");
        add_evaluation(game->evaluation[BLACK], out);
        strbuf_add_str(out, ", white ");
        add_evaluation(game->evaluation[WHITE], out);
    }
}

void datastats_show_game(const PackedGame *game, uint64_t number, StrBuf *out) {
    static const char *const winners[] = {[KMD_WINNER_BLACK] = "black won",
                                          [KMD_WINNER_WHITE] = "white won",
                                          [KMD_WINNER_DRAW] = "drawn",
                                          [KMD_WINNER_NONE] = "result unknown"};
    bool has_reason = game->reason != PACK_UNKNOWN;
    strbuf_addf(
        out, "# game %llu: %s%s%s, %d move%s%s", (unsigned long long)number, winners[game->winner],
        has_reason ? ", " : "", has_reason ? reason_names[game->reason] : "", game->move_count,
        str_plural((uint64_t)game->move_count), game->is_unequal ? ", different players" : "");
    add_players(game, out);
    strbuf_add_str(out, "\nposition sfen ");
    sfen_write(&game->start, out);
    strbuf_add_str(out, game->move_count > 0 ? " moves" : "");
    for (int i = 0; i < game->move_count; i++) {
        strbuf_add_byte(out, ' ');
        usimove_append(game->moves[i].move, out);
    }
    strbuf_add_str(out, "\n# scores:");
    for (int i = 0; i < game->move_count; i++) {
        if (game->moves[i].score == PACK_NO_SCORE) {
            strbuf_add_str(out, " -");
        } else {
            strbuf_addf(out, " %d", game->moves[i].score);
        }
    }
    strbuf_add_byte(out, '\n');
}

/* ---- statistics ------------------------------------------------------------------------------ */

/* Scores are counted in bands of their absolute value: below 100, 200, 400 and so on; the last band
 * is for mates. */
enum { BANDS = 10, FIRST_BAND = 100, MATES_FROM = 30000 };

/* One position in KEY_SHARE, selected by its key, is checked for duplicates, as long as the table
 * has room. */
enum { KEY_SHARE = 16, KEY_SLOTS = 1 << 24 };

/* The results of two evaluations against each other, or of one against itself. */
typedef struct Pairing {
    uint64_t first, second;
    uint64_t games, won, drawn; /* from the point of view of the first */
} Pairing;

enum { PAIRING_MAX = 64 };

struct DataStats {
    uint64_t games, leaves, unequal, plies, positions;
    uint64_t reasons[PACK_REASON_NB], phases[NNUE_MAX_BUCKETS];
    uint64_t bands[BANDS];
    double won[BANDS];             /* points won by the side that the score favours */
    Pairing pairings[PAIRING_MAX]; /* of games between equal players; later pairs are not counted */
    int pairing_count;
    uint64_t keys, duplicates;
    uint64_t *seen; /* [KEY_SLOTS] */
    Position pos;
};

DataStats *datastats_create(void) {
    DataStats *stats = xmem_calloc(1, sizeof(*stats));
    stats->seen = xmem_calloc(KEY_SLOTS, sizeof(uint64_t));
    pos_init(&stats->pos);
    return stats;
}

void datastats_free(DataStats *stats) {
    pos_free(&stats->pos);
    free(stats->seen);
    free(stats);
}

static void note_key(DataStats *stats, uint64_t key) {
    if (key % KEY_SHARE != 0 || key == 0 || stats->keys > KEY_SLOTS / 2) {
        return;
    }
    stats->keys++;
    size_t at = (size_t)(key >> 16) % KEY_SLOTS;
    while (stats->seen[at] != 0 && stats->seen[at] != key) {
        at = (at + 1) % KEY_SLOTS;
    }
    stats->duplicates += stats->seen[at] == key;
    stats->seen[at] = key;
}

static int band_of(int size) {
    int band = 0;
    for (int limit = FIRST_BAND; band < BANDS - 2 && size >= limit; limit *= 2) {
        band++;
    }
    return size >= MATES_FROM ? BANDS - 1 : band;
}

/* 1, 0.5 or 0 for a win, draw or loss of the side. */
static double result_for(KmdWinner winner, Color side) {
    return (1 + outcome_sign(winner, side)) / 2.0;
}

static void note_position(DataStats *stats, const PackedGame *game, int score) {
    const Position *pos = &stats->pos;
    stats->positions++;
    stats->phases[nnue_bucket(pos, NNUE_MAX_BUCKETS)]++;
    int band = band_of(abs(score));
    stats->bands[band]++;
    stats->won[band] += result_for(game->winner, score >= 0 ? pos->side : color_flip(pos->side));
    note_key(stats, pos_key(pos));
}

static void note_pairing(DataStats *stats, const PackedGame *game) {
    if (!has_players(game) || game->is_unequal || game->winner == KMD_WINNER_NONE) {
        return;
    }
    Color first = game->evaluation[BLACK] <= game->evaluation[WHITE] ? BLACK : WHITE;
    uint64_t ids[2] = {game->evaluation[first], game->evaluation[color_flip(first)]};
    int i = 0;
    while (i < stats->pairing_count &&
           (stats->pairings[i].first != ids[0] || stats->pairings[i].second != ids[1])) {
        i++;
    }
    if (i == PAIRING_MAX) {
        return;
    }
    if (i == stats->pairing_count) {
        stats->pairings[stats->pairing_count++] = (Pairing){.first = ids[0], .second = ids[1]};
    }
    Pairing *pairing = &stats->pairings[i];
    pairing->games++;
    pairing->won += outcome_sign(game->winner, first) > 0;
    pairing->drawn += game->winner == KMD_WINNER_DRAW;
}

void datastats_add(DataStats *stats, const PackedGame *game) {
    if (packed_game_is_leaf(game)) {
        stats->leaves++;
        return;
    }
    stats->games++;
    stats->unequal += game->is_unequal;
    note_pairing(stats, game);
    stats->plies += (uint64_t)game->move_count;
    stats->reasons[game->reason]++;
    pos_set(&stats->pos, &game->start);
    for (int i = 0; i < game->move_count; i++) {
        if (game->moves[i].score != PACK_NO_SCORE) {
            note_position(stats, game, game->moves[i].score);
        }
        pos_do(&stats->pos, game->moves[i].move);
    }
}

static double percent(uint64_t part, uint64_t whole) {
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static void add_bands(const DataStats *stats, StrBuf *out) {
    strbuf_add_str(out, "scores (share of positions, share won by the side ahead):");
    for (int i = 0; i < BANDS; i++) {
        if (i < BANDS - 2) {
            strbuf_addf(out, " <%d", FIRST_BAND << i);
        } else {
            strbuf_add_str(out, i == BANDS - 1 ? " mate" : " more");
        }
        strbuf_addf(out, " %.1f%% %.3f", percent(stats->bands[i], stats->positions),
                    stats->won[i] / fmax((double)stats->bands[i], 1));
    }
    strbuf_add_str(out, "\n");
}

static void add_pairings(const DataStats *stats, StrBuf *out) {
    for (int i = 0; i < stats->pairing_count; i++) {
        const Pairing *pairing = &stats->pairings[i];
        bool is_same = pairing->first == pairing->second;
        add_evaluation(pairing->first, out);
        strbuf_add_str(out, " against ");
        if (is_same) {
            strbuf_add_str(out, "itself");
        } else {
            add_evaluation(pairing->second, out);
        }
        strbuf_addf(out, ": %llu game%s, %llu drawn", (unsigned long long)pairing->games,
                    str_plural(pairing->games), (unsigned long long)pairing->drawn);
        if (!is_same) {
            uint64_t lost = pairing->games - pairing->won - pairing->drawn;
            strbuf_addf(out, ", %llu won, %llu lost: %.1f%% of the points",
                        (unsigned long long)pairing->won, (unsigned long long)lost,
                        percent(2 * pairing->won + pairing->drawn, 2 * pairing->games));
        }
        strbuf_add_byte(out, '\n');
    }
}

void datastats_print(const DataStats *stats, StrBuf *out) {
    strbuf_addf(
        out,
        "games %llu, %.1f%% between different players, mean length %.1f plies, %llu positions\n",
        (unsigned long long)stats->games, percent(stats->unequal, stats->games),
        (double)stats->plies / fmax((double)stats->games, 1), (unsigned long long)stats->positions);
    if (stats->leaves > 0) {
        strbuf_addf(out, "another %llu positions are from inside trees and not counted below\n",
                    (unsigned long long)stats->leaves);
    }
    add_pairings(stats, out);
    strbuf_add_str(out, "ends:");
    for (int i = 0; i < PACK_REASON_NB; i++) {
        strbuf_addf(out, " %s %.1f%%", reason_names[i], percent(stats->reasons[i], stats->games));
    }
    strbuf_add_str(out, "\nphases:");
    for (int i = 0; i < NNUE_MAX_BUCKETS; i++) {
        strbuf_addf(out, " %.1f%%", percent(stats->phases[i], stats->positions));
    }
    strbuf_add_str(out, "\n");
    add_bands(stats, out);
    strbuf_addf(out, "duplicates: %.2f%% of %llu positions examined\n",
                percent(stats->duplicates, stats->keys), (unsigned long long)stats->keys);
}
