#include "tools/kifu/pieces.h"

const KmdPieceType pieces_hand_order[PIECES_HAND_TYPES] = {
    KMD_ROOK, KMD_BISHOP, KMD_GOLD, KMD_SILVER, KMD_KNIGHT, KMD_LANCE, KMD_PAWN};

const char *pieces_kanji(KmdPieceType type) {
    static const char *const names[] = {"・", "歩", "香", "桂", "銀", "角", "飛", "金",
                                        "玉", "と", "杏", "圭", "全", "馬", "龍"};
    return names[type];
}

const char *pieces_letters(KmdPieceType type, KmdColor color) {
    static const char *const names[2][15] = {
        {".", "P", "L", "N", "S", "B", "R", "G", "K", "+P", "+L", "+N", "+S", "+B", "+R"},
        {".", "p", "l", "n", "s", "b", "r", "g", "k", "+p", "+l", "+n", "+s", "+b", "+r"}};
    return names[color][type];
}

const char *pieces_kanji_digit(int digit) {
    static const char *const digits[] = {"", "一", "二", "三", "四", "五", "六", "七", "八", "九"};
    return digits[digit];
}
