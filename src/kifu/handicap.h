/* handicap.h: handicaps: their names in the formats and the positions they start from.
 *
 * A constant table and pure functions: safe from every thread. */
#ifndef KMD_KIFU_HANDICAP_H
#define KMD_KIFU_HANDICAP_H

#include "base/str.h"
#include "rules/setup.h"

/* A handicap by name. */
typedef struct Handicap {
    const char *name;    /* as in KIF: 二枚落ち */
    const char *board;   /* SFEN of the start position */
    const char *removed; /* as CSA's PI line: "82HI22KA" */
    const char *preset;  /* of JKF */
    bool is_plain;       /* all programs agree on it: it can stand without a diagram */
} Handicap;

/* By the KIF name without blanks around it (二枚落 is 二枚落ち), by JKF's preset or by position;
 * NULL when unknown. */
const Handicap *handicap_by_name(StrView name);
const Handicap *handicap_by_preset(StrView preset);
const Handicap *handicap_by_setup(const Setup *setup);

/* The start position of a handicap, or of the even game. */
Setup handicap_setup(const Handicap *handicap);

/* The key of a header as it is written in games from this start: 先手 and 後手 are 下手 and 上手
 * where a handicap that can stand without a diagram lets white move first. */
StrView handicap_header_key(const Setup *start, StrView key);

#endif
