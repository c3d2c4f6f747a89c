/* handicap.h: handicaps, with their names in the formats and their start positions.
 *
 * The table is constant and the functions are pure: safe from every thread. */
#ifndef KMD_RECORD_HANDICAP_H
#define KMD_RECORD_HANDICAP_H

#include "base/str.h"
#include "rules/setup.h"

/* A named handicap. */
typedef struct Handicap {
    const char *name;    /* name in KIF: 二枚落ち */
    const char *board;   /* SFEN of the start position */
    const char *removed; /* pieces in CSA's PI line: "82HI22KA" */
    const char *preset;  /* name in JKF */
    bool is_plain;       /* all programs know this handicap, so it needs no diagram */
} Handicap;

/* Look up a handicap by its KIF name without surrounding spaces (二枚落 and 2枚落ち mean 二枚落ち),
 * by its JKF name or by its start position. NULL if unknown. */
const Handicap *handicap_by_name(StrView name);
const Handicap *handicap_by_preset(StrView preset);
const Handicap *handicap_by_setup(const Setup *setup);

/* True if this is the start of a game with a named handicap, in which white moves first. Any other
 * position with white to move is not a handicap. */
bool handicap_is_given(const Setup *start);

/* The start position of a handicap or of the even game. */
Setup handicap_setup(const Handicap *handicap);

/* The word for a side in a game with this start: 先手 and 後手, or 下手 and 上手 in a handicap
 * game. */
const char *handicap_side(const Setup *start, Color color);

/* True if the name is that of another game, such as 5五将棋, but not 詰将棋. */
bool handicap_is_other_game(StrView name);

/* Returns the key under which to write a header if the game has this start. In handicap games that
 * need no diagram, 先手 and 後手 become 下手 and 上手. */
StrView handicap_header_key(const Setup *start, StrView key);

#endif
