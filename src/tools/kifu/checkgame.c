#include "tools/kifu/checkgame.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Illegal moves are found by reading already: a record never holds one. What is left are the rules
 * that look at the whole game, and whether its ending fits the last position. */

typedef struct Check {
    const KifuArgs *args;
    const char *path;
    const KmdRecord *record;
    KmdPosition *pos;
    int game;         /* number in the file, from 1 */
    bool is_repeated; /* the fourth occurrence has been told */
    long faults;
} Check;

static void say(Check *check, int ply, const char *text) {
    printf("%s", check->path);
    if (check->game > 1) {
        printf(" game %d", check->game);
    }
    if (ply > 0) {
        printf(": move %d", ply);
    }
    printf(": %s\n", text);
}

/* What is worth knowing but not wrong. */
static void remark(Check *check, int ply, const char *text) {
    if (!check->args->quiet) {
        say(check, ply, text);
    }
}

static void fault(Check *check, int ply, const char *text) {
    check->faults++;
    say(check, ply, text);
}

/* The fourth occurrence ends a game; moves behind it are wrong. */
static void check_repetition(Check *check, int ply, bool is_last) {
    bool is_black = kmd_side_to_move(check->pos) == KMD_BLACK;
    KmdRepetition repetition = kmd_repetition(check->pos);
    if (check->is_repeated) {
        return;
    }
    check->is_repeated = repetition != KMD_REPETITION_NONE;
    switch (repetition) {
    case KMD_REPETITION_NONE:
        return;
    case KMD_REPETITION_DRAW:
        remark(check, ply, "fourth occurrence of the position: sennichite");
        break;
    case KMD_REPETITION_WIN:
        remark(check, ply,
               is_black ? "fourth occurrence: white gave perpetual check and loses"
                        : "fourth occurrence: black gave perpetual check and loses");
        break;
    case KMD_REPETITION_LOSS:
        remark(check, ply,
               is_black ? "fourth occurrence: black gave perpetual check and loses"
                        : "fourth occurrence: white gave perpetual check and loses");
        break;
    }
    if (!is_last) {
        fault(check, ply, "the game goes on behind the fourth occurrence");
    }
}

/* Whether the ending fits the last position, as far as a program can tell. */
static void check_ending(Check *check, int node, int ply) {
    const KmdPosition *pos = check->pos;
    KmdRepetition repetition = kmd_repetition(pos);
    bool is_over = kmd_legal_count(pos) == 0;
    switch (kmd_node_ending(check->record, node)) {
    case KMD_END_MATE:
        if (!is_over) {
            fault(check, ply, "the record says mate, but there are legal moves");
        }
        break;
    case KMD_END_SENNICHITE:
        if (repetition == KMD_REPETITION_NONE) {
            fault(check, ply, "the record says sennichite, but this is not the fourth occurrence");
        } else if (repetition != KMD_REPETITION_DRAW) {
            fault(check, ply, "the record says sennichite, but perpetual check loses");
        }
        break;
    case KMD_END_DECLARATION:
        if (kmd_declaration(pos, KMD_DECLARE_27) != KMD_DECLARATION_WIN &&
            kmd_declaration(pos, KMD_DECLARE_27H) != KMD_DECLARATION_WIN) {
            fault(check, ply, "a declaration here does not win by the 27-point rule");
        }
        break;
    case KMD_END_ILLEGAL_WIN:
    case KMD_END_ILLEGAL_LOSS:
        if (repetition == KMD_REPETITION_NONE) {
            remark(check, ply, "the record says illegal move; the moves it holds are legal");
        }
        break;
    case KMD_END_TRY:
        if (kmd_outcome(pos, KMD_DECLARE_TRY, 0).kind != KMD_END_TRY) {
            fault(check, ply, "the record says try, but no king stands on the other's home square");
        }
        break;
    default:
        break;
    }
}

static void print_side(const Check *check, KmdColor side, bool is_handicap) {
    KmdDeclareCount count = kmd_declare_count(check->pos, side);
    printf("  %s: king %s the zone, %d pieces there, %d points",
           side == KMD_BLACK ? "black" : "white", count.king_in_zone ? "in" : "outside",
           count.pieces_in_zone, count.points);
    if (is_handicap && side == KMD_WHITE) {
        printf(" + %d for the handicap", count.handicap_points);
    }
    printf("%s\n", count.in_check ? ", in check" : "");
}

/* Impasse points matter once a king has entered, or when the record says so. */
static void print_points(const Check *check, int end) {
    KmdEnding ending = kmd_node_ending(check->record, end);
    bool has_entered = kmd_declare_count(check->pos, KMD_BLACK).king_in_zone ||
                       kmd_declare_count(check->pos, KMD_WHITE).king_in_zone;
    if (has_entered || ending == KMD_END_IMPASSE || ending == KMD_END_DECLARATION) {
        bool is_handicap = strcmp(kmd_handicap(check->record), "平手") != 0;
        print_side(check, KMD_BLACK, is_handicap);
        print_side(check, KMD_WHITE, is_handicap);
    }
}

static void check_game(Check *check) {
    const KmdRecord *record = check->record;
    int node = KMD_ROOT, ply = 0;
    check->is_repeated = false;
    kmd_record_position(record, KMD_ROOT, check->pos);
    for (;;) {
        int next = kmd_node_child(record, node);
        bool is_last = next == KMD_NODE_NONE || kmd_node_ending(record, next) != KMD_END_NONE;
        check_repetition(check, ply, is_last);
        if (is_last) {
            break;
        }
        kmd_do(check->pos, kmd_node_move(record, next));
        node = next;
        ply++;
    }
    int end = kmd_main_end(record);
    check_ending(check, end, ply);
    if (!check->args->quiet) {
        KmdEnding ending = kmd_node_ending(record, end);
        KmdOutcome outcome = kmd_outcome(check->pos, KMD_DECLARE_NONE, 0);
        printf("%s game %d: %d moves, %d variations, %s; last position: %s\n", check->path,
               check->game, ply, kmd_variation_count(record), kmd_ending_text(ending),
               kmd_ending_text(outcome.kind));
        print_points(check, end);
    }
}

static long check_file(const KifuArgs *args, const char *path) {
    KmdRecordStream *stream = kmd_stream_open(path, args->from);
    if (stream == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return 1;
    }
    KmdRecord *record = kmd_record_new();
    Check check = {.args = args, .path = path, .record = record, .pos = kmd_position_new()};
    KmdFault broken;
    KmdNext next;
    while ((next = kmd_stream_next(stream, record, &broken)) == KMD_NEXT_GAME ||
           next == KMD_NEXT_BROKEN) {
        check.game++;
        if (next == KMD_NEXT_BROKEN) {
            check.faults++;
            kifuargs_report(path, &broken);
        }
        if (kmd_stream_form(stream).format != NULL) {
            check_game(&check);
        }
    }
    if (next == KMD_NEXT_FAILED) {
        check.faults++;
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
    } else if (check.game == 0) {
        check.faults++;
        fprintf(stderr, "%s: no game there\n", path);
    }
    kmd_position_free(check.pos);
    kmd_record_free(record);
    kmd_stream_close(stream);
    return check.faults;
}

int checkgame_run(const KifuArgs *args) {
    long faults = 0;
    if (args->input_count == 0) {
        fprintf(stderr, "komadori-kifu: check what?\n");
        return 2;
    }
    for (int i = 0; i < args->input_count; i++) {
        faults += check_file(args, args->inputs[i]);
    }
    return faults > 0;
}
