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

/* Appends the words that the JSON text stands for. The text is an object. "KEY": value becomes -KEY
 * value, true becomes -KEY alone, and false is skipped. Members of an object become words
 * KEY=value; a list of objects repeats the option. "engines" is no option: it defines engines for
 * config_engine. On failure returns false and appends the reason to *error. */
bool config_read(StrView text, WordList *words, StrBuf *error) MUST_CHECK;

/* Appends the words for the engine of that name. It is a member of the object's "engines", or of a
 * list such as cutechess's engines.json (name, command, workingDirectory, options). */
bool config_engine(StrView text, StrView name, WordList *words, StrBuf *error) MUST_CHECK;

#endif
