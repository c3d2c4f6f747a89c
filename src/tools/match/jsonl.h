/* jsonl.h: flat JSON objects, one a line: writing them and finding their fields. Only strings,
 * whole numbers and true/false; no objects inside objects. No state.
 * Source: RFC 8259 (Bray 2017). */
#ifndef KMD_MATCH_JSONL_H
#define KMD_MATCH_JSONL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Writing: json_begin, any number of fields, json_end. */
void json_begin(StrBuf *out);
void json_add_text(StrBuf *out, const char *key, StrView value);
void json_add_i64(StrBuf *out, const char *key, int64_t value);
void json_end(StrBuf *out);

/* True when line is one whole object of the kind above. */
bool json_is_object(StrView line);

/* The value of a field: a text with its escapes resolved (*value is appended to), or a number in
 * low..high. False when there is no such field or it is something else; *value may then hold the
 * beginning of a text. The line must be a whole object. */
bool json_get_text(StrView line, const char *key, StrBuf *value) MUST_CHECK;
bool json_get_i64(StrView line, const char *key, int64_t low, int64_t high,
                  int64_t *value) MUST_CHECK;

#endif
