/* ending.c: the Japanese words for how games end, and the closing line of KIF and KI2. */
#include "record/ending.h"

#include "record/handicap.h"
#include "record/words.h"

const EndingWord ending_japanese[] = {
    {"投了", KMD_END_RESIGN},
    {"中断", KMD_END_INTERRUPT},
    {"千日手", KMD_END_SENNICHITE},
    {"持将棋", KMD_END_IMPASSE},
    {"持将棋", KMD_END_DRAW},
    {"持将棋", KMD_END_MAX_MOVES},
    {"詰み", KMD_END_MATE},
    {"詰み", KMD_END_NO_MOVES},
    {"不詰", KMD_END_NO_MATE},
    {"切れ負け", KMD_END_TIMEOUT},
    {"反則負け", KMD_END_ILLEGAL_LOSS},
    {"反則負け", KMD_END_PERPETUAL_LOSS},
    {"反則勝ち", KMD_END_ILLEGAL_WIN},
    {"反則勝ち", KMD_END_PERPETUAL_WIN},
    {"入玉勝ち", KMD_END_DECLARATION},
    {"不戦勝", KMD_END_FORFEIT_WIN},
    {"不戦敗", KMD_END_FORFEIT_LOSS},
    {"トライ", KMD_END_TRY},
    {"待った", KMD_END_TAKE_BACK},
    {"エラー", KMD_END_ERROR},
    /* Other spellings, and the words used in closing lines. */
    {"詰", KMD_END_MATE},
    {"最大手数", KMD_END_MAX_MOVES},
    {"引き分け", KMD_END_DRAW},
    {"引分け", KMD_END_DRAW},
    {"時間切れ", KMD_END_TIMEOUT},
    {"入玉宣言", KMD_END_DECLARATION},
    {"宣言勝ち", KMD_END_DECLARATION},
    {"入玉宣言勝ち", KMD_END_DECLARATION},
    {"勝ち宣言", KMD_END_DECLARATION},
    {"宣言勝", KMD_END_DECLARATION},
    {"引分", KMD_END_DRAW},
    {"時間切れ負け", KMD_END_TIMEOUT},
    {"時間切れ負", KMD_END_TIMEOUT},
    {"切れ負", KMD_END_TIMEOUT},
    {"反則", KMD_END_ILLEGAL_LOSS},
    {"反則負", KMD_END_ILLEGAL_LOSS},
    {"反則勝", KMD_END_ILLEGAL_WIN},
    {"二歩", KMD_END_ILLEGAL_LOSS},
    {"打ち歩詰め", KMD_END_ILLEGAL_LOSS},
    {"王手放置", KMD_END_ILLEGAL_LOSS},
    {"二手指し", KMD_END_ILLEGAL_LOSS},
    {"不戦勝ち", KMD_END_FORFEIT_WIN},
    {"不戦敗け", KMD_END_FORFEIT_LOSS},
    {.word = NULL},
};

const char *ending_word(const EndingWord *words, KmdEnding ending) {
    for (; words->word != NULL; words++) {
        if (words->ending == ending) {
            return words->word;
        }
    }
    return "";
}

static KmdEnding find(const EndingWord *words, StrView word,
                      bool (*is_same)(StrView a, StrView b)) {
    while (words->word != NULL && !is_same(word, sv_from(words->word))) {
        words++;
    }
    return words->word != NULL ? words->ending : KMD_END_NONE;
}

KmdEnding ending_read(const EndingWord *words, StrView word) {
    return find(words, word, sv_equal);
}

KmdEnding ending_read_nocase(const EndingWord *words, StrView word) {
    return find(words, word, sv_equal_nocase);
}

const char *ending_name(KmdEnding ending) {
    return ending_word(ending_japanese, ending);
}

static bool contains(StrView text, const char *word) {
    return sv_find(text, sv_from(word)) < text.len;
}

/* The side that the text names at its start; COLOR_NB if it names none there. */
static Color side_at_start(StrView text) {
    static const char *const sides[COLOR_NB][5] = {{"先手", "下手", "▲", "☗", NULL},
                                                   {"後手", "上手", "△", "☖", "▽"}};
    for (Color color = BLACK; color <= WHITE; color++) {
        for (size_t i = 0; i < COUNTOF(sides[color]); i++) {
            if (sides[color][i] != NULL && sv_starts_with(text, sv_from(sides[color][i]))) {
                return color;
            }
        }
    }
    return COLOR_NB;
}

/* The side that a closing line names last before a word, as in "後手の反則により先手の勝ち";
 * COLOR_NB if it names none there or lacks the word. */
static Color side_before(StrView line, const char *word) {
    size_t end = sv_find(line, sv_from(word));
    Color side = COLOR_NB;
    for (size_t i = 0; i < end && end < line.len; i++) {
        Color named = side_at_start(sv_skip(line, i));
        side = named != COLOR_NB ? named : side;
    }
    return side;
}

Color ending_closing_winner(StrView line) {
    static const char *const faults[] = {"負",   "反則", "連続王手", "投了",
                                         "切れ", "切断"}; /* of the side that is named before */
    Color winner = side_before(line, "勝");
    for (size_t i = 0; i < COUNTOF(faults) && winner == COLOR_NB; i++) {
        Color loser = side_before(line, faults[i]);
        winner = loser != COLOR_NB ? color_flip(loser) : COLOR_NB;
    }
    return winner != COLOR_NB ? winner : side_before(line, "宣言");
}

KmdEnding ending_read_closing(StrView line, Color to_move) {
    static const EndingWord words[] = {
        {"時間切れ", KMD_END_TIMEOUT},
        {"切れ負け", KMD_END_TIMEOUT},
        {"切れ勝ち", KMD_END_TIMEOUT},
        {"入玉", KMD_END_DECLARATION},
        {"宣言", KMD_END_DECLARATION},
        {"千日手", KMD_END_SENNICHITE},
        {"持将棋", KMD_END_IMPASSE},
        {"最大手数", KMD_END_MAX_MOVES},
        {"中断", KMD_END_INTERRUPT},
        {"不詰", KMD_END_NO_MATE},
        {"詰", KMD_END_MATE},
        {"不戦勝", KMD_END_FORFEIT_WIN},
        {"不戦敗", KMD_END_FORFEIT_LOSS},
        {"トライ", KMD_END_TRY},
        {"引き分け", KMD_END_DRAW},
        {"引分", KMD_END_DRAW},
        {"待った", KMD_END_TAKE_BACK},
        {"エラー", KMD_END_ERROR},
    };
    if (contains(line, "反則負け")) {
        return side_before(line, "反則負け") == to_move ? KMD_END_ILLEGAL_LOSS
                                                        : KMD_END_ILLEGAL_WIN;
    }
    if (contains(line, "反則勝ち")) {
        return side_before(line, "反則勝ち") == to_move ? KMD_END_ILLEGAL_WIN
                                                        : KMD_END_ILLEGAL_LOSS;
    }
    Color winner = ending_closing_winner(line);
    if (winner != COLOR_NB && (contains(line, "反則") || contains(line, "連続王手"))) {
        return winner == to_move ? KMD_END_ILLEGAL_WIN : KMD_END_ILLEGAL_LOSS;
    }
    for (size_t i = 0; i < COUNTOF(words); i++) {
        if (contains(line, words[i].word)) {
            return words[i].ending;
        }
    }
    if (winner != COLOR_NB && !contains(line, "切")) {
        return winner == to_move ? KMD_END_ILLEGAL_WIN : KMD_END_RESIGN;
    }
    return contains(line, "投了") ? KMD_END_RESIGN : KMD_END_NONE;
}

void ending_append_closing(const Record *record, int ending_node, StrBuf *out) {
    const RecordNode *node = &record->nodes[ending_node];
    Color to_move = record_side(record, ending_node);
    const Setup *start = &record->start;
    const char *mover = handicap_side(start, to_move);
    const char *other = handicap_side(start, color_flip(to_move));
    bool has_foul = node->foul.move != MOVE_NONE && node->ending == KMD_END_ILLEGAL_LOSS;
    strbuf_addf(out, "まで%d手で", node->depth - !has_foul);
    switch (node->ending) {
    case KMD_END_RESIGN:
        strbuf_addf(out, "%sの勝ち", other);
        break;
    case KMD_END_TIMEOUT:
        strbuf_addf(out, "時間切れにより%sの勝ち", other);
        break;
    case KMD_END_ILLEGAL_LOSS:
        strbuf_addf(out, "%sの%s", has_foul ? other : mover,
                    ending_name(has_foul ? KMD_END_ILLEGAL_WIN : node->ending));
        break;
    case KMD_END_ILLEGAL_WIN:
    case KMD_END_DECLARATION:
        strbuf_addf(out, "%sの%s", mover, ending_name(node->ending));
        break;
    case KMD_END_OTHER:
        strbuf_add(out, record_text(record, node->label));
        break;
    default:
        strbuf_add_str(out, ending_name(node->ending));
    }
}
