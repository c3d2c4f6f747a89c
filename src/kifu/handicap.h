/* handicap.h: handicaps, with their names in the formats and their start positions.
 *
 * A constant table and pure functions: safe from every thread. */
#ifndef KMD_KIFU_HANDICAP_H
#define KMD_KIFU_HANDICAP_H

#include "base/str.h"
#include "rules/setup.h"

/* A named handicap. */
typedef struct Handicap {
    const char *name;    /* in KIF: 二枚落ち */
    const char *board;   /* SFEN of the start position */
    const char *removed; /* in CSA's PI line: "82HI22KA" */
    const char *preset;  /* in JKF */
    bool is_plain;       /* all programs agree on it, so it needs no diagram */
} Handicap;

/* Look up a handicap by its KIF name without surrounding spaces (二枚落 is 二枚落ち), by JKF's
 * preset or by the position; NULL if unknown. */
const Handicap *handicap_by_name(StrView name);
const Handicap *handicap_by_preset(StrView preset);
const Handicap *handicap_by_setup(const Setup *setup);

/* The start position of a handicap or of the even game. */
Setup handicap_setup(const Handicap *handicap);

/* The key of a header as written in games with this start. In handicap games that need no diagram,
 * 先手 and 後手 are written as 下手 and 上手. */
StrView handicap_header_key(const Setup *start, StrView key);

#endif
