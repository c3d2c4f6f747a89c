/* Tests the Japanese and Western notations, written and read. The notations are compared with
 * another program's text of 60 games (tests/data/kifu/notations.tsv is a selection; the cases have
 * the whole as notation-oracle.tsv) and with four programs' text of each move
 * (kifu/moves-notation.tsv of the cases). Every legal move of random positions must be the same
 * after being written and read back. */
#include "base/fileio.h"
#include "base/rng.h"
#include "record/notation.h"
#include "record/words.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

/* The oracle's program writes 行 for 上 with horses and dragons; the three others do not. */
static void with_up_for_go(StrView text, StrBuf *out) {
    size_t place = sv_find(text, SV("行"));
    strbuf_add(out, sv_prefix(text, place));
    if (place < text.len) {
        strbuf_add_str(out, "上");
        strbuf_add(out, sv_skip(text, place + SV("行").len));
    }
}

static bool check_text(const Position *pos, Move move, int notation, StrView want) {
    StrBuf got = STRBUF_INIT, wanted = STRBUF_INIT;
    notation_append(pos, move, (KmdNotation)notation, &got);
    with_up_for_go(want, &wanted);
    bool is_equal = sv_equal(strbuf_view(&got), strbuf_view(&wanted));
    if (!is_equal) {
        unit_check_str(got.ptr, wanted.ptr, notation_name(notation), __FILE__, __LINE__);
    }
    bool is_read = notation_read(pos, want, (KmdNotation)notation, &(const char *){NULL}) == move;
    if (!is_read) {
        unit_check_str(got.ptr, "read", notation_name(notation), __FILE__, __LINE__);
    }
    strbuf_free(&wanted);
    strbuf_free(&got);
    return is_equal && is_read;
}

/* One game: the start, its moves in USI, and the five columns of text. */
static void check_game(Position *pos, StrView row, int *moves, int *wrong) {
    /* the others are of notations that only that program has */
    static const int columns[] = {-1, KMD_NOTATION_WESTERN, -1, KMD_NOTATION_JAPANESE, -1};
    StrView start, usi;
    if (!sv_next_field(&row, '\t', &start) || !sv_next_field(&row, '\t', &usi) ||
        !CHECK(pos_set_sfen(pos, start, NULL) == KMD_OK)) {
        return;
    }
    Tokenizer texts[COUNTOF(columns)];
    for (size_t i = 0; i < COUNTOF(columns); i++) {
        texts[i] = (Tokenizer){{NULL, 0}};
        CHECK(sv_next_field(&row, '\t', &texts[i].rest));
    }
    Tokenizer words = {usi};
    StrView word, want;
    while (tok_next(&words, &word)) {
        Move move = usimove_read(word);
        if (!CHECK(move_is_legal(pos, move))) {
            return;
        }
        for (size_t i = 0; i < COUNTOF(columns); i++) {
            tok_next(&texts[i], &want);
            *wrong += columns[i] >= 0 && !check_text(pos, move, columns[i], want);
        }
        ++*moves;
        pos_do(pos, move);
    }
}

static void check_oracle(const char *path, int min_moves) {
    StrBuf file = STRBUF_INIT;
    if (!CHECK_INT(file_read(path, &file), 0)) {
        return;
    }
    Position pos;
    pos_init(&pos);
    StrView rest = strbuf_view(&file), row;
    int moves = 0, wrong = 0;
    sv_next_line(&rest, &row);
    while (sv_next_line(&rest, &row)) {
        check_game(&pos, row, &moves, &wrong);
    }
    CHECK(moves >= min_moves);
    CHECK_INT(wrong, 0);
    pos_free(&pos);
    strbuf_free(&file);
}

/* The columns of moves-notation.tsv. */
enum {
    COL_GAME,
    COL_PLY,
    COL_SFEN,
    COL_LAST_TO,
    COL_USI,
    COL_NUMERIC,
    COL_HODGES,
    COL_KITAO,
    COL_SHOGIOPS,
    COL_TSSHOGI,
    COL_CSHOGI,
    COL_KIFU_FOR_JS,
    COL_AGREE,
    COL_NB
};

/* A KI2 move without the mark of the side and the space after 同. */
static bool check_ki2(const Position *pos, Move move, StrView text) {
    StrBuf plain = STRBUF_INIT;
    CHECK(word_take_mark(&text) == pos->side);
    size_t blank = sv_find(text, SV("　"));
    strbuf_add(&plain, sv_prefix(text, blank));
    strbuf_add(&plain, sv_skip(text, blank + SV("　").len));
    bool is_right = check_text(pos, move, KMD_NOTATION_JAPANESE, strbuf_view(&plain)) &&
                    notation_read(pos, text, KMD_NOTATION_JAPANESE, &(const char *){NULL}) == move;
    strbuf_free(&plain);
    return is_right;
}

/* Makes one move. Returns the number of texts that differ from ours. *disputed counts the texts in
 * which only cshogi differs: it omits 打, and one of two disambiguating words. */
static int check_row(Position *pos, StrView row, int *disputed) {
    StrView columns[COL_NB];
    for (int i = 0; i < COL_NB; i++) {
        if (!CHECK(sv_next_field(&row, '\t', &columns[i]))) {
            return 1;
        }
    }
    Move move = usimove_read(columns[COL_USI]);
    bool is_first = sv_equal(columns[COL_PLY], SV("1"));
    if (is_first && !CHECK_INT(pos_set_sfen(pos, columns[COL_SFEN], NULL), KMD_OK)) {
        return 1;
    }
    if (!CHECK(move_is_legal(pos, move))) {
        return 1;
    }
    int wrong = 0;
    wrong += !check_text(pos, move, KMD_NOTATION_WESTERN, columns[COL_HODGES]);
    wrong += !check_text(pos, move, KMD_NOTATION_JAPANESE, columns[COL_SHOGIOPS]);
    bool is_shared = sv_has_byte(columns[COL_AGREE], 'c');
    *disputed += !is_shared;
    wrong += !check_ki2(pos, move, columns[COL_TSSHOGI]);
    wrong += is_shared && !check_ki2(pos, move, columns[COL_CSHOGI]);
    wrong += !check_ki2(pos, move, columns[COL_KIFU_FOR_JS]);
    pos_do(pos, move);
    return wrong;
}

/* Compares with four programs' texts of each move of 60 games. */
static void test_programs(void) {
    const char *cases = unit_cases_dir();
    if (cases == NULL) {
        unit_skip("KOMADORI_CASES is not set");
        return;
    }
    StrBuf path = STRBUF_INIT, file = STRBUF_INIT;
    strbuf_addf(&path, "%s/kifu/moves-notation.tsv", cases);
    if (CHECK_INT(file_read(path.ptr, &file), 0)) {
        Position pos;
        pos_init(&pos);
        StrView rest = strbuf_view(&file), row;
        int rows = 0, wrong = 0, disputed = 0;
        sv_next_line(&rest, &row);
        for (; wrong < 10 && sv_next_line(&rest, &row); rows++) {
            wrong += check_row(&pos, row, &disputed);
        }
        CHECK(rows >= 7500);
        CHECK_INT(wrong, 0);
        CHECK(disputed <= 2);
        pos_free(&pos);
    }
    strbuf_free(&file);
    strbuf_free(&path);
}

static void test_selection(void) {
    check_oracle("tests/data/kifu/notations.tsv", 700);
}

static void test_whole_oracle(void) {
    const char *cases = unit_cases_dir();
    if (cases == NULL) {
        unit_skip("KOMADORI_CASES is not set");
        return;
    }
    StrBuf path = STRBUF_INIT;
    strbuf_addf(&path, "%s/notation-oracle.tsv", cases);
    check_oracle(path.ptr, 7000);
    strbuf_free(&path);
}

static int check_position(const Position *pos, int notations, int *checked) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list), wrong = 0;
    StrBuf text = STRBUF_INIT;
    for (int i = 0; i < count; i++) {
        for (int notation = 0; notation < notations; notation++) {
            strbuf_clear(&text);
            notation_append(pos, list[i], (KmdNotation)notation, &text);
            if (notation_read(pos, strbuf_view(&text), (KmdNotation)notation,
                              &(const char *){NULL}) != list[i]) {
                unit_check_str(text.ptr, "read back", notation_name(notation), __FILE__, __LINE__);
                wrong++;
            }
        }
    }
    strbuf_free(&text);
    *checked += count * notations;
    return wrong;
}

/* Tests every legal move of 20,000 random positions in USI and Japanese, and of 200 in Western
 * letters, which are read slowly. */
static void test_random_positions(void) {
    const int wanted = 20000;
    Rng rng = rng_init(7);
    Position pos;
    pos_init(&pos);
    int wrong = 0, checked = 0;
    for (int seen = 0; seen < wanted && wrong < 10;) {
        Setup start = setup_start();
        pos_set(&pos, &start);
        for (int ply = 0; ply < 250 && seen < wanted && wrong < 10; ply++, seen++) {
            wrong += check_position(
                &pos, seen % 100 == 0 ? KMD_NOTATION_COUNT : KMD_NOTATION_WESTERN, &checked);
            Move list[MAX_MOVES];
            int count = gen_moves(&pos, GEN_LEGAL, list);
            if (count == 0) {
                break;
            }
            pos_do(&pos, list[rng_below(&rng, (uint64_t)count)]);
        }
    }
    CHECK_INT(wrong, 0);
    CHECK(checked > wanted * KMD_NOTATION_WESTERN * 20);
    pos_free(&pos);
}

static void check_ja(const char *sfen, const char *text, const char *usi) {
    Position pos;
    pos_init(&pos);
    char got[USI_MOVE_SIZE];
    const char *reason = "";
    if (CHECK(pos_set_sfen(&pos, sv_from(sfen), NULL) == KMD_OK)) {
        pos.now->move = move_make(SQ(2, 3), SQ(2, 4)); /* the move before */
        CHECK_STR(
            usimove_write(notation_read(&pos, sv_from(text), KMD_NOTATION_JAPANESE, &reason), got),
            usi);
    }
    pos_free(&pos);
}

/* Spellings that we read but do not write. */
static void test_spellings(void) {
    check_ja("startpos", "76歩", "7g7f");
    check_ja("startpos", "七六歩", "7g7f");
    check_ja("startpos", "７六歩(77)", "7g7f");
    check_ja("startpos", "５八金", "none");
    check_ja("startpos", "５八金(49)", "4i5h");
    check_ja("startpos", "５八金右上", "4i5h");
    check_ja("startpos", "３八銀上", "3i3h");
    check_ja("startpos", "３三角", "none");
    const char *dragons = "8k/4+R4/9/9/4+R4/9/9/9/4K4 b G 1";
    check_ja(dragons, "５三竜引", "5b5c");
    check_ja(dragons, "５三龍入", "5e5c");
    check_ja(dragons, "５三竜行", "5e5c");
    check_ja(dragons, "２四金", "G*2d");
    check_ja(dragons, "同金", "G*2d");
    check_ja(dragons, "仝　金打", "G*2d");
    check_ja(dragons, "２四同金", "G*2d");
    const char *lances = "8k/4+L4/9/9/9/9/9/9/4K4 b - 1";
    check_ja(lances, "５三仝", "5b5c");
    check_ja(lances, "５三仝(52)", "5b5c");
    check_ja(lances, "５三同仝(52)", "5b5c");
    check_ja("9/8k/6S2/9/9/9/9/9/4K4 b - 1", "２二銀生", "3c2b");
    check_ja("9/8k/6S2/9/9/9/9/9/4K4 b - 1", "２二銀成", "3c2b+");
    check_ja("9/8k/6S2/9/9/9/9/9/4K4 b - 1", "２二銀(33)成", "3c2b+");
    check_ja("9/8k/9/9/3+P+P+P3/9/9/9/4K4 b - 1", "５四と直", "5e5d");
    check_ja("9/8k/9/9/3+P+P+P3/9/9/9/4K4 b - 1", "５四と右", "4e5d");
    check_ja("9/8k/9/9/3+P+P+P3/9/9/9/4K4 b - 1", "５四と", "none");
    /* The pinned gold counts for disambiguation, but cannot be the piece that moves. */
    check_ja("4r3k/9/9/9/9/9/4G4/3G5/4K4 b - 1", "５八金寄", "6h5h");
    check_ja("4r3k/9/9/9/9/9/4G4/3G5/4K4 b - 1", "５八金", "none");
}

UNIT_MAIN({"selection of the oracle", test_selection}, {"whole oracle", test_whole_oracle},
          {"four programs' text of games", test_programs},
          {"every move of random positions", test_random_positions},
          {"spellings of Japanese moves", test_spellings})
