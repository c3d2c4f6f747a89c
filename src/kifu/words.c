#include "kifu/words.h"

#include <stddef.h>

#include "rules/sfen.h"

static const char *const csa_codes[PIECE_TYPE_NB] = {"",   "FU", "KY", "KE", "GI", "KA", "HI", "KI",
                                                     "OU", "TO", "NY", "NK", "NG", "UM", "RY"};

const char *word_csa(PieceType type) {
    return csa_codes[type];
}

PieceType word_read_csa(StrView code) {
    for (int type = PAWN; type < PIECE_TYPE_NB; type++) {
        if (sv_equal(code, sv_from(csa_codes[type]))) {
            return (PieceType)type;
        }
    }
    return NO_PIECE_TYPE;
}

const char *word_piece(PieceType type) {
    static const char *const names[PIECE_TYPE_NB] = {"",     "歩",   "香",   "桂", "銀",
                                                     "角",   "飛",   "金",   "玉", "と",
                                                     "成香", "成桂", "成銀", "馬", "龍"};
    return names[type];
}

const char *word_board_piece(PieceType type) {
    static const char *const names[PIECE_TYPE_NB] = {"",   "歩", "香", "桂", "銀", "角", "飛", "金",
                                                     "玉", "と", "杏", "圭", "全", "馬", "龍"};
    return names[type];
}

const PieceType word_hand_order[7] = {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN};

bool word_take(StrView *text, StrView word) {
    if (!sv_starts_with(*text, word)) {
        return false;
    }
    *text = sv_skip(*text, word.len);
    return true;
}

PieceType word_take_piece(StrView *text) {
    /* Longer names first: 成銀 before 銀. The last rows are short forms of handwritten scores. */
    static const struct {
        const char *name;
        PieceType type;
    } names[] = {
        {"成香", PRO_LANCE}, {"成桂", PRO_KNIGHT}, {"成銀", PRO_SILVER}, {"歩", PAWN},
        {"香", LANCE},       {"桂", KNIGHT},       {"銀", SILVER},       {"金", GOLD},
        {"角", BISHOP},      {"飛", ROOK},         {"玉", KING},         {"王", KING},
        {"と", PRO_PAWN},    {"杏", PRO_LANCE},    {"圭", PRO_KNIGHT},   {"全", PRO_SILVER},
        {"馬", HORSE},       {"龍", DRAGON},       {"竜", DRAGON},       {"仝", PRO_LANCE},
        {"今", PRO_KNIGHT},  {"兵", PAWN},         {"フ", PAWN},         {"禾", LANCE},
        {"土", KNIGHT},      {"ヨ", SILVER},       {"艮", SILVER},       {"人", GOLD},
        {"ク", BISHOP},      {"乙", ROOK},         {"ヒ", ROOK},         {"マ", HORSE},
        {"立", DRAGON},      {"リ", DRAGON},
    };
    for (size_t i = 0; i < COUNTOF(names); i++) {
        if (word_take(text, sv_from(names[i].name))) {
            return names[i].type;
        }
    }
    return NO_PIECE_TYPE;
}

const char *word_kanji_digit(int digit) {
    static const char *const digits[] = {"", "一", "二", "三", "四", "五", "六", "七", "八", "九"};
    ASSERT(digit >= 1 && digit <= 9);
    return digits[digit];
}

const char *word_wide_digit(int digit) {
    static const char *const digits[] = {"", "１", "２", "３", "４", "５", "６", "７", "８", "９"};
    ASSERT(digit >= 1 && digit <= 9);
    return digits[digit];
}

int word_take_digit(StrView *text) {
    if (text->len > 0 && text->ptr[0] >= '1' && text->ptr[0] <= '9') {
        int digit = text->ptr[0] - '0';
        *text = sv_skip(*text, 1);
        return digit;
    }
    for (int digit = 1; digit <= 9; digit++) {
        if (word_take(text, sv_from(word_wide_digit(digit))) ||
            word_take(text, sv_from(word_kanji_digit(digit)))) {
            return digit;
        }
    }
    return 0;
}

static StrView take_digits(StrView *text) {
    size_t count = 0;
    while (count < text->len && text->ptr[count] >= '0' && text->ptr[count] <= '9') {
        count++;
    }
    StrView digits = sv_prefix(*text, count);
    *text = sv_skip(*text, count);
    return digits;
}

int word_take_number(StrView *text, int high) {
    StrView rest = *text;
    int number;
    if (!sv_to_int(take_digits(&rest), 0, high, &number)) {
        return -1;
    }
    *text = rest;
    return number;
}

enum { CLOCK_LIMIT = RECORD_MAX_TIME_S + 1 };

/* Takes the digits of a part of a clock; -1 when there are none. */
static int64_t take_clock_part(StrView *text) {
    int64_t part;
    word_skip_blanks(text);
    StrView digits = take_digits(text);
    bool is_small = sv_to_i64(digits, 0, CLOCK_LIMIT, &part);
    return is_small ? part : digits.len > 0 ? CLOCK_LIMIT : -1;
}

bool word_take_clock(StrView *text, int64_t *seconds) {
    int64_t total = take_clock_part(text);
    if (total < 0 || !sv_starts_with(*text, SV(":"))) {
        return false;
    }
    while (word_take(text, SV(":"))) {
        int64_t part = take_clock_part(text);
        if (part < 0) {
            return false;
        }
        total = i64_min(total * 60 + part, CLOCK_LIMIT);
    }
    *seconds = total;
    return true;
}

void word_skip_blanks(StrView *text) {
    while (word_take(text, SV(" ")) || word_take(text, SV("\t")) || word_take(text, SV("　"))) {
    }
}

/* Takes full-width digits with a blank behind them, which stays; *behind is what follows on it. */
static int take_wide_digits(StrView *text, int high, StrView *behind) {
    StrView rest = *text;
    int64_t number = 0;
    /* "０" to "９" are EF BC 90 to EF BC 99. */
    while (rest.len >= 3 && sv_starts_with(rest, SV("\xEF\xBC")) && number <= high) {
        unsigned digit = (unsigned char)rest.ptr[2] - 0x90u;
        if (digit > 9) {
            break;
        }
        number = number * 10 + digit;
        rest = sv_skip(rest, 3);
    }
    *behind = rest;
    word_skip_blanks(behind);
    if (rest.len == text->len || behind->len == rest.len || number > high) {
        return -1;
    }
    *text = rest;
    return (int)number;
}

int word_take_wide_number(StrView *text) {
    StrView rest = *text;
    StrView next;
    StrView end;
    int number = take_wide_digits(&rest, RECORD_MAX_NODES, &next);
    /* "９ ８ ７ ..." names the files above a diagram. */
    if (number < 0 || take_wide_digits(&next, RECORD_MAX_NODES, &end) >= 0) {
        return -1;
    }
    *text = rest;
    return number;
}

StrView word_trim(StrView text) {
    size_t before;
    do {
        before = text.len;
        word_skip_blanks(&text);
        text = sv_trim(text);
        while (sv_ends_with(text, SV("　"))) {
            text = sv_prefix(text, text.len - SV("　").len);
        }
    } while (text.len != before);
    return text;
}

int word_take_count(StrView *text) {
    int tens = 0;
    StrView rest = *text;
    int digit = word_take_digit(&rest);
    if (word_take(&rest, SV("十"))) {
        tens = digit == 0 ? 10 : digit * 10;
        digit = word_take_digit(&rest);
    } else if (digit != 0) {
        /* 18 and 一八 */
        int second = word_take(&rest, SV("0")) ? 10 : word_take_digit(&rest);
        tens = second != 0 ? digit * 10 : 0;
        digit = second != 0 ? second % 10 : digit;
    }
    *text = rest;
    return tens + digit;
}

void word_append_count(int count, StrBuf *out) {
    if (count >= 20) {
        strbuf_add_str(out, word_kanji_digit(count / 10));
    }
    if (count >= 10) {
        strbuf_add_str(out, "十");
    }
    if (count % 10 != 0) {
        strbuf_add_str(out, word_kanji_digit(count % 10));
    }
}

Color word_take_mark(StrView *text) {
    if (word_take(text, SV("▲")) || word_take(text, SV("☗"))) {
        return BLACK;
    }
    if (word_take(text, SV("△")) || word_take(text, SV("☖")) || word_take(text, SV("▽")) ||
        word_take(text, SV("▼"))) {
        return WHITE;
    }
    return COLOR_NB;
}

const char *word_mark(Color color) {
    return color == BLACK ? "▲" : "△";
}

const char *word_side(Color color) {
    return color == BLACK ? "先手" : "後手";
}

/* ---- handicaps ------------------------------------------------------------------------------- */

#define REST "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"

/* 三枚落ち and the names behind it are read in more than one way by the programs there are, so they
 * are written as a diagram. */
static const Handicap handicaps[] = {
    {"平手", SFEN_START, "", "HIRATE", true},
    {"香落ち", "lnsgkgsn1/1r5b1" REST, "11KY", "KY", true},
    {"右香落ち", "1nsgkgsnl/1r5b1" REST, "91KY", "KY_R", true},
    {"角落ち", "lnsgkgsnl/1r7" REST, "22KA", "KA", true},
    {"飛車落ち", "lnsgkgsnl/7b1" REST, "82HI", "HI", true},
    {"飛香落ち", "lnsgkgsn1/7b1" REST, "82HI11KY", "HIKY", true},
    {"二枚落ち", "lnsgkgsnl/9" REST, "82HI22KA", "2", true},
    {"四枚落ち", "1nsgkgsn1/9" REST, "82HI22KA11KY91KY", "4", true},
    {"六枚落ち", "2sgkgs2/9" REST, "82HI22KA21KE81KE11KY91KY", "6", true},
    {"八枚落ち", "3gkg3/9" REST, "82HI22KA31GI71GI21KE81KE11KY91KY", "8", true},
    {"十枚落ち", "4k4/9" REST, "82HI22KA41KI61KI31GI71GI21KE81KE11KY91KY", "10", true},
    {"三枚落ち", "lnsgkgsn1/9" REST, "", "3", false},
    {"五枚落ち", "2sgkgsn1/9" REST, "", "5", false},
    {"左五枚落ち", "1nsgkgs2/9" REST, "", "5_L", false},
    {"左七枚落ち", "2sgkg3/9" REST, "", "7_L", false},
    {"右七枚落ち", "3gkgs2/9" REST, "", "7_R", false},
    {"七枚落ち", "3gkgs2/9" REST, "", "", false},
    {"両香落ち", "1nsgkgsn1/1r5b1" REST, "", "", false},
};

/* The name itself, or without the ち at its end. */
static bool is_name_of(StrView name, StrView usual) {
    StrView tail = SV("ち");
    return sv_equal(name, usual) ||
           (sv_ends_with(usual, tail) && sv_equal(name, sv_prefix(usual, usual.len - tail.len)));
}

const Handicap *handicap_by_name(StrView name) {
    for (size_t i = 0; i < COUNTOF(handicaps); i++) {
        if (is_name_of(name, sv_from(handicaps[i].name))) {
            return &handicaps[i];
        }
    }
    return NULL;
}

const Handicap *handicap_by_preset(StrView preset) {
    int index = preset.len > 0 ? SV_INDEX(preset, handicaps, preset) : -1;
    return index >= 0 ? &handicaps[index] : NULL;
}

Setup handicap_setup(const Handicap *handicap) {
    Setup setup = setup_start();
    KmdError error = sfen_read(sv_from(handicap->board), &setup, NULL);
    ASSERT(error == KMD_OK);
    (void)error;
    return setup;
}

static bool same_position(const Setup *a, const Setup *b) {
    for (Square sq = 0; sq < SQ_NB; sq++) {
        if (a->board[sq] != b->board[sq]) {
            return false;
        }
    }
    return a->hand[BLACK] == b->hand[BLACK] && a->hand[WHITE] == b->hand[WHITE] &&
           a->side == b->side;
}

const Handicap *handicap_by_setup(const Setup *setup) {
    for (size_t i = 0; i < COUNTOF(handicaps); i++) {
        Setup other = handicap_setup(&handicaps[i]);
        if (same_position(setup, &other)) {
            return &handicaps[i];
        }
    }
    return NULL;
}

StrView handicap_header_key(const Setup *start, StrView key) {
    bool is_black = sv_equal(key, SV("先手"));
    if (start->side == BLACK || (!is_black && !sv_equal(key, SV("後手")))) {
        return key;
    }
    const Handicap *handicap = handicap_by_setup(start);
    bool is_plain = handicap != NULL && handicap->is_plain;
    return !is_plain ? key : is_black ? SV("下手") : SV("上手");
}

/* ---- endings --------------------------------------------------------------------------------- */

static const EndingWords words_of_endings[KMD_ENDING_COUNT] = {
    [KMD_END_NONE] = {"", "", "", "", 0},
    [KMD_END_RESIGN] = {"投了", "TORYO", "resign", "Resigns", 'r'},
    [KMD_END_INTERRUPT] = {"中断", "CHUDAN", "break", "Interrupt", 'p'},
    [KMD_END_SENNICHITE] = {"千日手", "SENNICHITE", "rep_draw", "Sennichite", 'p'},
    [KMD_END_IMPASSE] = {"持将棋", "JISHOGI", "", "Jishogi", 'j'},
    [KMD_END_DRAW] = {"持将棋", "HIKIWAKE", "draw", "Jishogi", 'j'},
    [KMD_END_MAX_MOVES] = {"持将棋", "MAX_MOVES", "", "MaxMovesDraw", 'j'},
    [KMD_END_MATE] = {"詰み", "TSUMI", "", "Mate", 'p'},
    [KMD_END_NO_MATE] = {"不詰", "FUZUMI", "", "", 'p'},
    [KMD_END_TIMEOUT] = {"切れ負け", "TIME_UP", "timeout", "Timeup", 't'},
    [KMD_END_ILLEGAL_LOSS] = {"反則負け", "ILLEGAL_MOVE", "", "", 'p'},
    [KMD_END_ILLEGAL_WIN] = {"反則勝ち", "ILLEGAL_ACTION", "", "", 'p'},
    [KMD_END_DECLARATION] = {"入玉勝ち", "KACHI", "win", "DeclarationWin", 'p'},
    [KMD_END_FORFEIT_WIN] = {"不戦勝", "", "", "", 'p'},
    [KMD_END_FORFEIT_LOSS] = {"不戦敗", "", "", "", 'p'},
    [KMD_END_TRY] = {"トライ", "", "", "TryRuleWin", 'p'},
    [KMD_END_TAKE_BACK] = {"待った", "MATTA", "", "", 'p'},
    [KMD_END_ERROR] = {"エラー", "ERROR", "", "", 'p'},
    [KMD_END_OTHER] = {"", "", "", "", 'p'},
    [KMD_END_NO_MOVES] = {"詰み", "TSUMI", "", "Mate", 'p'},
    [KMD_END_PERPETUAL_WIN] = {"反則勝ち", "ILLEGAL_ACTION", "rep_win", "RepetitionWin", 'p'},
    [KMD_END_PERPETUAL_LOSS] = {"反則負け", "ILLEGAL_MOVE", "rep_lose", "RepetitionLose", 'p'},
};

const EndingWords *ending_words(KmdEnding ending) {
    ASSERT((int)ending < KMD_ENDING_COUNT);
    return &words_of_endings[ending];
}

/* A word for an ending that the table above does not have. */
typedef struct EndingName {
    const char *word;
    KmdEnding ending;
} EndingName;

/* The ending with this word in the column of the table at `place`, or among the other names. Of
 * several endings with one word (持将棋) the first counts. */
static KmdEnding find_ending(StrView word, size_t place, bool (*is_same)(StrView a, StrView b),
                             const EndingName *others, size_t count) {
    const char *column = (const char *)&words_of_endings[KMD_END_RESIGN] + place;
    int index = word.len > 0 ? sv_index(word, column, KMD_END_OTHER - KMD_END_RESIGN,
                                        sizeof(words_of_endings[0]), is_same)
                             : -1;
    if (index >= 0) {
        return (KmdEnding)(KMD_END_RESIGN + index);
    }
    index = sv_index(word, others, count, sizeof(others[0]), is_same);
    return index >= 0 ? others[index].ending : KMD_END_NONE;
}

/* Other spellings, and the words of the closing line. */
KmdEnding ending_read_kif(StrView word) {
    static const EndingName others[] = {
        {"詰", KMD_END_MATE},
        {"最大手数", KMD_END_MAX_MOVES},
        {"引き分け", KMD_END_DRAW},
        {"引分け", KMD_END_DRAW},
        {"時間切れ", KMD_END_TIMEOUT},
        {"入玉宣言", KMD_END_DECLARATION},
        {"宣言勝ち", KMD_END_DECLARATION},
        {"入玉宣言勝ち", KMD_END_DECLARATION},
    };
    return find_ending(word, offsetof(EndingWords, kif), sv_equal, others, COUNTOF(others));
}

KmdEnding ending_read_csa(StrView word, Color side) {
    KmdEnding ending = find_ending(word, offsetof(EndingWords, csa), sv_equal, NULL, 0);
    if (ending == KMD_END_NONE && sv_ends_with(word, SV("ILLEGAL_ACTION"))) {
        bool is_own = (word.ptr[0] == '+') == (side == BLACK);
        ending = is_own ? KMD_END_ILLEGAL_LOSS : KMD_END_ILLEGAL_WIN;
    }
    return ending;
}

KmdEnding ending_read_usi(StrView word) {
    static const EndingName others[] = {{"rep_win", KMD_END_ILLEGAL_WIN},
                                        {"rep_lose", KMD_END_ILLEGAL_LOSS}};
    return find_ending(word, offsetof(EndingWords, usi), sv_equal, others, COUNTOF(others));
}

KmdEnding ending_read_psn(StrView word) {
    static const EndingName others[] = {
        {"Resign", KMD_END_RESIGN},
        {"RepetitionDraw", KMD_END_SENNICHITE},
        {"RepetitionWin", KMD_END_ILLEGAL_WIN},
        {"RepetitionLose", KMD_END_ILLEGAL_LOSS},
    };
    return find_ending(word, offsetof(EndingWords, psn), sv_equal_nocase, others, COUNTOF(others));
}

static bool contains(StrView text, const char *word) {
    return sv_find(text, sv_from(word)) < text.len;
}

/* The side a closing line names first; COLOR_NB when none. */
static Color named_side(StrView line) {
    if (contains(line, "先手") || contains(line, "下手")) {
        return BLACK;
    }
    return contains(line, "後手") || contains(line, "上手") ? WHITE : COLOR_NB;
}

KmdEnding ending_read_closing(StrView line, Color to_move) {
    static const EndingName words[] = {
        {"時間切れ", KMD_END_TIMEOUT},   {"切れ負け", KMD_END_TIMEOUT},
        {"入玉", KMD_END_DECLARATION},   {"宣言", KMD_END_DECLARATION},
        {"千日手", KMD_END_SENNICHITE},  {"持将棋", KMD_END_IMPASSE},
        {"最大手数", KMD_END_MAX_MOVES}, {"中断", KMD_END_INTERRUPT},
        {"不詰", KMD_END_NO_MATE},       {"詰", KMD_END_MATE},
        {"不戦勝", KMD_END_FORFEIT_WIN}, {"不戦敗", KMD_END_FORFEIT_LOSS},
        {"トライ", KMD_END_TRY},         {"引き分け", KMD_END_DRAW},
        {"引分", KMD_END_DRAW},          {"待った", KMD_END_TAKE_BACK},
        {"エラー", KMD_END_ERROR},
    };
    Color named = named_side(line);
    bool is_mover = named == to_move;
    if (contains(line, "反則負け")) {
        return is_mover ? KMD_END_ILLEGAL_LOSS : KMD_END_ILLEGAL_WIN;
    }
    if (contains(line, "反則勝ち")) {
        return is_mover ? KMD_END_ILLEGAL_WIN : KMD_END_ILLEGAL_LOSS;
    }
    for (size_t i = 0; i < COUNTOF(words); i++) {
        if (contains(line, words[i].word)) {
            return words[i].ending;
        }
    }
    if (contains(line, "勝ち") && named != COLOR_NB) {
        return is_mover ? KMD_END_ILLEGAL_WIN : KMD_END_RESIGN;
    }
    return KMD_END_NONE;
}

void ending_append_closing(const Record *record, int ending_node, StrBuf *out) {
    const RecordNode *node = &record->nodes[ending_node];
    Color to_move = record_side(record, ending_node);
    const char *mover = word_side(to_move), *other = word_side(color_flip(to_move));
    strbuf_addf(out, "まで%d手で", node->depth - 1);
    switch (node->ending) {
    case KMD_END_RESIGN:
        strbuf_addf(out, "%sの勝ち", other);
        break;
    case KMD_END_TIMEOUT:
        strbuf_addf(out, "時間切れにより%sの勝ち", other);
        break;
    case KMD_END_ILLEGAL_LOSS:
    case KMD_END_ILLEGAL_WIN:
    case KMD_END_DECLARATION:
        strbuf_addf(out, "%sの%s", mover, ending_words(node->ending)->kif);
        break;
    case KMD_END_OTHER:
        strbuf_add(out, record_text(record, node->label));
        break;
    default:
        strbuf_add_str(out, ending_words(node->ending)->kif);
    }
}
