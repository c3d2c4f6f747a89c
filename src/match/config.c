/* config.c: converts the members of a JSON object to command-line words, and reads cutechess's
 * engines.json. */
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

/* Converts cutechess's name of an engine's key to ours. */
static StrView own_key(StrView key) {
    return sv_equal(key, SV("command"))            ? SV("cmd")
           : sv_equal(key, SV("workingDirectory")) ? SV("dir")
           : sv_equal(key, SV("stderrFile"))       ? SV("stderr")
                                                   : key;
}

/* Reads the members of {"name": "USI_Hash", "value": 64}. */
static bool take_named_part(JsonReader *json, StrView key, void *to) {
    StrBuf *parts = to;
    return sv_equal(key, SV("name"))    ? read_plain(json, &parts[0])
           : sv_equal(key, SV("value")) ? read_plain(json, &parts[1])
                                        : json_skip(json);
}

static bool take_named_option(JsonReader *json, StrView key, void *to) {
    StrBuf parts[2] = {STRBUF_INIT, STRBUF_INIT};
    (void)key;
    bool is_good = json_object(json, take_named_part, parts);
    if (is_good && parts[0].len > 0) {
        add_word(to, SV("option."), strbuf_view(&parts[0]), SV("="), strbuf_view(&parts[1]));
    }
    strbuf_free(&parts[0]);
    strbuf_free(&parts[1]);
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

static JsonTaker take_option_member;

/* Reads one member of an engine, or of an option with keys, as the word "key=value". */
static bool take_member(JsonReader *json, StrView key, void *to) {
    Member member = {SV(""), own_key(key), SV("="), to};
    JsonKind kind = json_peek(json);
    if (sv_equal(member.name, SV("options")) || sv_equal(member.name, SV("option"))) {
        if (kind == JSON_OBJECT || kind == JSON_ARRAY) {
            return kind == JSON_OBJECT ? json_object(json, take_option_member, to)
                                       : json_array(json, take_named_option, to);
        }
    }
    return kind == JSON_ARRAY ? json_array(json, take_value, &member)
                              : take_value(json, key, &member);
}

/* Reads one member of an engine's options as "option.key=value". */
static bool take_option_member(JsonReader *json, StrView key, void *to) {
    Member member = {SV("option."), key, SV("="), to};
    return json_peek(json) == JSON_ARRAY ? json_array(json, take_value, &member)
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
    return sv_equal(key, SV("engines"))    ? json_skip(json)
           : json_peek(json) == JSON_ARRAY ? json_array(json, take_option_value, &option)
                                           : take_option_value(json, key, &option);
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
    json_init(&json, text);
    if (json_object(&json, take_option, words) && !json_at_end(&json)) {
        (void)json_fail(&json, "unexpected text after the object");
    }
    return tell_fault(&json, error);
}

/* Moves the reader to the list of engines. */
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

/* Reads one member of an engine. In a file by cutechess there may be members that the user left
 * empty, and members that belong to chess protocols. */
static bool take_entry_member(JsonReader *json, StrView key, void *to) {
    static const char *const ignored[] = {"protocol", "timeoutScaleFactor", "initStrings",
                                          "variants", "whitepov",           "validateClaims",
                                          "debug"};
    WordList *words = to;
    if (SV_INDEX_OF(key, ignored) >= 0) {
        return json_skip(json);
    }
    bool is_good = take_member(json, key, words);
    StrView word = sv_from(words->count > 0 ? words->items[words->count - 1] : "");
    if (sv_equal(word, SV("dir=")) || sv_equal(word, SV("stderr="))) {
        free(words->items[--words->count]);
    }
    return is_good;
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
    bool first = true;
    bool is_found = false;
    json_init(&json, text);
    bool is_good = find_engines(&json);
    while (is_good && !is_found && json_next_item(&json, &first)) {
        int from = words->count;
        is_good = json_object(&json, take_entry_member, words);
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
