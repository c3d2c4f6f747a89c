/* args.h: what the readers of komadori-match's command line share: options and their values, texts
 * that are kept, words of the form key=value. */
#ifndef KMD_MATCH_ARGS_H
#define KMD_MATCH_ARGS_H

#include "base/str.h"

/* The values of one option. */
typedef struct ArgValues {
    const char *option; /* for messages */
    char *const *words;
    int count;
} ArgValues;

/* A copy that ends in a NUL and is the caller's. */
char *args_copy_text(StrView text);

/* Replaces the text at *place, which may be NULL, by a copy. */
void args_set_text(char **place, StrView text);

/* Splits "key=value" and returns the key; a word without = has an empty value. */
StrView args_split_key(StrView word, StrView *value);

/* Reads a key that stands alone, or with on/off, true/false. */
bool args_read_switch(StrView value, bool *out);

#endif
