/* jsonl.h: flat JSON objects, one a line: writing them and finding their fields. Only strings,
 * numbers and words such as true; no objects inside objects. No state. */
#ifndef KMD_MATCH_JSONL_H
#define KMD_MATCH_JSONL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Writing: jsonl_begin, any number of fields, jsonl_end. What is no UTF-8 in a text becomes U+FFFD.
 */
void jsonl_begin(StrBuf *out);
void jsonl_add_text(StrBuf *out, const char *key, StrView value);
void jsonl_add_i64(StrBuf *out, const char *key, int64_t value);
void jsonl_end(StrBuf *out);

/* True when line is one whole object of the kind above. */
bool jsonl_is_object(StrView line);

/* The value of a field: a text with its escapes resolved, which is appended to *value, or a number
 * in low..high. False when there is no such field or it is something else. The line must be a whole
 * object. */
bool jsonl_get_text(StrView line, const char *key, StrBuf *value) MUST_CHECK;
bool jsonl_get_i64(StrView line, const char *key, int64_t low, int64_t high,
                   int64_t *value) MUST_CHECK;

#endif
