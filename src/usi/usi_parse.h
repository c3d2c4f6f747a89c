/* usi_parse.h: USI command lines to plain data. Pure: nothing here prints or keeps state, and no
 * input whatever does more than return a fault. Safe from every thread. */
#ifndef KMD_USI_USI_PARSE_H
#define KMD_USI_USI_PARSE_H

#include "base/str.h"
#include "rules/position.h"
#include "search/golimits.h"

/* What is wrong with a line. */
typedef struct UsiFault {
    const char *text; /* English phrase, static storage; NULL: nothing wrong */
    StrView word;     /* the word it is about, a part of the line; may be empty */
    int place;        /* SFEN: column from 1; moves: number of the move from 1; else 0 */
    bool is_nonsense; /* no word of a go is known: nothing was asked for */
} UsiFault;

/* The arguments of `position`: "startpos", "sfen ...", or an SFEN without that word, then "moves"
 * and moves, or no moves at all. On failure *pos is set up somehow but not as asked. */
bool usi_parse_position(StrView args, Position *pos, UsiFault *fault) MUST_CHECK;

/* The arguments of `go` or of `ponderhit`. Always gives usable limits: unknown words are skipped,
 * negative times count as 0, and of a parameter whose value is no number only *fault tells (the
 * first one). A line that asks for nothing is infinite; one that asks for nothing but by mistake
 * gets a short time, so that it is answered; one without any known word is nonsense. */
void usi_parse_go(StrView args, GoLimits *limits, UsiFault *fault);

/* The arguments of `setoption`: name NAME [value VALUE]; VALUE is the rest of the line and may be
 * empty. False when there is no name. */
bool usi_parse_setoption(StrView args, StrView *name, StrView *value) MUST_CHECK;

#endif
