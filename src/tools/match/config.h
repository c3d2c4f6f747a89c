/* config.h: configuration files in JSON, as words of a command line. */
#ifndef KMD_MATCH_CONFIG_H
#define KMD_MATCH_CONFIG_H

#include <stdbool.h>

#include "base/str.h"

/* Words that are owned. */
typedef struct WordList {
    char **items;
    int count;
    size_t cap;
} WordList;

/* Appends the words that the text stands for. It is an object: "KEY": value is -KEY value, true is
 * -KEY alone and false nothing, members of an object are words KEY=value, a list of objects
 * repeats the option. "engines" names engines for config_engine and is no option. False with the
 * fault appended to *error. */
bool config_read(StrView text, WordList *words, StrBuf *error) MUST_CHECK;

/* Appends the words of the engine of that name: from the member "engines" of an object, or from a
 * list as cutechess has it in engines.json (name, command, workingDirectory, options). */
bool config_engine(StrView text, StrView name, WordList *words, StrBuf *error) MUST_CHECK;

#endif
