#include "tools/kifu/gamestats.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/kifu/tally.h"

enum { ENDING_COUNT = KMD_END_OTHER + 1, LENGTH_STEP = 40, LENGTH_BUCKETS = 8, TOP_COUNT = 10 };

typedef struct Stats {
    long games, broken, moves, shortest, longest;
    long winners[4];
    long endings[ENDING_COUNT];
    long lengths[LENGTH_BUCKETS];
    long with_times, with_comments, with_variations;
    TallyTable players, starts, openings;
} Stats;

/* A win is two points, a draw one. */
static void count_player(Stats *stats, const KmdRecord *record, KmdColor side) {
    KmdText name = kmd_player(record, side);
    if (name.len > 0) {
        KmdWinner winner = kmd_record_winner(record);
        KmdWinner own = side == KMD_BLACK ? KMD_WINNER_BLACK : KMD_WINNER_WHITE;
        Tally *player = tally_count(&stats->players, name.ptr, name.len);
        player->points += winner == own ? 2 : winner == KMD_WINNER_DRAW ? 1 : 0;
    }
}

/* The first four moves in Japanese, for even games and each handicap. */
static void count_opening(Stats *stats, const KmdRecord *record, KmdPosition *pos) {
    char text[512], move[KMD_NOTATION_SIZE];
    size_t len = 0;
    int node = KMD_ROOT;
    kmd_record_position(record, KMD_ROOT, pos);
    for (int ply = 0; ply < 4; ply++) {
        node = kmd_node_child(record, node);
        if (node == KMD_NODE_NONE || kmd_node_ending(record, node) != KMD_END_NONE) {
            return;
        }
        kmd_notation_write(pos, kmd_node_move(record, node), KMD_NOTATION_JAPANESE, move);
        len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s",
                                kmd_side_to_move(pos) == KMD_BLACK ? "▲" : "△", move);
        kmd_do(pos, kmd_node_move(record, node));
    }
    tally_count(&stats->openings, text, len);
}

static void count_game(Stats *stats, const KmdRecord *record, KmdPosition *pos) {
    int moves = kmd_main_length(record), node = KMD_ROOT;
    bool has_time = false, has_comment = false;
    for (; node != KMD_NODE_NONE; node = kmd_node_child(record, node)) {
        has_time |= kmd_node_time(record, node) > 0;
        has_comment |= kmd_node_comment(record, node).len > 0;
    }
    const char *handicap = kmd_handicap(record);
    handicap = handicap[0] != '\0' ? handicap : "その他";
    stats->shortest = stats->games == 0 || moves < stats->shortest ? moves : stats->shortest;
    stats->longest = moves > stats->longest ? moves : stats->longest;
    stats->games++;
    stats->moves += moves;
    stats->winners[kmd_record_winner(record)]++;
    stats->endings[kmd_node_ending(record, kmd_main_end(record))]++;
    stats->lengths[moves / LENGTH_STEP < LENGTH_BUCKETS ? moves / LENGTH_STEP
                                                        : LENGTH_BUCKETS - 1]++;
    stats->with_times += has_time;
    stats->with_comments += has_comment;
    stats->with_variations += kmd_variation_count(record) > 0;
    tally_count(&stats->starts, handicap, strlen(handicap));
    count_player(stats, record, KMD_BLACK);
    count_player(stats, record, KMD_WHITE);
    count_opening(stats, record, pos);
}

static void count_file(Stats *stats, const KifuArgs *args, const char *path) {
    KmdRecordStream *stream = kmd_stream_open(path, args->from);
    if (stream == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        stats->broken++;
        return;
    }
    KmdRecord *record = kmd_record_new();
    KmdPosition *pos = kmd_position_new();
    KmdFault fault;
    KmdNext next;
    long found_before = stats->games + stats->broken;
    while ((next = kmd_stream_next(stream, record, &fault)) == KMD_NEXT_GAME ||
           next == KMD_NEXT_BROKEN) {
        if (next == KMD_NEXT_GAME) {
            count_game(stats, record, pos);
        } else {
            stats->broken++;
            kifuargs_report(path, &fault);
        }
    }
    if (next == KMD_NEXT_FAILED) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        stats->broken++;
    } else if (stats->games + stats->broken == found_before) {
        fprintf(stderr, "%s: no game there\n", path);
        stats->broken++;
    }
    kmd_position_free(pos);
    kmd_record_free(record);
    kmd_stream_close(stream);
}

/* ---- printing -------------------------------------------------------------------------------- */

static double percent(long part, long whole) {
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0.0;
}

/* A text and blanks up to `columns` of a terminal. */
static void print_padded(const char *text, int columns) {
    int used = kmd_text_columns(text, strlen(text));
    printf("%s%*s", text, used < columns ? columns - used : 0, "");
}

static void print_share(const char *name, long count, long whole) {
    if (count > 0) {
        printf("  ");
        print_padded(name, 42);
        printf(" %7ld  %5.1f %%\n", count, percent(count, whole));
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

/* The most frequent names; the table is only good for freeing afterwards. */
static void print_top(const char *title, TallyTable *table, long whole) {
    if (table->used == 0) {
        return;
    }
    qsort(table->slots, table->size, sizeof(Tally), by_count);
    printf("\n%s\n", title);
    for (size_t i = 0; i < table->used && i < TOP_COUNT; i++) {
        print_share(table->slots[i].name, table->slots[i].count, whole);
    }
}

static void print_players(TallyTable *table) {
    if (table->used == 0) {
        return;
    }
    qsort(table->slots, table->size, sizeof(Tally), by_count);
    printf("\nplayers                                        games   score\n");
    for (size_t i = 0; i < table->used && i < TOP_COUNT; i++) {
        const Tally *player = &table->slots[i];
        printf("  ");
        print_padded(player->name, 42);
        printf(" %7ld  %5.1f %%\n", player->count, percent(player->points, player->count * 2));
    }
}

static void print_stats(Stats *stats) {
    static const char *const winners[] = {"not said", "black wins", "white wins", "draws"};
    printf("%ld games, %ld moves, %ld files or games with faults\n", stats->games, stats->moves,
           stats->broken);
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
    for (int i = 0; i < ENDING_COUNT; i++) {
        print_share(kmd_ending_text((KmdEnding)i), stats->endings[i], stats->games);
    }
    printf("\nlengths\n");
    for (int i = 0; i < LENGTH_BUCKETS; i++) {
        char name[32];
        bool is_last = i == LENGTH_BUCKETS - 1;
        snprintf(name, sizeof(name), is_last ? "%d and more" : "%d to %d", i * LENGTH_STEP,
                 (i + 1) * LENGTH_STEP - 1);
        print_share(name, stats->lengths[i], stats->games);
    }
    print_top("starts", &stats->starts, stats->games);
    print_top("first four moves", &stats->openings, stats->games);
    print_players(&stats->players);
}

int gamestats_run(const KifuArgs *args) {
    Stats stats = {.games = 0};
    if (args->input_count == 0) {
        fprintf(stderr, "komadori-kifu: stats of what?\n");
        return 2;
    }
    for (int i = 0; i < args->input_count; i++) {
        count_file(&stats, args, args->inputs[i]);
    }
    print_stats(&stats);
    tally_free(&stats.players);
    tally_free(&stats.starts);
    tally_free(&stats.openings);
    return stats.broken > 0;
}
