/* cmdargs.h: the words of a command's arguments. What begins with a double quote goes on to the
 * next one, so that the names of files may hold blanks. Views only; safe from every thread. */
#ifndef KMD_CMD_CMDARGS_H
#define KMD_CMD_CMDARGS_H

#include "base/str.h"

/* As tok_next; a word in quotes comes without them, and may be empty. */
bool cmdargs_next(Tokenizer *tok, StrView *word);

/* All that is left as one text, without quotes around it. */
StrView cmdargs_rest(const Tokenizer *tok);

/* The SFEN of `sfen X` or X, where the whole or X may stand in quotes. Empty when none is there.
 * What is returned need not be a position. */
StrView cmdargs_sfen(StrView args);

#endif
