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

KmdEnding ending_read(const EndingWord *words, StrView word) {
    while (words->word != NULL && !sv_equal(word, sv_from(words->word))) {
        words++;
    }
    return words->word != NULL ? words->ending : KMD_END_NONE;
}

const char *ending_name(KmdEnding ending) {
    return ending_word(ending_japanese, ending);
}

static bool contains(StrView text, const char *word) {
    return sv_find(text, sv_from(word)) < text.len;
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
        {"投了", KMD_END_RESIGN},
    };
    Color winner = word_winner(line);
    if (winner != COLOR_NB && (contains(line, "反則") || contains(line, "連続王手"))) {
        return winner == to_move ? KMD_END_ILLEGAL_WIN : KMD_END_ILLEGAL_LOSS;
    }
    for (size_t i = 0; i < COUNTOF(words); i++) {
        if (contains(line, words[i].word)) {
            bool is_so = winner == COLOR_NB || winner == record_winner_by(words[i].ending, to_move);
            return is_so ? words[i].ending : KMD_END_NONE;
        }
    }
    bool has_cause = contains(line, "により") || contains(line, "切") || contains(line, "判定");
    return winner == color_flip(to_move) && !has_cause ? KMD_END_RESIGN : KMD_END_NONE;
}

void ending_append_closing(const Record *record, int ending_node, int before, StrView words,
                           StrBuf *out) {
    const RecordNode *node = &record->nodes[ending_node];
    Color to_move = record_side(record, ending_node);
    const Setup *start = &record->start;
    const char *mover = handicap_side(start, to_move);
    const char *other = handicap_side(start, color_flip(to_move));
    bool has_foul = node->foul.move != MOVE_NONE && node->ending == KMD_END_ILLEGAL_LOSS;
    strbuf_addf(out, "まで%d手で", before + node->depth - !has_foul);
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
        strbuf_add(out, words);
        break;
    default:
        strbuf_add_str(out, ending_name(node->ending));
    }
}
