/* checkgame.c: goes through every line of a game and checks its ending against the rules in the
 * last position. */
#include "commands/kifutool.h"

#include <stdio.h>

#include "record/kifuio.h"
#include "record/record.h"
#include "rules/declare.h"
#include "rules/movegen.h"
#include "rules/outcome.h"
#include "rules/repetition.h"

/* The state of checking a game. A record never contains an illegal move, because these are found
 * while reading. What is checked here are the rules about the whole game, and whether the ending
 * fits the last position. */

typedef struct Check {
    const KifuArgs *args;
    const char *path;
    const Record *record;
    RecordCursor cursor;
    int game;         /* number of the game in the file, from 1 */
    bool is_repeated; /* the fourth occurrence has been reported */
    long faults;
} Check;

static void print_finding(Check *check, int ply, const char *text) {
    printf("%s", check->path);
    if (check->game > 1) {
        printf(" game %d", check->game);
    }
    if (ply > 0) {
        printf(": move %d", ply);
    }
    printf(": %s\n", text);
}

/* Prints a note, which is not an error. */
static void print_note(Check *check, int ply, const char *text) {
    if (!check->args->quiet) {
        print_finding(check, ply, text);
    }
}

static void print_fault(Check *check, int ply, const char *text) {
    check->faults++;
    print_finding(check, ply, text);
}

/* Checks for repetition. The fourth occurrence of a position ends the game, so moves after it are
 * errors. */
static void check_repetition(Check *check, int ply, bool is_last) {
    bool is_black = check->cursor.pos.side == BLACK;
    Repetition repetition = repetition_in_game(&check->cursor.pos);
    if (check->is_repeated) {
        return;
    }
    check->is_repeated = repetition != REP_NONE;
    switch (repetition) {
    case REP_NONE:
        return;
    case REP_DRAW:
        print_note(check, ply, "fourth occurrence of the position: sennichite");
        break;
    case REP_WIN:
        print_note(check, ply,
                   is_black ? "fourth occurrence: white gave perpetual check and loses"
                            : "fourth occurrence: black gave perpetual check and loses");
        break;
    case REP_LOSS:
        print_note(check, ply,
                   is_black ? "fourth occurrence: black gave perpetual check and loses"
                            : "fourth occurrence: white gave perpetual check and loses");
        break;
    default:
        break;
    }
    if (!is_last) {
        print_fault(check, ply, "the game continues after the fourth occurrence");
    }
}

/* True if the side to move is in check and can only interpose. This is only a note, because mate
 * problems end in such a position if interposing would not help. */
static bool has_only_interpositions(const Position *pos) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    for (int i = 0; i < count; i++) {
        bool is_king = !move_is_drop(list[i]) && move_from(list[i]) == pos->king[pos->side];
        if (is_king || pos_piece(pos, move_to(list[i])) != NO_PIECE) {
            return false;
        }
    }
    return count > 0 && pos_in_check(pos);
}

/* Checks whether the ending fits the last position, as far as a program can tell. */
static void check_ending(Check *check, int node, int ply) {
    const Position *pos = &check->cursor.pos;
    Repetition repetition = repetition_in_game(pos);
    OutcomeRules try_rule = {KMD_DECLARE_TRY, 0};
    switch (check->record->nodes[node].ending) {
    case KMD_END_MATE:
        if (has_only_interpositions(pos)) {
            print_note(check, ply, "the record says mate, and only interpositions remain");
        } else if (gen_has_move(pos)) {
            print_fault(check, ply, "the record says mate, but there are legal moves");
        }
        break;
    case KMD_END_SENNICHITE:
        if (repetition == REP_NONE) {
            print_fault(check, ply,
                        "the record says sennichite, but this is not the fourth occurrence");
        } else if (repetition != REP_DRAW) {
            print_fault(check, ply, "the record says sennichite, but perpetual check loses");
        }
        break;
    case KMD_END_DECLARATION:
        if (declare_result(pos, KMD_DECLARE_27) != KMD_DECLARATION_WIN &&
            declare_result(pos, KMD_DECLARE_27H) != KMD_DECLARATION_WIN) {
            print_fault(check, ply, "a declaration here does not win by the 27-point rule");
        }
        break;
    case KMD_END_ILLEGAL_WIN:
    case KMD_END_ILLEGAL_LOSS:
        if (repetition == REP_NONE && check->record->nodes[node].foul.move == MOVE_NONE) {
            print_note(check, ply, "the record says illegal move, but its moves are legal");
        }
        break;
    case KMD_END_TRY:
        if (outcome_of(pos, &try_rule).kind != KMD_END_TRY) {
            print_fault(check, ply,
                        "the record says try, but no king is on the other king's home square");
        }
        break;
    default:
        break;
    }
}

/* Prints the points of the impasse rule if a king has entered or the record claims an impasse. */
static void print_points(const Check *check, int end) {
    const Position *pos = &check->cursor.pos;
    KmdEnding ending = check->record->nodes[end].ending;
    if (!declare_count(pos, BLACK).king_in_zone && !declare_count(pos, WHITE).king_in_zone &&
        ending != KMD_END_IMPASSE && ending != KMD_END_DECLARATION) {
        return;
    }
    for (Color side = BLACK; side < COLOR_NB; side++) {
        KmdDeclareCount count = declare_count(pos, side);
        printf("  %s: king %s the zone, %d piece%s there, %d point%s",
               side == BLACK ? "black" : "white", count.king_in_zone ? "in" : "outside",
               count.pieces_in_zone, str_plural((uint64_t)count.pieces_in_zone), count.points,
               str_plural((uint64_t)count.points));
        if (count.handicap_points > 0) {
            printf(" + %d for the handicap", count.handicap_points);
        }
        printf("%s\n", count.in_check ? ", in check" : "");
    }
}

static void check_game(Check *check) {
    const Record *record = check->record;
    int ply = 0;
    int end = record_main_end(record);
    check->is_repeated = false;
    cursor_restart(&check->cursor);
    for (;;) {
        int next = record->nodes[check->cursor.node].child;
        bool is_last = next == KMD_NODE_NONE || record->nodes[next].ending != KMD_END_NONE;
        check_repetition(check, ply, is_last);
        if (is_last) {
            break;
        }
        cursor_go(&check->cursor, next);
        ply++;
    }
    check_ending(check, end, ply);
    if (!check->args->quiet) {
        OutcomeRules rules = {KMD_DECLARE_NONE, 0};
        KmdOutcome outcome = outcome_of(&check->cursor.pos, &rules);
        int variations = record_variation_count(record);
        printf("%s game %d: %d move%s, %d variation%s, %s; last position: %s\n", check->path,
               check->game, ply, str_plural((uint64_t)ply), variations,
               str_plural((uint64_t)variations), outcome_ending_text(record->nodes[end].ending),
               outcome.kind == KMD_END_NONE ? "the game could continue"
                                            : outcome_ending_text(outcome.kind));
        print_points(check, end);
    }
}

static long check_file(const KifuArgs *args, const char *path) {
    Games games;
    kifutool_open(args, path, &games);
    Check check = {.args = args, .path = path, .record = &games.record};
    cursor_init(&check.cursor, &games.record);
    while (games_next(&games)) {
        check.game = games.count;
        if (games.form.codec != NULL) {
            check_game(&check);
        }
    }
    cursor_free(&check.cursor);
    games_close(&games);
    return check.faults + games.faults;
}

int kifutool_check(const KifuArgs *args) {
    long faults = 0;
    for (int i = 0; i < args->input_count; i++) {
        faults += check_file(args, args->inputs[i]);
    }
    return faults > 0;
}
