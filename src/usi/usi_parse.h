/* usi_parse.h: USI command lines to plain data.
 *
 * Pure: nothing here prints or keeps state, and bad input only returns an error.
 * Safe from every thread. */
#ifndef KMD_USI_USI_PARSE_H
#define KMD_USI_USI_PARSE_H

#include "base/str.h"
#include "rules/usimove.h"
#include "search/sinfo.h"

/* The arguments of `go` or of `ponderhit`. Always gives usable limits: unknown words are skipped,
 * negative times count as 0, and of a parameter whose value is no number only *fault tells (the
 * first one). A line that asks for nothing is infinite; one that asks for nothing but by mistake
 * gets a short time, so that it is answered; one without any known word is nonsense. */
void usi_parse_go(StrView args, GoLimits *limits, UsiFault *fault);

/* The arguments of `setoption`: name NAME [value VALUE]; VALUE is the rest of the line and may be
 * empty, which is also written <empty>. False when there is no name. */
bool usi_parse_setoption(StrView args, StrView *name, StrView *value) MUST_CHECK;

#endif
