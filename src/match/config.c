/* config.c: converts the members of a JSON object to command-line words. */
#include "match/config.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/xmem.h"

void config_add_word(WordList *words, StrView word) {
    words->items = xmem_grow(words->items, &words->cap, (size_t)words->count + 1, sizeof(char *));
    words->items[words->count++] = sv_copy(word);
}

static void add_word(WordList *words, StrView before, StrView key, StrView middle, StrView value) {
    StrBuf text = STRBUF_INIT;
    strbuf_add(&text, before);
    strbuf_add(&text, key);
    strbuf_add(&text, middle);
    strbuf_add(&text, value);
    config_add_word(words, strbuf_view(&text));
    strbuf_free(&text);
}

/* Reads a string, a number or a word such as true, and appends it to *out as it would be typed on a
 * command line. */
static bool read_plain(JsonReader *json, StrBuf *out) {
    StrView text;
    JsonKind kind = json_peek(json);
    if (kind == JSON_STRING) {
        bool is_good = json_string(json, &text);
        strbuf_add(out, text);
        return is_good;
    }
    if (kind == JSON_OBJECT || kind == JSON_ARRAY || kind == JSON_NULL) {
        return json_fail(json, "expected a string, a number, true or false");
    }
    text = json->rest;
    bool is_good = json_skip(json);
    strbuf_add(out, sv_trim(sv_prefix(text, text.len - json->rest.len)));
    return is_good;
}

/* The start of a word, before its value, and the list to which the word is added. */
typedef struct Member {
    StrView before, name, middle;
    WordList *words;
} Member;

static bool take_value(JsonReader *json, StrView key, void *to) {
    const Member *member = to;
    StrBuf value = STRBUF_INIT;
    (void)key;
    bool is_good = read_plain(json, &value);
    if (is_good) {
        add_word(member->words, member->before, member->name, member->middle, strbuf_view(&value));
    }
    strbuf_free(&value);
    return is_good;
}

/* Reads one member of an engine's options as "option.key=value". */
static bool take_option_member(JsonReader *json, StrView key, void *to) {
    Member member = {SV("option."), key, SV("="), to};
    return json_peek(json) == JSON_ARRAY ? json_array(json, take_value, &member)
                                         : take_value(json, key, &member);
}

/* Reads one member of an engine, or of an option with keys, as the word "key=value". */
static bool take_member(JsonReader *json, StrView key, void *to) {
    Member member = {SV(""), key, SV("="), to};
    JsonKind kind = json_peek(json);
    return kind == JSON_OBJECT && sv_equal(key, SV("option"))
               ? json_object(json, take_option_member, to)
           : kind == JSON_ARRAY ? json_array(json, take_value, &member)
                                : take_value(json, key, &member);
}

/* Reads one value of a command-line option. */
static bool take_option_value(JsonReader *json, StrView key, void *to) {
    const Member *option = to;
    Member value = {SV(""), SV(""), SV(""), option->words};
    JsonKind kind = json_peek(json);
    if (kind != JSON_FALSE) {
        add_word(option->words, SV("-"), option->name, SV(""), SV(""));
    }
    return kind == JSON_FALSE || kind == JSON_TRUE ? json_skip(json)
           : kind == JSON_OBJECT                   ? json_object(json, take_member, option->words)
                                                   : take_value(json, key, &value);
}

static bool take_option(JsonReader *json, StrView key, void *to) {
    Member option = {.name = key, .words = to};
    return json_peek(json) == JSON_ARRAY ? json_array(json, take_option_value, &option)
                                         : take_option_value(json, key, &option);
}

bool config_read(StrView text, WordList *words, StrBuf *error) {
    JsonReader json;
    json_init(&json, text);
    if (json_object(&json, take_option, words) && !json_at_end(&json)) {
        (void)json_fail(&json, "unexpected text after the object");
    }
    bool is_good = json.fault == NULL;
    if (!is_good) {
        strbuf_addf(error, ", line %d: %s", json.line, json.fault);
    }
    json_free(&json);
    return is_good;
}
