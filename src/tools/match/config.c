#include "tools/match/settings.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/xmem.h"

static void add_word(WordList *words, StrView before, StrView key, StrView middle, StrView value) {
    StrBuf text = STRBUF_INIT;
    words->items = xmem_grow(words->items, &words->cap, (size_t)words->count + 1, sizeof(char *));
    strbuf_add(&text, before);
    strbuf_add(&text, key);
    strbuf_add(&text, middle);
    strbuf_add(&text, value);
    words->items[words->count++] = sv_copy(strbuf_view(&text));
    strbuf_free(&text);
}

/* A text, number or word such as true as it is typed on a command line; appended to *out. */
static bool read_plain(JsonReader *json, StrBuf *out) {
    StrView text;
    JsonKind kind = json_peek(json);
    if (kind == JSON_STRING) {
        bool is_good = json_string(json, &text);
        strbuf_add(out, text);
        return is_good;
    }
    if (kind == JSON_OBJECT || kind == JSON_ARRAY || kind == JSON_NULL) {
        return json_fail(json, "a text, a number, true or false is wanted");
    }
    text = json->rest;
    bool is_good = json_skip(json);
    strbuf_add(out, sv_trim(sv_take(text, text.len - json->rest.len)));
    return is_good;
}

/* cutechess's names for keys of an engine. */
static StrView own_key(StrView key) {
    return sv_equal(key, SV("command"))            ? SV("cmd")
           : sv_equal(key, SV("workingDirectory")) ? SV("dir")
           : sv_equal(key, SV("protocol"))         ? SV("proto")
                                                   : key;
}

static bool read_members(JsonReader *json, StrView before, WordList *words);

/* [{"name": "USI_Hash", "value": 64}, ...] */
static bool read_named_options(JsonReader *json, WordList *words) {
    bool first = true;
    StrBuf name = STRBUF_INIT, value = STRBUF_INIT;
    bool is_good = json_enter(json, JSON_ARRAY);
    while (is_good && json_next_item(json, &first)) {
        bool first_key = true;
        StrView key;
        strbuf_clear(&name);
        strbuf_clear(&value);
        is_good = json_enter(json, JSON_OBJECT);
        while (is_good && json_next_key(json, &first_key, &key)) {
            bool is_name = sv_equal(key, SV("name"));
            is_good = is_name                      ? read_plain(json, &name)
                      : sv_equal(key, SV("value")) ? read_plain(json, &value)
                                                   : json_skip(json);
        }
        if (is_good && name.len > 0) {
            add_word(words, SV("option."), strbuf_view(&name), SV("="), strbuf_view(&value));
        }
    }
    strbuf_free(&name);
    strbuf_free(&value);
    return is_good && json->fault == NULL;
}

/* The value of one member of an engine or of an option with keys. */
static bool read_member(JsonReader *json, StrView before, const StrBuf *key, WordList *words) {
    StrView name = own_key(strbuf_view(key));
    JsonKind kind = json_peek(json);
    bool is_options = sv_equal(name, SV("options")) || sv_equal(name, SV("option"));
    if (is_options && kind == JSON_OBJECT) {
        return read_members(json, SV("option."), words);
    }
    if (is_options && kind == JSON_ARRAY) {
        return read_named_options(json, words);
    }
    bool is_list = kind == JSON_ARRAY, first = true;
    bool is_good = !is_list || json_enter(json, JSON_ARRAY);
    while (is_good && (!is_list || json_next_item(json, &first))) {
        StrBuf value = STRBUF_INIT;
        is_good = read_plain(json, &value);
        if (is_good) {
            add_word(words, before, name, SV("="), strbuf_view(&value));
        }
        strbuf_free(&value);
        if (!is_list) {
            break;
        }
    }
    return is_good && json->fault == NULL;
}

/* The members of an object as words "BEFOREkey=value". */
static bool read_members(JsonReader *json, StrView before, WordList *words) {
    bool first = true;
    StrView key;
    StrBuf name = STRBUF_INIT;
    bool is_good = json_enter(json, JSON_OBJECT);
    while (is_good && json_next_key(json, &first, &key)) {
        strbuf_clear(&name);
        strbuf_add(&name, key);
        is_good = read_member(json, before, &name, words);
    }
    strbuf_free(&name);
    return is_good && json->fault == NULL;
}

/* One value of an option of the command line. */
static bool read_value(JsonReader *json, StrView option, WordList *words) {
    JsonKind kind = json_peek(json);
    if (kind == JSON_FALSE) {
        return json_skip(json);
    }
    add_word(words, SV("-"), option, SV(""), SV(""));
    if (kind == JSON_TRUE) {
        return json_skip(json);
    }
    if (kind == JSON_OBJECT) {
        return read_members(json, SV(""), words);
    }
    StrBuf value = STRBUF_INIT;
    bool is_good = read_plain(json, &value);
    if (is_good) {
        add_word(words, strbuf_view(&value), SV(""), SV(""), SV(""));
    }
    strbuf_free(&value);
    return is_good;
}

static bool read_option(JsonReader *json, StrView option, WordList *words) {
    if (sv_equal(option, SV("engines"))) {
        return json_skip(json);
    }
    if (json_peek(json) != JSON_ARRAY) {
        return read_value(json, option, words);
    }
    bool first = true;
    bool is_good = json_enter(json, JSON_ARRAY);
    while (is_good && json_next_item(json, &first)) {
        is_good = read_value(json, option, words);
    }
    return is_good && json->fault == NULL;
}

static bool tell_fault(JsonReader *json, StrBuf *error) {
    bool is_good = json->fault == NULL;
    if (!is_good) {
        strbuf_addf(error, ", line %d: %s", json->line, json->fault);
    }
    json_free(json);
    return is_good;
}

bool config_read(StrView text, WordList *words, StrBuf *error) {
    JsonReader json;
    StrView key;
    StrBuf option = STRBUF_INIT;
    bool first = true;
    json_init(&json, text);
    bool is_good = json_enter(&json, JSON_OBJECT);
    while (is_good && json_next_key(&json, &first, &key)) {
        strbuf_clear(&option);
        strbuf_add(&option, key);
        is_good = read_option(&json, strbuf_view(&option), words);
    }
    if (is_good && !json_at_end(&json)) {
        (void)json_fail(&json, "something stands behind the object");
    }
    strbuf_free(&option);
    return tell_fault(&json, error);
}

/* Brings the reader to the list of engines. */
static bool find_engines(JsonReader *json) {
    bool first = true;
    StrView key;
    if (json_peek(json) == JSON_ARRAY) {
        return json_enter(json, JSON_ARRAY);
    }
    bool is_good = json_enter(json, JSON_OBJECT);
    while (is_good && json_next_key(json, &first, &key)) {
        if (sv_equal(key, SV("engines"))) {
            return json_enter(json, JSON_ARRAY);
        }
        is_good = json_skip(json);
    }
    return false;
}

static bool has_name(const WordList *words, int from, StrView name) {
    for (int i = from; i < words->count; i++) {
        StrView word = sv_from(words->items[i]);
        if (sv_starts_with(word, SV("name=")) && sv_equal(sv_skip(word, 5), name)) {
            return true;
        }
    }
    return false;
}

bool config_engine(StrView text, StrView name, WordList *words, StrBuf *error) {
    JsonReader json;
    bool first = true, is_found = false;
    json_init(&json, text);
    bool is_good = find_engines(&json);
    while (is_good && !is_found && json_next_item(&json, &first)) {
        int from = words->count;
        is_good = read_members(&json, SV(""), words);
        is_found = is_good && has_name(words, from, name);
        while (!is_found && words->count > from) {
            free(words->items[--words->count]);
        }
    }
    is_good = tell_fault(&json, error);
    if (is_good && !is_found) {
        strbuf_addf(error, ": no engine \"%.*s\"", (int)name.len, name.ptr);
    }
    return is_good && is_found;
}
