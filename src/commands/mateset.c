/* mateset.c: finds the columns, and compares answers with the known ones. */
#include "commands/mateset.h"

#include "base/utf8.h"
#include "mate/matemoves.h"
#include "mate/helpmate.h"

/* The columns, in the order of MateRow. */
enum { SFEN, KNOWN_LENGTH, LENGTH_ALL_DROPS, CATEGORY };
static const char *const columns[MATESET_COLUMNS] = {[SFEN] = "sfen",
                                                     [KNOWN_LENGTH] = "known_length",
                                                     [LENGTH_ALL_DROPS] = "length_all_drops",
                                                     [CATEGORY] = "category"};

void mateset_init(MateSet *set, StrView text) {
    *set = (MateSet){.rest = utf8_without_mark(text), .column = {0, -1, -1, -1}};
    StrView rest = set->rest;
    StrView line;
    int line_number = 0;
    if (!sv_next_row(&rest, &line, &line_number)) {
        return;
    }
    if (sv_find_field(line, '\t', sv_from(columns[SFEN])) >= 0) {
        for (int i = 0; i < MATESET_COLUMNS; i++) {
            set->column[i] = sv_find_field(line, '\t', sv_from(columns[i]));
        }
        set->rest = rest;
        set->line_number = line_number;
        set->row_count--;
    }
    do {
        set->row_count++;
    } while (sv_next_row(&rest, &line, &line_number));
}

bool mateset_next(MateSet *set, MateRow *row) {
    StrView line;
    if (!sv_next_row(&set->rest, &line, &set->line_number)) {
        return false;
    }
    set->row++;
    *row = (MateRow){.sfen = sv_field(line, '\t', set->column[SFEN]),
                     .known_length = sv_field(line, '\t', set->column[KNOWN_LENGTH]),
                     .length_all_drops = sv_field(line, '\t', set->column[LENGTH_ALL_DROPS]),
                     .category = sv_field(line, '\t', set->column[CATEGORY])};
    return true;
}

MateTally *mateset_tally(MateSet *set, StrView category) {
    for (int i = 0; i < set->tally_count; i++) {
        if (sv_equal(set->tallies[i].name, category)) {
            return &set->tallies[i];
        }
    }
    if (set->tally_count == MATESET_CATEGORIES) {
        return &set->tallies[MATESET_CATEGORIES - 1];
    }
    set->tallies[set->tally_count].name = category;
    return &set->tallies[set->tally_count++];
}

/* True for a known length: a number, the word for "no mate", or nothing. */
static bool is_length(StrView text, int low, int high, StrView none) {
    int length;
    return text.len == 0 || sv_equal(text, SV("?")) || sv_equal(text, none) ||
           sv_to_int(text, low, high, &length);
}

const char *mateset_fault(const MateRow *row, const MateProblemOptions *options) {
    if (options->brink_moves > 0) {
        return is_length(row->known_length, 0, BRINK_MOVES_MAX, SV("none"))
                   ? NULL
                   : "known_length is not a number of moves, none or ?";
    }
    if (!is_length(row->known_length, 1, MATE_LINE_MAX, SV("nomate"))) {
        return "known_length is not a number of plies, nomate or ?";
    }
    return is_length(row->length_all_drops, 1, MATE_LINE_MAX, SV("nomate"))
               ? NULL
               : "length_all_drops is not a number of plies, nomate or ?";
}

/* Appends ", WORDS (known_length 5)". */
static void add_remark(const char *words, int column, StrView value, StrBuf *out) {
    strbuf_addf(out, ", %s (%s %.*s)", words, columns[column], (int)value.len, value.ptr);
}

/* Adds the answer of a brinkmate search to the counts. The text gives the number of moves, 0 for a
 * mate, or `none`. */
static void judge_brink(const MateRow *row, const MateSolved *solved, MateTally *tally,
                        StrBuf *remark) {
    const MateAnswer *answer = &solved->answer;
    StrView known = row->known_length;
    int moves = 0;
    bool has_moves = sv_to_int(known, 0, BRINK_MOVES_MAX, &moves);
    bool is_found = answer->verdict == MATE_FOUND;
    bool is_right = has_moves && is_found && solved->moves == moves;
    bool is_wrong =
        (sv_equal(known, SV("none")) && is_found) ||
        (has_moves && moves <= solved->options->brink_moves && answer->verdict == MATE_NONE) ||
        (has_moves && is_found && solved->moves < moves) ||
        (has_moves && is_found && answer->is_exact && !is_right);
    tally->wrong += is_wrong;
    tally->known_lengths += has_moves;
    tally->right_lengths += is_right;
    if (is_wrong || (has_moves && is_found && !is_right)) {
        add_remark(is_wrong ? "WRONG" : "other length", KNOWN_LENGTH, known, remark);
    }
}

/* Adds the answer of a helpmate search to the counts. Nobody defends, so players count every move,
 * and either column gives the length. */
static void judge_helpmate(const MateRow *row, const MateSolved *solved, MateTally *tally,
                           StrBuf *remark) {
    const MateAnswer *answer = &solved->answer;
    int length = 0;
    bool is_found = answer->verdict == MATE_FOUND;
    bool has_known = sv_to_int(row->known_length, 1, HELPMATE_MAX, &length);
    bool has_length = has_known || sv_to_int(row->length_all_drops, 1, HELPMATE_MAX, &length);
    bool is_shorter = has_length && is_found && answer->len < length;
    bool says_none = sv_equal(row->known_length, SV("nomate"));
    bool all_say_none = sv_equal(row->length_all_drops, SV("nomate"));
    bool is_wrong =
        ((says_none || all_say_none) && is_found) ||
        (has_length && length <= solved->options->help_plies && answer->verdict == MATE_NONE) ||
        (has_length && is_found && answer->len > length);
    tally->wrong += is_wrong;
    tally->shorter += is_shorter;
    tally->known_lengths += has_length;
    tally->right_lengths += has_length && is_found && answer->len == length;
    if (is_wrong || is_shorter) {
        bool is_other = !has_known && !says_none;
        add_remark(is_wrong ? "WRONG" : "shorter", is_other ? LENGTH_ALL_DROPS : KNOWN_LENGTH,
                   is_other ? row->length_all_drops : row->known_length, remark);
    }
}

static void judge_mate(const MateRow *row, const MateSolved *solved, MateTally *tally,
                       StrBuf *remark) {
    const MateAnswer *answer = &solved->answer;
    StrView known = row->known_length;
    bool is_mate = answer->verdict == MATE_FOUND;
    int length = 0, players = 0;
    bool says_none = sv_equal(known, SV("nomate"));
    bool all_say_none = sv_equal(row->length_all_drops, SV("nomate"));
    bool has_length = sv_to_int(row->length_all_drops, 1, MATE_LINE_MAX, &length);
    bool has_players = sv_to_int(known, 1, MATE_LINE_MAX, &players);
    bool is_wrong = ((says_none || all_say_none) && is_mate) ||
                    ((has_length || has_players) && answer->verdict == MATE_NONE) ||
                    (has_length && is_mate && answer->is_exact && answer->len > length);
    bool is_shorter = has_length && is_mate && answer->len < length;
    bool is_right_length = has_length && is_mate && answer->len == length;
    bool is_right_players =
        has_players && is_mate && (answer->players_len == players || answer->main_len == players);
    tally->wrong += is_wrong;
    tally->shorter += is_shorter;
    tally->known_lengths += has_length;
    tally->right_lengths += is_right_length;
    tally->known_players += has_players;
    tally->right_players += is_right_players;
    if (is_wrong || (has_length && is_mate && !is_right_length)) {
        bool is_other = (has_length || (all_say_none && is_mate)) && !says_none;
        add_remark(is_wrong     ? "WRONG"
                   : is_shorter ? "shorter"
                                : "other length",
                   is_other ? LENGTH_ALL_DROPS : KNOWN_LENGTH,
                   is_other ? row->length_all_drops : known, remark);
    } else if (is_mate && has_players && answer->has_players_len && !is_right_players) {
        add_remark("other length", KNOWN_LENGTH, known, remark);
    }
}

void mateset_judge(const MateRow *row, const MateSolved *solved, MateTally *tally, StrBuf *remark) {
    tally->total++;
    tally->decided += solved->answer.verdict != MATE_UNKNOWN;
    tally->nodes += solved->answer.nodes;
    tally->time_ns += solved->time_ns;
    tally->slowest_ns = i64_max(tally->slowest_ns, solved->time_ns);
    if (solved->options->brink_moves > 0) {
        judge_brink(row, solved, tally, remark);
    } else if (solved->options->help_plies > 0) {
        judge_helpmate(row, solved, tally, remark);
    } else {
        judge_mate(row, solved, tally, remark);
    }
}
