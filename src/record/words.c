/* words.c: the tables, and functions that read a word, a digit or a number from the start of a
 * text. */
#include "record/words.h"

#include <stddef.h>

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
    /* Longer names come before shorter ones, such as 成銀 before 銀. */
    static const struct {
        const char *name;
        PieceType type;
    } names[] = {
        {"成香", PRO_LANCE}, {"成桂", PRO_KNIGHT}, {"成銀", PRO_SILVER}, {"歩", PAWN},
        {"香", LANCE},       {"桂", KNIGHT},       {"銀", SILVER},       {"金", GOLD},
        {"角", BISHOP},      {"飛", ROOK},         {"玉", KING},         {"王", KING},
        {"と", PRO_PAWN},    {"杏", PRO_LANCE},    {"圭", PRO_KNIGHT},   {"全", PRO_SILVER},
        {"馬", HORSE},       {"龍", DRAGON},       {"竜", DRAGON},       {"仝", PRO_LANCE},
        {"今", PRO_KNIGHT},
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

int word_take_number(StrView *text, int high) {
    StrView rest = *text;
    int number;
    if (!sv_to_int(sv_take_digits(&rest), 0, high, &number)) {
        return -1;
    }
    *text = rest;
    return number;
}

enum { CLOCK_LIMIT = WORD_MAX_TIME_S + 1 };

/* Reads the digits of one part of a clock; -1 if there are none. */
static int64_t take_clock_part(StrView *text) {
    int64_t part;
    word_skip_blanks(text);
    StrView digits = sv_take_digits(text);
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

/* Reads full-width digits; -1 if there are none, or the number is too large. */
static int take_wide_digits(StrView *text, int high) {
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
    if (rest.len == text->len || number > high) {
        return -1;
    }
    *text = rest;
    return (int)number;
}

int word_take_any_number(StrView *text, int high) {
    int number = word_take_number(text, high);
    return number >= 0 ? number : take_wide_digits(text, high);
}

/* Reads full-width digits that are followed by a space. *behind becomes the text after the
 * space. */
static int take_wide_word(StrView *text, int high, StrView *behind) {
    StrView rest = *text;
    int number = take_wide_digits(&rest, high);
    *behind = rest;
    word_skip_blanks(behind);
    if (number < 0 || behind->len == rest.len) {
        return -1;
    }
    *text = rest;
    return number;
}

int word_take_wide_number(StrView *text, int high) {
    StrView rest = *text;
    StrView next;
    StrView end;
    int number = take_wide_word(&rest, high, &next);
    /* "９ ８ ７ ..." is the line of files above a diagram. */
    if (number < 0 || take_wide_word(&next, high, &end) >= 0) {
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

/* The side that the text names last before a word, as in "後手の反則により先手の勝ち"; COLOR_NB if
 * it names none there or lacks the word. */
static Color side_before(StrView text, StrView word) {
    static const char *const sides[COLOR_NB][5] = {{"先手", "下手", "▲", "☗", NULL},
                                                   {"後手", "上手", "△", "☖", "▽"}};
    size_t end = sv_find(text, word);
    Color side = COLOR_NB;
    for (size_t i = 0; i < end && end < text.len; i++) {
        for (size_t k = 0; k < COLOR_NB * COUNTOF(sides[0]); k++) {
            const char *name = sides[k / COUNTOF(sides[0])][k % COUNTOF(sides[0])];
            if (name != NULL && sv_starts_with(sv_skip(text, i), sv_from(name))) {
                side = (Color)(k / COUNTOF(sides[0]));
            }
        }
    }
    return side;
}

Color word_winner(StrView text) {
    static const char *const faults[] = {"負",   "反則", "連続王手", "投了",
                                         "切れ", "切断"}; /* of the side that is named before */
    Color winner = side_before(text, SV("勝"));
    for (size_t i = 0; i < COUNTOF(faults) && winner == COLOR_NB; i++) {
        Color loser = side_before(text, sv_from(faults[i]));
        winner = loser != COLOR_NB ? color_flip(loser) : COLOR_NB;
    }
    return winner != COLOR_NB ? winner : side_before(text, SV("宣言"));
}

const char *word_mark(Color color) {
    return color == BLACK ? "▲" : "△";
}

const char *word_side(Color color) {
    return color == BLACK ? "先手" : "後手";
}
