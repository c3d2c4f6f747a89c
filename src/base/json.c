/* json.c: a reader that takes one token after another as the caller requests them, and functions
 * that escape strings for output. */
#include "base/json.h"

#include "base/utf8.h"

void json_init(JsonReader *json, StrView text) {
    *json = (JsonReader){.rest = text, .line = 1, .text = STRBUF_INIT};
}

void json_free(JsonReader *json) {
    strbuf_free(&json->text);
}

bool json_fail(JsonReader *json, const char *fault) {
    if (json->fault == NULL) {
        json->fault = fault;
    }
    return false;
}

static void skip_blanks(JsonReader *json) {
    while (json->rest.len > 0) {
        char c = json->rest.ptr[0];
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
            return;
        }
        json->line += c == '\n';
        json->rest = sv_skip(json->rest, 1);
    }
}

static bool take_byte(JsonReader *json, char byte) {
    skip_blanks(json);
    if (json->rest.len == 0 || json->rest.ptr[0] != byte) {
        return false;
    }
    json->rest = sv_skip(json->rest, 1);
    return true;
}

JsonKind json_peek(JsonReader *json) {
    skip_blanks(json);
    if (json->rest.len == 0 || json->fault != NULL) {
        return JSON_END;
    }
    switch (json->rest.ptr[0]) {
    case '{':
        return JSON_OBJECT;
    case '[':
        return JSON_ARRAY;
    case '"':
        return JSON_STRING;
    case 't':
        return JSON_TRUE;
    case 'f':
        return JSON_FALSE;
    case 'n':
        return JSON_NULL;
    default:
        return JSON_NUMBER;
    }
}

bool json_enter(JsonReader *json, JsonKind kind) {
    if (json->fault != NULL || !take_byte(json, kind == JSON_OBJECT ? '{' : '[')) {
        return json_fail(json, kind == JSON_OBJECT ? "an object expected" : "an array expected");
    }
    return ++json->depth <= JSON_MAX_DEPTH || json_fail(json, "nested too deeply");
}

/* Takes the comma before the next item, or the closing bracket. Returns false after the closing
 * bracket. */
static bool next(JsonReader *json, bool *first, char bracket) {
    if (json->fault != NULL) {
        return false;
    }
    if (take_byte(json, bracket)) {
        json->depth--;
        return false;
    }
    if (!*first && !take_byte(json, ',')) {
        return json_fail(json, "a comma or a closing bracket expected");
    }
    *first = false;
    return true;
}

bool json_next_key(JsonReader *json, bool *first, StrView *key) {
    return next(json, first, '}') && json_string(json, key) &&
           (take_byte(json, ':') || json_fail(json, "a colon expected"));
}

bool json_next_item(JsonReader *json, bool *first) {
    return next(json, first, ']');
}

bool json_object(JsonReader *json, JsonTaker *take, void *to) {
    bool first = true;
    bool is_good = json_enter(json, JSON_OBJECT);
    StrBuf copy = STRBUF_INIT;
    StrView key;
    while (is_good && json_next_key(json, &first, &key)) {
        strbuf_clear(&copy);
        strbuf_add(&copy, key);
        bool is_absent = json->skips_null && json_peek(json) == JSON_NULL;
        is_good = is_absent ? json_skip(json) : take(json, strbuf_view(&copy), to);
    }
    strbuf_free(&copy);
    return is_good && json->fault == NULL;
}

bool json_array(JsonReader *json, JsonTaker *take, void *to) {
    bool first = true;
    bool is_good = json_enter(json, JSON_ARRAY);
    while (is_good && json_next_item(json, &first)) {
        is_good = take(json, SV(""), to);
    }
    return is_good && json->fault == NULL;
}

/* Takes four hexadecimal digits. Returns false if there are fewer. */
static bool take_hex(JsonReader *json, uint32_t *value) {
    *value = 0;
    for (int i = 0; i < 4; i++) {
        char c = json->rest.len > 0 ? json->rest.ptr[0] : 0;
        bool is_digit = str_is_digit(c);
        bool is_lower = c >= 'a' && c <= 'f', is_upper = c >= 'A' && c <= 'F';
        if (!is_digit && !is_lower && !is_upper) {
            return false;
        }
        *value = *value << 4 | (uint32_t)(is_digit ? c - '0' : (c | 0x20) - 'a' + 10);
        json->rest = sv_skip(json->rest, 1);
    }
    return true;
}

/* Takes the digits after "\u". Two surrogates make one character. */
static bool take_unicode(JsonReader *json) {
    uint32_t character, low;
    if (!take_hex(json, &character)) {
        return json_fail(json, "a bad \\u in a string");
    }
    if (character >= 0xD800 && character < 0xDC00 && sv_starts_with(json->rest, SV("\\u"))) {
        json->rest = sv_skip(json->rest, 2);
        if (!take_hex(json, &low)) {
            return json_fail(json, "a bad \\u in a string");
        }
        character = low >= 0xDC00 && low < 0xE000
                        ? 0x10000 + ((character - 0xD800) << 10) + (low - 0xDC00)
                        : UTF8_REPLACEMENT;
    }
    if (character != UTF8_MARK_CODE) {
        utf8_append(&json->text, character == 0 ? UTF8_REPLACEMENT : character);
    }
    return true;
}

static bool take_escape(JsonReader *json) {
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char c = json->rest.len > 0 ? json->rest.ptr[0] : 0;
    json->rest = sv_skip(json->rest, 1);
    if (c == 'u') {
        return take_unicode(json);
    }
    size_t index = sv_find_byte(sv_from(names), c);
    if (c == 0 || index == sizeof(names) - 1) {
        return json_fail(json, "an unknown escape in a string");
    }
    strbuf_add_byte(&json->text, meanings[index]);
    return true;
}

bool json_string(JsonReader *json, StrView *text) {
    if (json->fault != NULL || !take_byte(json, '"')) {
        return json_fail(json, "a string expected");
    }
    strbuf_clear(&json->text);
    while (json->rest.len > 0 && json->rest.ptr[0] != '"') {
        char c = json->rest.ptr[0];
        json->rest = sv_skip(json->rest, 1);
        json->line += c == '\n';
        if (c != '\\') {
            strbuf_add_byte(&json->text, c);
        } else if (!take_escape(json)) {
            return false;
        }
    }
    if (json->rest.len == 0) {
        return json_fail(json, "a string without an end");
    }
    json->rest = sv_skip(json->rest, 1);
    *text = strbuf_view(&json->text);
    return true;
}

/* Takes all characters that a number or a bare word may contain. */
static StrView take_scalar(JsonReader *json) {
    size_t len = 0;
    skip_blanks(json);
    while (len < json->rest.len && !sv_has_byte(SV(",]}: \t\r\n[{\""), json->rest.ptr[len])) {
        len++;
    }
    StrView word = sv_prefix(json->rest, len);
    json->rest = sv_skip(json->rest, len);
    return word;
}

bool json_int(JsonReader *json, int low, int high, int *value) {
    return (json->fault == NULL && sv_to_int(take_scalar(json), low, high, value)) ||
           json_fail(json, "a whole number expected, or it is out of range");
}

bool json_bool(JsonReader *json, bool *value) {
    StrView word = json->fault == NULL ? take_scalar(json) : (StrView){NULL, 0};
    *value = sv_equal(word, SV("true"));
    return *value || sv_equal(word, SV("false")) || json_fail(json, "true or false expected");
}

bool json_skip(JsonReader *json) {
    bool first = true;
    StrView key, text;
    double number;
    switch (json_peek(json)) {
    case JSON_END:
        return json_fail(json, "unexpected end of the text");
    case JSON_OBJECT:
        if (json_enter(json, JSON_OBJECT)) {
            while (json_next_key(json, &first, &key) && json_skip(json)) {
            }
        }
        return json->fault == NULL;
    case JSON_ARRAY:
        if (json_enter(json, JSON_ARRAY)) {
            while (json_next_item(json, &first) && json_skip(json)) {
            }
        }
        return json->fault == NULL;
    case JSON_STRING:
        return json_string(json, &text);
    default:
        text = take_scalar(json);
        return sv_equal(text, SV("true")) || sv_equal(text, SV("false")) ||
               sv_equal(text, SV("null")) || sv_to_double(text, -1e300, 1e300, &number) ||
               json_fail(json, "not a value");
    }
}

bool json_at_end(JsonReader *json) {
    skip_blanks(json);
    return json->rest.len == 0 && json->fault == NULL;
}

void json_append_string(StrView text, StrBuf *out) {
    strbuf_add_byte(out, '"');
    while (text.len > 0) {
        uint32_t c = utf8_take(&text);
        if (c == '"' || c == '\\') {
            strbuf_add_byte(out, '\\');
            strbuf_add_byte(out, (char)c);
        } else if (c == '\n') {
            strbuf_add_str(out, "\\n");
        } else if (c < 0x20) {
            strbuf_addf(out, "\\u%04x", (unsigned)c);
        } else {
            utf8_append(out, c);
        }
    }
    strbuf_add_byte(out, '"');
}

/* ---- members and lines ----------------------------------------------------------------------- */

void json_add_key(const char *key, StrBuf *out) {
    if (out->len > 0 && out->ptr[out->len - 1] != '{') {
        strbuf_add_byte(out, ',');
    }
    json_append_string(sv_from(key), out);
    strbuf_add_byte(out, ':');
}

void json_add_text(const char *key, StrView value, StrBuf *out) {
    json_add_key(key, out);
    json_append_string(value, out);
}

void json_add_i64(const char *key, int64_t value, StrBuf *out) {
    json_add_key(key, out);
    strbuf_add_i64(out, value);
}

/* Reads through the object. With a key, stops at its value and returns whether the key exists.
 * Without a key, returns whether the line is one complete object. */
static bool walk_object(JsonReader *json, const char *key) {
    StrView found;
    bool first = true;
    if (!json_enter(json, JSON_OBJECT)) {
        return false;
    }
    while (json_next_key(json, &first, &found)) {
        if (key != NULL && sv_equal(found, sv_from(key))) {
            return true;
        }
        JsonKind kind = json_peek(json);
        if (kind == JSON_OBJECT || kind == JSON_ARRAY || !json_skip(json)) {
            return false;
        }
    }
    return key == NULL && json_at_end(json);
}

bool json_line_is_object(StrView line) {
    JsonReader json;
    json_init(&json, line);
    bool is_object = walk_object(&json, NULL);
    json_free(&json);
    return is_object;
}

bool json_line_text(StrView line, const char *key, StrBuf *value) {
    JsonReader json;
    StrView text;
    json_init(&json, line);
    bool is_good = walk_object(&json, key) && json_string(&json, &text);
    if (is_good) {
        strbuf_add(value, text);
    }
    json_free(&json);
    return is_good;
}

bool json_line_i64(StrView line, const char *key, int64_t low, int64_t high, int64_t *value) {
    JsonReader json;
    json_init(&json, line);
    bool is_good = walk_object(&json, key) && sv_to_i64(take_scalar(&json), low, high, value);
    json_free(&json);
    return is_good;
}
