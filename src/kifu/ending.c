#include "kifu/ending.h"

#include <stddef.h>

#include "kifu/words.h"

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
