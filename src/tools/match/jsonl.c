#include "tools/match/jsonl.h"

/* Whatever is not printable ASCII, and the two special characters, goes out as an escape; bytes
 * of UTF-8 are left as they are. */
static void add_quoted(StrBuf *out, StrView text) {
    strbuf_add_byte(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.ptr[i];
        if (byte == '"' || byte == '\\') {
            strbuf_add_byte(out, '\\');
            strbuf_add_byte(out, (char)byte);
        } else if (byte < 0x20 || byte == 0x7f) {
            strbuf_addf(out, "\\u%04x", byte);
        } else {
            strbuf_add_byte(out, (char)byte);
        }
    }
    strbuf_add_byte(out, '"');
}

static void add_key(StrBuf *out, const char *key) {
    if (out->len > 0 && out->ptr[out->len - 1] != '{') {
        strbuf_add_byte(out, ',');
    }
    add_quoted(out, sv_from(key));
    strbuf_add_byte(out, ':');
}

void json_begin(StrBuf *out) {
    strbuf_add_byte(out, '{');
}

void json_add_text(StrBuf *out, const char *key, StrView value) {
    add_key(out, key);
    add_quoted(out, value);
}

void json_add_i64(StrBuf *out, const char *key, int64_t value) {
    add_key(out, key);
    strbuf_add_i64(out, value);
}

void json_end(StrBuf *out) {
    strbuf_add_str(out, "}\n");
}

/* Where reading stands in a line. */
typedef struct Cursor {
    StrView rest;
} Cursor;

static void skip_blanks(Cursor *cursor) {
    while (cursor->rest.len > 0 && (cursor->rest.ptr[0] == ' ' || cursor->rest.ptr[0] == '\t')) {
        cursor->rest = sv_skip(cursor->rest, 1);
    }
}

/* Takes `byte` and the blanks before it. */
static bool take_byte(Cursor *cursor, char byte) {
    skip_blanks(cursor);
    if (cursor->rest.len == 0 || cursor->rest.ptr[0] != byte) {
        return false;
    }
    cursor->rest = sv_skip(cursor->rest, 1);
    return true;
}

/* Takes a quoted text; *raw is what stands between the quotes, escapes and all. */
static bool take_quoted(Cursor *cursor, StrView *raw) {
    if (!take_byte(cursor, '"')) {
        return false;
    }
    for (size_t i = 0; i < cursor->rest.len; i++) {
        if (cursor->rest.ptr[i] == '"') {
            *raw = sv_take(cursor->rest, i);
            cursor->rest = sv_skip(cursor->rest, i + 1);
            return true;
        }
        i += cursor->rest.ptr[i] == '\\';
    }
    return false;
}

/* Takes a number or a word such as true. */
static bool take_bare(Cursor *cursor, StrView *raw) {
    size_t len = 0;
    skip_blanks(cursor);
    while (len < cursor->rest.len && cursor->rest.ptr[len] != ',' && cursor->rest.ptr[len] != '}') {
        len++;
    }
    *raw = sv_trim(sv_take(cursor->rest, len));
    cursor->rest = sv_skip(cursor->rest, len);
    return raw->len > 0 && sv_find_byte(*raw, '{') == raw->len &&
           sv_find_byte(*raw, '"') == raw->len;
}

/* A field as it stands in the line. */
typedef struct Field {
    StrView key;
    StrView value;
    bool is_text;
} Field;

static bool take_field(Cursor *cursor, Field *field) {
    if (!take_quoted(cursor, &field->key) || !take_byte(cursor, ':')) {
        return false;
    }
    skip_blanks(cursor);
    field->is_text = cursor->rest.len > 0 && cursor->rest.ptr[0] == '"';
    return field->is_text ? take_quoted(cursor, &field->value) : take_bare(cursor, &field->value);
}

/* Walks over the object. With a key: true when its field was found. Without: true when the object
 * is whole. */
static bool walk(StrView line, const char *key, Field *field) {
    Cursor cursor = {line};
    if (!take_byte(&cursor, '{')) {
        return false;
    }
    if (take_byte(&cursor, '}')) {
        return key == NULL && sv_trim(cursor.rest).len == 0;
    }
    do {
        if (!take_field(&cursor, field)) {
            return false;
        }
        if (key != NULL && sv_equal(field->key, sv_from(key))) {
            return true;
        }
    } while (take_byte(&cursor, ','));
    return key == NULL && take_byte(&cursor, '}') && sv_trim(cursor.rest).len == 0;
}

bool json_is_object(StrView line) {
    Field field;
    return walk(line, NULL, &field);
}

static int hex_digit(char byte) {
    if (byte >= '0' && byte <= '9') {
        return byte - '0';
    }
    char lower = (char)(byte | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Four hexadecimal digits at the front of text; -1 when they are not. */
static int read_hex4(StrView text) {
    int value = 0;
    for (size_t i = 0; i < 4; i++) {
        int digit = i < text.len ? hex_digit(text.ptr[i]) : -1;
        if (digit < 0) {
            return -1;
        }
        value = value * 16 + digit;
    }
    return value;
}

/* Appends a code point below 0x10000 as UTF-8. */
static void add_utf8(StrBuf *out, int code) {
    if (code < 0x80) {
        strbuf_add_byte(out, (char)code);
    } else if (code < 0x800) {
        strbuf_add_byte(out, (char)(0xc0 | code >> 6));
        strbuf_add_byte(out, (char)(0x80 | (code & 0x3f)));
    } else {
        strbuf_add_byte(out, (char)(0xe0 | code >> 12));
        strbuf_add_byte(out, (char)(0x80 | (code >> 6 & 0x3f)));
        strbuf_add_byte(out, (char)(0x80 | (code & 0x3f)));
    }
}

/* Appends raw with its escapes resolved. */
static bool unescape(StrView raw, StrBuf *out) {
    static const char letters[] = "\"\\/bfnrt";
    static const char meant[] = "\"\\/\b\f\n\r\t";
    for (size_t i = 0; i < raw.len; i++) {
        if (raw.ptr[i] != '\\') {
            strbuf_add_byte(out, raw.ptr[i]);
            continue;
        }
        i++;
        if (i < raw.len && raw.ptr[i] == 'u') {
            int code = read_hex4(sv_skip(raw, i + 1));
            if (code < 0 || (code >= 0xd800 && code < 0xe000)) {
                return false;
            }
            add_utf8(out, code);
            i += 4;
            continue;
        }
        size_t letter = i < raw.len ? sv_find_byte(SV(letters), raw.ptr[i]) : sizeof(letters);
        if (letter >= sizeof(letters) - 1) {
            return false;
        }
        strbuf_add_byte(out, meant[letter]);
    }
    return true;
}

bool json_get_text(StrView line, const char *key, StrBuf *value) {
    Field field;
    return walk(line, key, &field) && field.is_text && unescape(field.value, value);
}

bool json_get_i64(StrView line, const char *key, int64_t low, int64_t high, int64_t *value) {
    Field field;
    return walk(line, key, &field) && !field.is_text && sv_to_i64(field.value, low, high, value);
}
