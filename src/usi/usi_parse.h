/* usi_parse.h: parses USI command lines into plain data.
 *
 * Pure: nothing here prints or keeps state, and bad input only returns an error. Safe from every
 * thread. */
#ifndef KMD_USI_USI_PARSE_H
#define KMD_USI_USI_PARSE_H

#include "base/str.h"
#include "rules/usimove.h"
#include "search/sinfo.h"

/* Parses the arguments of `go` or `ponderhit`. The limits are always usable: unknown words are
 * skipped, negative times count as 0, and a parameter without a valid number only sets *fault (the
 * first error). A line without limits is infinite. If it has no limits because of an error, it gets
 * a short time, so that it is answered. A line without any known word is nonsense. */
void usi_parse_go(StrView args, GoLimits *limits, UsiFault *fault);

/* Parses the arguments of `setoption`: name NAME [value VALUE]. VALUE is the rest of the line and
 * may be empty, which may also be written <empty>. Returns false if there is no name. */
bool usi_parse_setoption(StrView args, StrView *name, StrView *value) MUST_CHECK;

#endif
