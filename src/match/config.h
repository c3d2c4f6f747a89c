/* config.h: converts configuration files in JSON to the words of a command line. */
#ifndef KMD_MATCH_CONFIG_H
#define KMD_MATCH_CONFIG_H

#include <stdbool.h>

#include "base/str.h"

/* A list that owns its words. */
typedef struct WordList {
    char **items;
    int count;
    size_t cap;
} WordList;

/* Appends the words that the JSON text, an object, stands for. "KEY": value becomes the words -KEY
 * value. If the value is true, only -KEY is appended; if it is false, nothing. Members of an object
 * become words of the form KEY=value; a list of objects repeats the option. On failure returns
 * false and appends the reason to *error. */
bool config_read(StrView text, WordList *words, StrBuf *error) MUST_CHECK;

/* Appends a word. */
void config_add_word(WordList *words, StrView word);

#endif
