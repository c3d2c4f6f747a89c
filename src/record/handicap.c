/* handicap.c: the table of handicaps with their names, JKF presets and start positions. */
#include "record/handicap.h"

#include <string.h>

#include "record/words.h"
#include "rules/sfen.h"

#define REST "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"

/* The pieces that white lacks are in black's hand. */
#define GAINED   "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w "

#define NO_PAWNS "/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL "

/* 三枚落ち and the names after it mean different handicaps in different programs, so these
 * handicaps are written as a diagram. */
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
    {"両桂落ち", "l1sgkgs1l/1r5b1" REST, "", "", false},
    {"九枚落ち", "4kg3/9" REST, "", "", false},
    {"トンボ", "4k4/1r5b1" REST, "", "", false},
    {"トンボ＋香", "l3k3l/1r5b1" REST, "", "", false},
    {"トンボ＋桂香", "ln2k2nl/1r5b1" REST, "", "", false},
    {"香得", "lnsgkgsn1/1r5b1" GAINED "L 1", "", "", false},
    {"角得", "lnsgkgsnl/1r7" GAINED "B 1", "", "", false},
    {"飛車得", "lnsgkgsnl/7b1" GAINED "R 1", "", "", false},
    {"飛香得", "lnsgkgsn1/7b1" GAINED "RL 1", "", "", false},
    {"二枚得", "lnsgkgsnl/9" GAINED "RB 1", "", "", false},
    {"四枚得", "1nsgkgsn1/9" GAINED "RB2L 1", "", "", false},
    {"六枚得", "2sgkgs2/9" GAINED "RB2N2L 1", "", "", false},
    {"八枚得", "3gkg3/9" GAINED "RB2S2N2L 1", "", "", false},
    {"歩三兵", "4k4/9" NO_PAWNS "w 3p 1", "", "", false},
    {"裸玉", "4k4/9" NO_PAWNS "w - 1", "", "", false},
};

/* True for the usual name, with or without its final ち. */
static bool is_name_of(StrView name, StrView usual) {
    StrView tail = SV("ち");
    return sv_equal(name, usual) ||
           (sv_ends_with(usual, tail) && sv_equal(name, sv_prefix(usual, usual.len - tail.len)));
}

/* Other names of handicaps: the first is written, the second is read. */
static const struct {
    const char *usual;
    const char *other;
} aliases[] = {
    {"飛車落ち", "飛落ち"},   {"香落ち", "左香落ち"}, {"二枚落ち", "飛角落ち"},
    {"トンボ", "トンボ落ち"}, {"トンボ", "とんぼ"},   {"裸玉", "十九枚落ち"},
    {"歩三兵", "歩3枚"},      {"歩三兵", "三歩兵"},   {"飛香落ち", "飛車香落ち"},
};

/* The usual name for a name, in which the number of pieces may be in digits. */
static StrView usual_name(StrView name, StrBuf *scratch) {
    StrView rest = name;
    int number = word_take_any_number(&rest, 10);
    if (number > 0) {
        word_append_count(number, scratch);
        strbuf_add(scratch, rest);
        name = strbuf_view(scratch);
    }
    for (size_t i = 0; i < COUNTOF(aliases); i++) {
        if (is_name_of(name, sv_from(aliases[i].other))) {
            return sv_from(aliases[i].usual);
        }
    }
    return name;
}

const Handicap *handicap_by_name(StrView name) {
    StrBuf scratch = STRBUF_INIT;
    const Handicap *found = NULL;
    name = usual_name(name, &scratch);
    for (size_t i = 0; i < COUNTOF(handicaps) && found == NULL; i++) {
        found = is_name_of(name, sv_from(handicaps[i].name)) ? &handicaps[i] : NULL;
    }
    strbuf_free(&scratch);
    return found;
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

const Handicap *handicap_by_setup(const Setup *setup) {
    for (size_t i = 0; i < COUNTOF(handicaps); i++) {
        Setup other = handicap_setup(&handicaps[i]);
        if (memcmp(setup->board, other.board, sizeof(other.board)) == 0 &&
            setup->hand[BLACK] == other.hand[BLACK] && setup->hand[WHITE] == other.hand[WHITE] &&
            setup->side == other.side) {
            return &handicaps[i];
        }
    }
    return NULL;
}

bool handicap_is_given(const Setup *start) {
    return start->side == WHITE && handicap_by_setup(start) != NULL;
}

const char *handicap_side(const Setup *start, Color color) {
    return !handicap_is_given(start) ? word_side(color) : color == BLACK ? "下手" : "上手";
}

bool handicap_is_other_game(StrView name) {
    return (sv_find(name, SV("将棋")) < name.len || sv_find(name, SV("しょうぎ")) < name.len) &&
           sv_find(name, SV("詰")) == name.len;
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
