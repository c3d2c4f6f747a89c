/* gamestats.c: counts games, endings, lengths and players while reading, then prints the tables. */
#include "commands/kifutool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tally.h"
#include "base/utf8.h"
#include "record/handicap.h"
#include "record/kifuio.h"
#include "record/notation.h"
#include "record/record.h"
#include "record/words.h"
#include "rules/outcome.h"

enum { LENGTH_STEP = 40, LENGTH_BUCKETS = 8, TOP_OPENINGS = 10 };

typedef struct Stats {
    long games, broken, moves, shortest, longest;
    long winners[4], endings[KMD_ENDING_COUNT];
    long lengths[LENGTH_BUCKETS], with_times, with_comments, with_variations;
    TallyTable players, starts, openings;
} Stats;

/* Counts a game for its players. A win counts two points, a draw one. A game without a known result
 * offers no points. */
static void count_player(Stats *stats, const Record *record, Color side) {
    StrView name = record_player(record, side);
    if (name.len > 0) {
        KmdWinner winner = record_result(record);
        Tally *player = tally_count(&stats->players, name);
        if (winner != KMD_WINNER_NONE) {
            player->points += 1 + outcome_sign(winner, side);
            player->possible_points += 2;
        }
    }
}

/* Counts the first four moves, in Japanese notation, for even games and each handicap. */
static void count_opening(Stats *stats, const Record *record) {
    StrBuf text = STRBUF_INIT;
    RecordCursor cursor;
    int node = KMD_ROOT, ply = 0;
    cursor_init(&cursor, record);
    for (; ply < 4; ply++) {
        node = record->nodes[node].child;
        if (node == KMD_NODE_NONE || record->nodes[node].ending != KMD_END_NONE) {
            break;
        }
        strbuf_add_str(&text, word_mark(cursor.pos.side));
        notation_append(&cursor.pos, record->nodes[node].move, KMD_NOTATION_JAPANESE, &text);
        cursor_go(&cursor, node);
    }
    if (ply == 4) {
        tally_count(&stats->openings, strbuf_view(&text));
    }
    cursor_free(&cursor);
    strbuf_free(&text);
}

static void count_stats(Stats *stats, const Record *record) {
    const RecordNode *nodes = record->nodes;
    int moves = record_main_length(record);
    bool has_time = false, has_comment = false;
    for (int node = KMD_ROOT; node != KMD_NODE_NONE; node = nodes[node].child) {
        has_time |= nodes[node].time_ms > 0;
        has_comment |= nodes[node].comment.len > 0;
    }
    const Handicap *handicap = handicap_by_setup(&record->start);
    stats->shortest = stats->games == 0 || moves < stats->shortest ? moves : stats->shortest;
    stats->longest = moves > stats->longest ? moves : stats->longest;
    stats->games++;
    stats->moves += moves;
    stats->winners[record_result(record)]++;
    stats->endings[nodes[record_main_end(record)].ending]++;
    stats->lengths[int_min(moves / LENGTH_STEP, LENGTH_BUCKETS - 1)]++;
    stats->with_times += has_time;
    stats->with_comments += has_comment;
    stats->with_variations += record_variation_count(record) > 0;
    tally_count(&stats->starts, sv_from(handicap != NULL ? handicap->name : "その他"));
    count_player(stats, record, BLACK);
    count_player(stats, record, WHITE);
    count_opening(stats, record);
}

/* ---- printing -------------------------------------------------------------------------------- */

static double percent_of(long part, long whole) {
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0.0;
}

/* Prints a name padded to the next column of a table. */
static void print_name(const char *text) {
    enum { COLUMNS = 42 };
    int used = utf8_columns(sv_from(text));
    printf("%s%*s", text, used < COLUMNS ? COLUMNS - used : 0, "");
}

static void print_share(const char *name, long count, long whole) {
    if (count > 0) {
        printf("  ");
        print_name(name);
        printf(" %7ld  %5.1f %%\n", count, percent_of(count, whole));
    }
}

static int by_count(const void *a, const void *b) {
    const Tally *x = a, *y = b;
    if (x->count != y->count) {
        return x->count < y->count ? 1 : -1;
    }
    return x->name == NULL || y->name == NULL ? (x->name == NULL) - (y->name == NULL)
                                              : strcmp(x->name, y->name);
}

/* Prints at most `limit` names, the most frequent ones first. Sorts the table, which afterwards can
 * only be freed. */
static void print_top(const char *title, TallyTable *table, size_t limit, long whole) {
    if (table->used == 0) {
        return;
    }
    qsort(table->slots, table->size, sizeof(Tally), by_count);
    printf("\n%s\n", title);
    for (size_t i = 0; i < table->used && i < limit; i++) {
        print_share(table->slots[i].name, table->slots[i].count, whole);
    }
}

static void print_players(TallyTable *table) {
    if (table->used == 0) {
        return;
    }
    qsort(table->slots, table->size, sizeof(Tally), by_count);
    printf("\nplayers                                        games   score\n");
    for (size_t i = 0; i < table->used; i++) {
        const Tally *player = &table->slots[i];
        printf("  ");
        print_name(player->name);
        printf(" %7ld  ", player->count);
        if (player->possible_points > 0) {
            printf("%5.1f %%\n", percent_of(player->points, player->possible_points));
        } else {
            printf("    -\n");
        }
    }
}

static void print_stats(Stats *stats) {
    static const char *const winners[] = {"unknown", "black wins", "white wins", "draws"};
    printf("%ld game%s, %ld move%s, %ld file%s or game%s with errors\n", stats->games,
           str_plural((uint64_t)stats->games), stats->moves, str_plural((uint64_t)stats->moves),
           stats->broken, str_plural((uint64_t)stats->broken), str_plural((uint64_t)stats->broken));
    if (stats->games == 0) {
        return;
    }
    printf("length: %.1f on average, %ld to %ld\n", (double)stats->moves / (double)stats->games,
           stats->shortest, stats->longest);
    printf("with times %ld, comments %ld, variations %ld\n\nresults\n", stats->with_times,
           stats->with_comments, stats->with_variations);
    for (int i = 0; i < 4; i++) {
        print_share(winners[i], stats->winners[i], stats->games);
    }
    printf("\nendings\n");
    for (int i = 0; i < KMD_ENDING_COUNT; i++) {
        print_share(outcome_ending_text((KmdEnding)i), stats->endings[i], stats->games);
    }
    printf("\nlengths\n");
    for (int i = 0; i < LENGTH_BUCKETS; i++) {
        char name[32];
        bool is_last = i == LENGTH_BUCKETS - 1;
        snprintf(name, sizeof(name), is_last ? "%d or more" : "%d to %d", i * LENGTH_STEP,
                 (i + 1) * LENGTH_STEP - 1);
        print_share(name, stats->lengths[i], stats->games);
    }
    print_top("starts", &stats->starts, stats->starts.used, stats->games);
    print_top("first four moves", &stats->openings, TOP_OPENINGS, stats->games);
    print_players(&stats->players);
}

int kifutool_stats(const KifuArgs *args) {
    Stats stats = {.games = 0};
    for (int i = 0; i < args->input_count; i++) {
        Games games;
        kifutool_open(args, args->inputs[i], &games);
        while (games_next(&games)) {
            if (!games.is_broken) {
                count_stats(&stats, &games.record);
            }
        }
        stats.broken += games.faults;
        games_close(&games);
    }
    print_stats(&stats);
    tally_free(&stats.players);
    tally_free(&stats.starts);
    tally_free(&stats.openings);
    return stats.broken > 0;
}
