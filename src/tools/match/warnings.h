/* warnings.h: what the user should know of engines that play on all the same. Remembers what has
 * been told, so that a thousand games tell it once. One thread at a time; prints nothing. */
#ifndef KMD_MATCH_WARNINGS_H
#define KMD_MATCH_WARNINGS_H

#include <stdbool.h>

#include "base/str.h"

/* An engine whose complaints are never twice the same is no longer listened to after so many. */
enum { WARNINGS_PER_ENGINE = 20 };

/* Zero is a good start. */
typedef struct Warnings {
    char **told; /* as they were handed out */
    int count;
    size_t cap;
} Warnings;

void warnings_free(Warnings *warnings);

/* True when this was not told of the engine before and is to be told now: "ENGINE: TEXT" is then
 * appended to *out. */
bool warnings_add(Warnings *warnings, const char *engine, StrView text, StrBuf *out) MUST_CHECK;

#endif
