/* json.h: as much of JSON as game records and lists of results need: a reader that takes one value
 * after another from a text, and functions that write strings. Source: RFC 8259.
 *
 * A reader belongs to one thread and allocates only the buffer of the latest string. */
#ifndef KMD_BASE_JSON_H
#define KMD_BASE_JSON_H

#include "base/str.h"

typedef enum JsonKind {
    JSON_END, /* at the end, or after an error */
    JSON_OBJECT,
    JSON_ARRAY,
    JSON_STRING,
    JSON_NUMBER,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL
} JsonKind;

/* Maximum nesting depth of arrays and objects. */
enum { JSON_MAX_DEPTH = 400 };

typedef struct JsonReader {
    StrView rest;
    int line; /* line number, from 1 */
    int depth;
    const char *fault; /* plain English, static storage; NULL: no error */
    StrBuf text;       /* the latest string, without escapes */
    void *user;        /* for use by the JsonTaker functions */
    bool skips_null;   /* json_object ignores keys whose value is null */
} JsonReader;

void json_init(JsonReader *json, StrView text);
void json_free(JsonReader *json);

/* Records an error, unless there is one already, and returns false. */
bool json_fail(JsonReader *json, const char *fault);

/* Returns the kind of the next value without consuming it. */
JsonKind json_peek(JsonReader *json);

/* Consumes the opening bracket of an object or array. Returns false with an error if there is
 * none. */
bool json_enter(JsonReader *json, JsonKind kind);

/* Reads the next key of the object that was entered last; its value must be read next. Returns
 * false after reading the closing brace of the object, or on an error. Set *first to true before
 * the first call; this function clears it. The key is valid until the next string is read. */
bool json_next_key(JsonReader *json, bool *first, StrView *key);

/* True if the array that was entered last has another item. At its end, consumes the closing
 * bracket and returns false. */
bool json_next_item(JsonReader *json, bool *first);

/* Reads the value of a key in an object, or an item of an array (key is then empty). Returns false
 * on an error, or to stop reading. */
typedef bool JsonTaker(JsonReader *json, StrView key, void *to);

/* Reads a whole object or array, calling `take` for each value. The key passed to `take` is valid
 * only during the call. Returns false on an error, or if `take` returned false. */
bool json_object(JsonReader *json, JsonTaker *take, void *to);
bool json_array(JsonReader *json, JsonTaker *take, void *to);

/* Read a value of one kind. Return false with an error if it has another kind. Numbers must be
 * integers. */
bool json_string(JsonReader *json, StrView *text);
bool json_int(JsonReader *json, int low, int high, int *value);
bool json_bool(JsonReader *json, bool *value);

/* Skips a value of any kind. */
bool json_skip(JsonReader *json);

/* True if only white space is left and there was no error. */
bool json_at_end(JsonReader *json);

/* Appends text as a JSON string with quotes. Invalid UTF-8 becomes U+FFFD. */
void json_append_string(StrView text, StrBuf *out);

/* Append a member to an object, preceded by a comma unless it is the first member. The first
 * appends only its key and the colon. */
void json_add_key(const char *key, StrBuf *out);
void json_add_text(const char *key, StrView value, StrBuf *out);
void json_add_i64(const char *key, int64_t value, StrBuf *out);

/* ---- flat objects, one per line -------------------------------------------------------------- */

/* A flat object contains strings, numbers and words such as true, but no other object. True if the
 * line is one complete flat object. */
bool json_line_is_object(StrView line);

/* Read a member's value: a text, which is appended to *value, or a number in low..high. Return
 * false if there is no such member or its value has another type. The line must be a complete
 * object. */
bool json_line_text(StrView line, const char *key, StrBuf *value) MUST_CHECK;
bool json_line_i64(StrView line, const char *key, int64_t low, int64_t high,
                   int64_t *value) MUST_CHECK;

#endif
