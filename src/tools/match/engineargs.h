/* engineargs.h: the values of -engine and -each, key=value words that describe a player. */
#ifndef KMD_MATCH_ENGINEARGS_H
#define KMD_MATCH_ENGINEARGS_H

#include "base/str.h"
#include "tools/match/settings.h"

/* Reads one word into the description; false when the key is unknown or its value is none. */
bool engineargs_read(EngineSpec *engine, StrView word) MUST_CHECK;

/* Sets a USI option that is sent to the engine, or its value where it has been set before. */
void engineargs_set_option(EngineSpec *engine, StrView name, StrView value);

/* A line of help for each key. */
void engineargs_write_help(StrBuf *out);

#endif
