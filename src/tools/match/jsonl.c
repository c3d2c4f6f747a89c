#include "tools/match/jsonl.h"

#include "base/json.h"

static void add_key(StrBuf *out, const char *key) {
    if (out->len > 0 && out->ptr[out->len - 1] != '{') {
        strbuf_add_byte(out, ',');
    }
    json_append_string(sv_from(key), out);
    strbuf_add_byte(out, ':');
}

void jsonl_begin(StrBuf *out) {
    strbuf_add_byte(out, '{');
}

void jsonl_add_text(StrBuf *out, const char *key, StrView value) {
    add_key(out, key);
    json_append_string(value, out);
}

void jsonl_add_i64(StrBuf *out, const char *key, int64_t value) {
    add_key(out, key);
    strbuf_add_i64(out, value);
}

void jsonl_end(StrBuf *out) {
    strbuf_add_str(out, "}\n");
}

/* Walks over the object. With a key: true when its field was found, whose value comes next.
 * Without: true when the line is one whole object. */
static bool walk(JsonReader *json, const char *key) {
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

bool jsonl_is_object(StrView line) {
    JsonReader json;
    json_init(&json, line);
    bool is_object = walk(&json, NULL);
    json_free(&json);
    return is_object;
}

bool jsonl_get_text(StrView line, const char *key, StrBuf *value) {
    JsonReader json;
    StrView text;
    json_init(&json, line);
    bool is_good = walk(&json, key) && json_string(&json, &text);
    if (is_good) {
        strbuf_add(value, text);
    }
    json_free(&json);
    return is_good;
}

bool jsonl_get_i64(StrView line, const char *key, int64_t low, int64_t high, int64_t *value) {
    JsonReader json;
    json_init(&json, line);
    bool is_good = walk(&json, key) && json_i64(&json, low, high, value);
    json_free(&json);
    return is_good;
}
