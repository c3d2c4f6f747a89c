/* json.h: the JSON needed for game records and lists of results: a reader that walks through the
 * text, and functions that write strings. Source: RFC 8259.
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
    int line; /* from 1 */
    int depth;
    const char *fault; /* plain English, static storage; NULL: no error */
    StrBuf text;       /* the latest string, without escapes */
    void *user;        /* for takers */
    bool skips_null;   /* json_object ignores keys whose value is null */
} JsonReader;

void json_init(JsonReader *json, StrView text);
void json_free(JsonReader *json);

/* Records an error, unless there is one already, and returns false. */
bool json_fail(JsonReader *json, const char *fault);

/* The kind of the next value, without taking it. */
JsonKind json_peek(JsonReader *json);

/* Takes the opening bracket of an object or array; false with an error if there is none. */
bool json_enter(JsonReader *json, JsonKind kind);

/* The next key of the object entered last; its value comes next. Returns false after reading the
 * closing brace of the object, or on an error. Set *first to true before the first call; the calls
 * clear it. The key is valid until the next string is read. */
bool json_next_key(JsonReader *json, bool *first, StrView *key);

/* True if another item of the array entered last follows; false at its end, after taking its
 * bracket. */
bool json_next_item(JsonReader *json, bool *first);

/* Takes the value of a key of an object, or an item of an array (key is then empty). Returns false
 * on an error, or to stop. */
typedef bool JsonTaker(JsonReader *json, StrView key, void *to);

/* Takes a whole object or array, and calls `take` for each value with its key, which is valid
 * during the call. Returns false on an error, or if `take` returned false. */
bool json_object(JsonReader *json, JsonTaker *take, void *to);
bool json_array(JsonReader *json, JsonTaker *take, void *to);

/* Take a value of one kind; false with an error if it has another kind. Numbers must be whole. */
bool json_string(JsonReader *json, StrView *text);
bool json_int(JsonReader *json, int low, int high, int *value);
bool json_bool(JsonReader *json, bool *value);

/* Takes any value. */
bool json_skip(JsonReader *json);

/* True if only white space is left and there was no error. */
bool json_at_end(JsonReader *json);

/* Appends text as a JSON string with quotes. Invalid UTF-8 becomes U+FFFD. */
void json_append_string(StrView text, StrBuf *out);

/* Append a member to an object, with a comma before it unless it is the first. */
void json_add_text(const char *key, StrView value, StrBuf *out);
void json_add_i64(const char *key, int64_t value, StrBuf *out);

/* ---- flat objects, one per line: strings, numbers and words such as true, no nested objects ----
 * */

/* True if the line is one complete object of this kind. */
bool json_line_is_object(StrView line);

/* The value of a member: a text, which is appended to *value, or a number in low..high. Returns
 * false if there is none or it is something else. The line must be a complete object. */
bool json_line_text(StrView line, const char *key, StrBuf *value) MUST_CHECK;
bool json_line_i64(StrView line, const char *key, int64_t low, int64_t high,
                   int64_t *value) MUST_CHECK;

#endif
