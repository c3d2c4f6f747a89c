/* Tests the rule cases gathered from public test suites: rule-cases.tsv in the folder named by
 * KOMADORI_CASES. Every row is judged; a category that this file does not know is a failure. */
#include <stdio.h>

#include "base/base.h"
#include "base/fileio.h"
#include "positions.h"
#include "rules/declare.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "rules/repetition.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

typedef struct Row {
    StrView id;
    StrView category;
    StrView position;
    StrView move;
    StrView expected;
    StrView note;
} Row;

static bool contains(StrView text, StrView part) {
    return sv_find(text, part) < text.len;
}

/* The number after `key` in text; -1 if there is none. */
static int number_after(StrView text, StrView key) {
    StrView rest = sv_skip(text, sv_find(text, key) + key.len);
    size_t len = 0;
    while (len < rest.len && rest.ptr[len] >= '0' && rest.ptr[len] <= '9') {
        len++;
    }
    int number = -1;
    return sv_to_int(sv_prefix(rest, len), 0, 1000000, &number) ? number : -1;
}

static bool read_color(StrView text, Color *color) {
    *color = contains(text, SV("white")) ? WHITE : BLACK;
    return contains(text, SV("white")) != contains(text, SV("black"));
}

/* ---- positions ------------------------------------------------------------------------------- */

/* Reads "sfen ..." or "startpos", then "moves ..."; every move must be legal. */
static bool set_position(Position *pos, const Row *row) {
    StrView text = row->position;
    Tokenizer tok = {text};
    StrView word;
    size_t moves_at = sv_find(text, SV(" moves"));
    StrView start = sv_trim(sv_prefix(text, moves_at));
    if (sv_starts_with(start, SV("sfen "))) {
        start = sv_skip(start, 5);
    } else if (!sv_equal(start, SV("startpos"))) {
        return false;
    }
    if (pos_set_sfen(pos, start, NULL) != KMD_OK) {
        return false;
    }
    tok.rest = sv_skip(text, moves_at + 6);
    while (tok_next(&tok, &word)) {
        Move move = usimove_read(word);
        if (!move_is_legal(pos, move)) {
            return false;
        }
        pos_do(pos, move);
    }
    return true;
}

static bool is_listed(const Position *pos, Move move) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    for (int i = 0; i < count; i++) {
        if (list[i] == move) {
            return true;
        }
    }
    return false;
}

/* ---- moves ----------------------------------------------------------------------------------- */

static bool judge_move(Position *pos, const Row *row) {
    bool want_legal = sv_equal(row->expected, SV("legal"));
    Move move = usimove_read(row->move);
    return set_position(pos, row) && move_is_legal(pos, move) == want_legal &&
           is_listed(pos, move) == want_legal;
}

static bool judge_nifu(Position *pos, const Row *row) {
    return judge_move(pos, row) && legality_of(pos, usimove_read(row->move)) == KMD_ILLEGAL_NIFU;
}

static bool judge_uchifuzume(Position *pos, const Row *row) {
    return judge_move(pos, row) &&
           legality_of(pos, usimove_read(row->move)) == KMD_ILLEGAL_UCHIFUZUME;
}

static bool judge_dead_piece(Position *pos, const Row *row) {
    return judge_move(pos, row) &&
           legality_of(pos, usimove_read(row->move)) == KMD_ILLEGAL_DEAD_PIECE;
}

/* Judges a count. Without a number, the position must only be readable. */
static bool judge_count(Position *pos, const Row *row) {
    Move list[MAX_MOVES];
    if (!set_position(pos, row)) {
        return false;
    }
    int listed = gen_moves(pos, GEN_LEGAL, list);
    int want = row->expected.len > 0 ? number_after(row->expected, SV("")) : listed;
    return listed == want && gen_count(pos) == want && gen_has_move(pos) == (want > 0);
}

static bool judge_moves(Position *pos, const Row *row) {
    Move list[MAX_MOVES];
    Tokenizer tok = {row->expected};
    StrView word;
    int wanted = 0;
    bool is_right = set_position(pos, row);
    for (; is_right && tok_next(&tok, &word); wanted++) {
        is_right = is_listed(pos, usimove_read(word));
    }
    return is_right && gen_moves(pos, GEN_LEGAL, list) == wanted;
}

static bool judge_mate(Position *pos, const Row *row) {
    const OutcomeRules rules = {KMD_DECLARE_NONE, 0};
    if (!set_position(pos, row)) {
        return false;
    }
    KmdOutcome outcome = outcome_of(pos, &rules);
    if (contains(row->expected, SV("not mated"))) {
        return gen_has_move(pos) && outcome.kind == KMD_END_NONE;
    }
    bool is_lost = outcome.winner == (pos->side == BLACK ? KMD_WINNER_WHITE : KMD_WINNER_BLACK);
    bool needs_check = contains(row->expected, SV("checkmated"));
    return contains(row->expected, SV("mated")) && !gen_has_move(pos) && is_lost &&
           (!needs_check || outcome.kind == KMD_END_MATE);
}

/* The only row of this kind is a king that could be captured: such a position is rejected. */
static bool judge_misc(Position *pos, const Row *row) {
    Setup setup;
    (void)pos;
    return contains(row->expected, SV("king en prise")) &&
           sfen_read(sv_skip(row->position, 5), &setup, NULL) == KMD_ERROR_SFEN_OPPONENT_IN_CHECK;
}

/* ---- repetition ------------------------------------------------------------------------------ */

static bool judge_repetition(Position *pos, const Row *row) {
    const OutcomeRules rules = {KMD_DECLARE_NONE, 0};
    if (!set_position(pos, row)) {
        /* In R0382 the king jumps from 8a to 4a, so there is no legal game. */
        return sv_equal(row->id, SV("R0382"));
    }
    KmdOutcome outcome = outcome_of(pos, &rules);
    Repetition repetition = repetition_in_game(pos);
    if (contains(row->expected, SV("no 4-fold"))) {
        return repetition == REP_NONE && repetition_count(pos) < 4 && outcome.kind == KMD_END_NONE;
    }
    if (sv_starts_with(row->expected, SV("draw"))) {
        return repetition == REP_DRAW && repetition_count(pos) >= 4 &&
               outcome.kind == KMD_END_SENNICHITE && outcome.winner == KMD_WINNER_DRAW;
    }
    Color loser;
    if (!sv_starts_with(row->expected, SV("perpetual check")) ||
        !read_color(row->expected, &loser)) {
        return false;
    }
    return repetition == (loser == pos->side ? REP_LOSS : REP_WIN) &&
           outcome.kind == (loser == pos->side ? KMD_END_PERPETUAL_LOSS : KMD_END_PERPETUAL_WIN) &&
           outcome.winner == (loser == BLACK ? KMD_WINNER_WHITE : KMD_WINNER_BLACK);
}

static bool judge_inferior(Position *pos, const Row *row) {
    return set_position(pos, row) && repetition_in_line(pos, 1000) == REP_INFERIOR &&
           repetition_in_game(pos) == REP_NONE;
}

static bool judge_superior(Position *pos, const Row *row) {
    return set_position(pos, row) && repetition_in_line(pos, 1000) == REP_SUPERIOR &&
           repetition_in_game(pos) == REP_NONE;
}

/* ---- declarations ---------------------------------------------------------------------------- */

static bool matches_verdict(StrView verdict, KmdDeclaration result) {
    static const char *const word[] = {[KMD_DECLARATION_REFUSED] = "LOSE",
                                       [KMD_DECLARATION_DRAW] = "DRAW",
                                       [KMD_DECLARATION_WIN] = "WIN"};
    return sv_starts_with(verdict, sv_from(word[result]));
}

/* Judges "27-point: WIN" or "24-point: DRAW" for the side to move. */
static bool judge_verdict(const Position *pos, StrView item, bool adds_handicap, bool is_to_move) {
    bool is_27 = sv_starts_with(item, SV("27-point: "));
    KmdDeclareRule rule_27 = adds_handicap ? KMD_DECLARE_27H : KMD_DECLARE_27;
    KmdDeclareRule rule_24 = adds_handicap ? KMD_DECLARE_24H : KMD_DECLARE_24;
    KmdDeclaration result =
        is_to_move ? declare_result(pos, is_27 ? rule_27 : rule_24) : KMD_DECLARATION_REFUSED;
    return (is_27 || sv_starts_with(item, SV("24-point: "))) &&
           matches_verdict(sv_skip(item, 10), result);
}

/* Judges "27-point: WIN; 24-point: DRAW; points(in zone+hand)=28", or the first part alone, for the
 * side in the move column. Only the side to move may declare. The note says whether a verdict adds
 * the points of the handicap; the stated points always include them. */
static bool judge_declaration(Position *pos, const Row *row) {
    Color side;
    if (!set_position(pos, row) || !read_color(row->move, &side)) {
        return false;
    }
    bool adds_handicap = contains(row->note, SV("handicap"));
    bool is_to_move = side == pos->side;
    if (!judge_verdict(pos, row->expected, adds_handicap, is_to_move)) {
        return false;
    }
    size_t second = sv_find(row->expected, SV("24-point: "));
    if (second == row->expected.len) {
        return true;
    }
    KmdDeclareCount count = declare_count(pos, side);
    return judge_verdict(pos, sv_skip(row->expected, second), adds_handicap, is_to_move) &&
           number_after(row->expected, SV("hand)=")) == count.points + count.handicap_points;
}

static bool judge_declaration_points(Position *pos, const Row *row) {
    return set_position(pos, row) &&
           declare_count(pos, BLACK).points == number_after(row->expected, SV("black=")) &&
           declare_count(pos, WHITE).points == number_after(row->expected, SV("white="));
}

/* Takes a piece of one of the given types from the pool; NO_PIECE_TYPE if none is left. */
static PieceType take_from(int pool[KING], const PieceType *types, int count) {
    for (int i = 0; i < count; i++) {
        if (pool[types[i]] > 0) {
            pool[types[i]]--;
            return types[i];
        }
    }
    return NO_PIECE_TYPE;
}

static void fill_pool(int pool[KING], StrView handicap) {
    pool[NO_PIECE_TYPE] = 0;
    for (int type = PAWN; type <= GOLD; type++) {
        pool[type] = pt_total((PieceType)type);
    }
    if (!sv_starts_with(handicap, SV("even"))) {
        pool[ROOK]--;
        pool[BISHOP]--;
    }
    if (sv_starts_with(handicap, SV("4-piece"))) {
        pool[LANCE] -= 2;
    }
}

/* A position in which `side` has its king and ten pieces in the zone and exactly `points` points.
 * The other side has the rest of the pool in hand. */
static Setup setup_with_points(Color side, int points, int pool[KING]) {
    static const PieceType big[] = {ROOK, BISHOP};
    static const PieceType small[] = {GOLD, SILVER, PAWN, LANCE, KNIGHT};
    Color other = color_flip(side);
    Setup setup = {.side = side, .ply = 1};
    setup.board[side == BLACK ? SQ(5, 2) : SQ(5, 8)] = piece_make(side, KING);
    setup.board[side == BLACK ? SQ(5, 8) : SQ(5, 2)] = piece_make(other, KING);
    for (int placed = 0; points > 0; placed++) {
        bool takes_big = points - 5 >= 10 - placed - 1;
        PieceType type = takes_big ? take_from(pool, big, 2) : NO_PIECE_TYPE;
        type = type == NO_PIECE_TYPE ? take_from(pool, small, 5) : type;
        points -= type == ROOK || type == BISHOP ? 5 : 1;
        Square sq = placed < 9 ? SQ(9 - placed, 1) : SQ(9, 3);
        if (placed >= 10) {
            setup.hand[side] = hand_add(setup.hand[side], type);
        } else {
            PieceType shown = type == PAWN ? PRO_PAWN : type;
            setup.board[side == BLACK ? sq : sq_turn(sq)] = piece_make(side, shown);
        }
    }
    for (int type = PAWN; type <= GOLD; type++) {
        setup.hand[other] += (Hand)pool[type] * hand_unit((PieceType)type);
    }
    return setup;
}

static KmdDeclaration declare_with_points(Position *pos, const Row *row, Color side, int points) {
    int pool[KING];
    KmdDeclareRule rule;
    bool is_27 = sv_starts_with(row->position, SV("27-point"));
    bool adds_handicap = sv_ends_with(row->position, SV("(H)"));
    rule = is_27 ? (adds_handicap ? KMD_DECLARE_27H : KMD_DECLARE_27)
                 : (adds_handicap ? KMD_DECLARE_24H : KMD_DECLARE_24);
    fill_pool(pool, row->move);
    Setup setup = setup_with_points(side, points, pool);
    if (!CHECK_INT(setup_check(&setup, NULL), KMD_OK)) {
        return KMD_DECLARATION_REFUSED;
    }
    pos_set(pos, &setup);
    return declare_count(pos, side).points == points ? declare_result(pos, rule)
                                                     : KMD_DECLARATION_REFUSED;
}

/* Judges "black needs 28, white needs 27": this many points are enough to win, and one point less
 * is not. */
static bool judge_declaration_threshold(Position *pos, const Row *row) {
    int black = number_after(row->expected, SV("black needs "));
    int white = number_after(row->expected, SV("white needs "));
    return black > 10 && white > 10 &&
           declare_with_points(pos, row, BLACK, black) == KMD_DECLARATION_WIN &&
           declare_with_points(pos, row, BLACK, black - 1) != KMD_DECLARATION_WIN &&
           declare_with_points(pos, row, WHITE, white) == KMD_DECLARATION_WIN &&
           declare_with_points(pos, row, WHITE, white - 1) != KMD_DECLARATION_WIN;
}

/* ---- text ------------------------------------------------------------------------------------ */

static bool is_written_as(const Setup *setup, StrView want) {
    StrBuf out = STRBUF_INIT;
    sfen_write(setup, &out);
    /* Some suites omit the move number, so compare without it. */
    size_t got_len = out.len;
    size_t want_len = want.len;
    while (got_len > 0 && out.ptr[got_len - 1] != ' ') {
        got_len--;
    }
    while (want_len > 0 && want.ptr[want_len - 1] != ' ') {
        want_len--;
    }
    bool is_same = sv_equal(sv_prefix(strbuf_view(&out), got_len), sv_prefix(want, want_len));
    strbuf_free(&out);
    return is_same;
}

static bool judge_sfen(Position *pos, const Row *row) {
    Setup setup;
    (void)pos;
    if (!sv_starts_with(row->position, SV("sfen "))) {
        return false;
    }
    StrView text = sv_skip(row->position, 5);
    KmdError error = sfen_read(text, &setup, NULL);
    if (sv_starts_with(row->expected, SV("reject"))) {
        return error != KMD_OK;
    }
    static const StrView normalised = {"normalised: ", 12};
    static const StrView flipped = {"180-degree flip = ", 18};
    if (contains(row->expected, flipped)) {
        Setup turned = setup_turned(&setup);
        size_t at = sv_find(row->expected, flipped);
        return error == KMD_OK && is_written_as(&turned, sv_skip(row->expected, at + flipped.len));
    }
    if (contains(row->expected, normalised)) {
        size_t at = sv_find(row->expected, normalised);
        return error == KMD_OK &&
               is_written_as(&setup, sv_skip(row->expected, at + normalised.len));
    }
    bool is_accepted = sv_starts_with(row->expected, SV("accept")) && error == KMD_OK;
    bool needs_round_trip = contains(row->expected, SV("round-trips"));
    return is_accepted && (!needs_round_trip || is_written_as(&setup, text));
}

static bool judge_usi_move(Position *pos, const Row *row) {
    (void)pos;
    return sv_starts_with(row->expected, SV("reject")) && usimove_read(row->move) == MOVE_NONE;
}

static bool judge_usi_position(Position *pos, const Row *row) {
    bool want_accepted = sv_starts_with(row->expected, SV("accept"));
    return (want_accepted || sv_starts_with(row->expected, SV("reject"))) &&
           set_position(pos, row) == want_accepted;
}

/* ---- the table ------------------------------------------------------------------------------- */

typedef struct Judge {
    const char *category; /* the full name, or its part before the colon */
    bool (*is_right)(Position *pos, const Row *row);
} Judge;

/* The functions that judge each category. The first match is used. */
static const Judge judges[] = {
    {"illegal:nifu", judge_nifu},
    {"illegal:uchifuzume", judge_uchifuzume},
    {"illegal:dead-piece", judge_dead_piece},
    {"illegal", judge_move},
    {"legal", judge_move},
    {"count", judge_count},
    {"moves", judge_moves},
    {"mate", judge_mate},
    {"misc", judge_misc},
    {"repetition", judge_repetition},
    {"repetition-inferior", judge_inferior},
    {"repetition-superior", judge_superior},
    {"declaration", judge_declaration},
    {"declaration-points", judge_declaration_points},
    {"declaration-threshold", judge_declaration_threshold},
    {"sfen", judge_sfen},
    {"usi-move", judge_usi_move},
    {"usi-position", judge_usi_position},
};

/* Rows on which the suites contradict each other or the rules of a position, with Komadori's
 * answer; docs/usi.md gives the reasons. */
static const struct {
    const char *id;
    KmdError answer;
} own_answers[] = {
    {"R0046", KMD_ERROR_SFEN_TOO_MANY},   /* five knights, some of them on the last two ranks */
    {"R0047", KMD_ERROR_SFEN_DEAD_PIECE}, /* knights on the last two ranks */
    {"R0124", KMD_ERROR_SFEN_TOO_MANY},   /* four bishops check a king */
    {"R0125", KMD_ERROR_SFEN_TOO_MANY},   /* four bishops */
    {"R0126", KMD_ERROR_SFEN_TOO_MANY},   /* four bishops */
    {"R0127", KMD_ERROR_SFEN_TOO_MANY},   /* four bishops */
    {"R0132", KMD_ERROR_SFEN_OPPONENT_IN_CHECK}, /* a lance could capture the king */
    {"R0133", KMD_ERROR_SFEN_OPPONENT_IN_CHECK}, /* a lance could capture the king */
    {"R0282", KMD_OK},                           /* the move number is missing after a space */
    {"R0368", KMD_ERROR_SFEN_TOO_MANY},          /* three bishops */
    {"R0414", KMD_ERROR_SFEN_DEAD_PIECE},        /* white pawns on rank i */
    {"R0416", KMD_ERROR_SFEN_DEAD_PIECE},        /* white pawns on rank i */
    {"R0418", KMD_ERROR_SFEN_DEAD_PIECE},        /* white pawns on rank i */
    {"R0419", KMD_ERROR_SFEN_TOO_MANY},          /* three rooks */
    {"R0420", KMD_ERROR_SFEN_TOO_MANY},          /* three rooks, and white pawns on rank i */
    {"R0475", KMD_ERROR_SFEN_TOO_MANY}, /* 19 pawns; R0402 and R0403 reject such positions */
    {"R0476", KMD_ERROR_SFEN_TOO_MANY}, /* 39 pawns */
};

static bool judge_own_answer(const Row *row, KmdError answer) {
    Setup setup;
    StrView start = sv_trim(sv_prefix(row->position, sv_find(row->position, SV(" moves"))));
    return sfen_read(sv_skip(start, 5), &setup, NULL) == answer;
}

/* Judges a row according to its category. */
static bool judge_expected(Position *pos, const Row *row) {
    StrView stem = sv_prefix(row->category, sv_find_byte(row->category, ':'));
    for (size_t i = 0; i < COUNTOF(judges); i++) {
        StrView name = sv_from(judges[i].category);
        if (sv_equal(name, row->category) || sv_equal(name, stem)) {
            return judges[i].is_right(pos, row);
        }
    }
    return false;
}

static bool judge_row(Position *pos, const Row *row) {
    for (size_t i = 0; i < COUNTOF(own_answers); i++) {
        if (sv_equal(row->id, sv_from(own_answers[i].id))) {
            return judge_own_answer(row, own_answers[i].answer);
        }
    }
    return judge_expected(pos, row);
}

/* Reads a row with the columns id, category, position, move, expected, checked, source and note. */
static bool read_row(StrView line, Row *row) {
    StrView checked;
    StrView source;
    StrView *const field[] = {&row->id,       &row->category, &row->position, &row->move,
                              &row->expected, &checked,       &source,        &row->note};
    for (size_t i = 0; i < COUNTOF(field); i++) {
        if (!sv_next_field(&line, '\t', field[i])) {
            return false;
        }
    }
    return line.len == 0;
}

static void test_rule_cases(void) {
    if (unit_cases_dir() == NULL) {
        unit_skip("KOMADORI_CASES is not set");
        return;
    }
    StrBuf path = STRBUF_INIT;
    StrBuf text = STRBUF_INIT;
    strbuf_addf(&path, "%s/rule-cases.tsv", unit_cases_dir());
    if (!CHECK_INT(file_read(path.ptr, &text), 0)) {
        return;
    }
    Position pos;
    pos_init(&pos);
    StrView rest = strbuf_view(&text);
    StrView line;
    Row row;
    CHECK(sv_next_line(&rest, &line) && sv_starts_with(line, SV("id\tcategory\tposition\t")));
    int rows = 0;
    for (; sv_next_line(&rest, &line); rows++) {
        if (!CHECK(read_row(line, &row) && judge_row(&pos, &row))) {
            printf("    row %.*s\n", (int)line.len, line.ptr);
        }
    }
    CHECK(rows >= 470);
    pos_free(&pos);
    strbuf_free(&path);
    strbuf_free(&text);
}

UNIT_MAIN({"every row of rule-cases.tsv is right", test_rule_cases})
