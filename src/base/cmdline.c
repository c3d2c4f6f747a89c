/* cmdline.c: parses words by a table of options, and prints usage, help and manual paragraphs
 * from the same table. */
#include "base/cmdline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xmem.h"

/* Messages show at most this many bytes of a word, or of the end of a path. */
#define QUOTE_MAX  40
#define PATH_SHOWN 80

/* Higher limits are not printed. */
#define NAMED_MAX 1e12

/* The column where the help of an option begins. */
#define HELP_COLUMN 22

/* Width of help lines in columns. */
#define HELP_WIDTH 100

static bool has_option(const ArgCommand *command, const ArgOption *option) {
    return command->bit == 0 || option->commands == 0 || (option->commands & command->bit) != 0;
}

static bool has_key(const ArgOption *option, const ArgOption *key) {
    return key->commands == 0 || (key->commands & option->commands) != 0;
}

static bool is_operand(const ArgOption *option) {
    return option->name[0] != '-';
}

static bool has_value(const ArgOption *option) {
    return option->kind != ARG_FLAG && option->kind != ARG_NO;
}

static bool has_number(const ArgOption *option) {
    return option->kind >= ARG_INT && option->kind <= ARG_SECONDS;
}

static void *place_of(const ArgOption *option, void *request) {
    return (char *)(option->fixed != NULL ? option->fixed : request) + option->place;
}

/* The text buffer of an option that stores text; NULL for other options. */
static StrBuf *text_of(const ArgOption *option, void *request) {
    void *place = place_of(option, request);
    return option->kind == ARG_FILE     ? &((ArgFile *)place)->path
           : option->kind == ARG_STRING ? place
                                        : NULL;
}

/* The result is also empty if `value` is not a list such as "a|b". */
StrView cmdline_choice(const ArgOption *option, int index) {
    StrView value = sv_from(option->value);
    return option->word != NULL                   ? sv_from(option->word(index))
           : sv_find_byte(value, '|') < value.len ? sv_field(value, '|', index)
                                                  : (StrView){NULL, 0};
}

/* Appends the name of the option's value. Returns false if there is none. */
static bool add_name(const ArgOption *option, StrBuf *out) {
    for (int i = 0; option->word != NULL && option->word(i) != NULL; i++) {
        strbuf_add_str(out, i > 0 ? "|" : "");
        strbuf_add_str(out, option->word(i));
    }
    strbuf_add(out, sv_from(option->value));
    return option->word != NULL || option->value != NULL;
}

/* ---- Messages. ---- */

void cmdline_quote(StrView word, StrBuf *out) {
    bool is_path = sv_has_byte(word, '/') || sv_has_byte(word, '\\');
    strbuf_add_byte(out, '\'');
    if (is_path && word.len > PATH_SHOWN) {
        StrView end = sv_skip(word, word.len - PATH_SHOWN);
        while (end.len > 0 && ((unsigned char)end.ptr[0] & 0xC0) == 0x80) {
            end = sv_skip(end, 1); /* the middle of a character */
        }
        strbuf_add_str(out, "...");
        utf8_append_printable(out, end);
    } else if (!is_path && word.len > QUOTE_MAX) {
        utf8_append_printable(out, utf8_cut(word, QUOTE_MAX));
        strbuf_add_str(out, "...");
    } else {
        utf8_append_printable(out, word);
    }
    strbuf_add_byte(out, '\'');
}

/* True if the option's number has a lower bound, but no upper bound that is worth naming. */
static bool is_open_range(const ArgOption *option) {
    return option->high > NAMED_MAX || (option->kind == ARG_U64 && option->low >= option->high);
}

/* Appends the range, such as "from 1 to 512" or "at least 1", or nothing if there is none. */
static void add_range(const ArgOption *option, const char *before, StrBuf *out) {
    if (is_open_range(option)) {
        strbuf_addf(out, "%sat least %.12g", before, option->low);
    } else if (option->low < option->high) {
        strbuf_addf(out, "%sfrom %.12g to %.12g", before, option->low, option->high);
    }
}

static bool refuse_word(const ArgOption *option, const char *word, StrBuf *fault) {
    bool takes_none = !has_number(option) &&
                      (!has_value(option) || (option->value == NULL && option->word == NULL));
    strbuf_addf(fault, "%s %s ", option->name, takes_none ? "takes" : "needs");
    switch (option->kind) {
    case ARG_INT:
    case ARG_I64:
    case ARG_U64:
        strbuf_add_str(fault, "a whole number");
        break;
    case ARG_FRACTION:
        strbuf_add_str(fault, "a number");
        break;
    case ARG_SECONDS:
        strbuf_add_str(fault, "seconds");
        break;
    default:
        if (takes_none || !add_name(option, fault)) {
            strbuf_add_str(fault, "no value");
        }
    }
    add_range(option, is_open_range(option) ? " of " : " ", fault);
    if (word != NULL) {
        strbuf_add_str(fault, takes_none ? ": " : ", not ");
        cmdline_quote(sv_from(word), fault);
    }
    return false;
}

/* ---- Values. ---- */

/* The index of the word among those that the option accepts. */
static bool read_choice(const ArgOption *option, StrView text, int *number) {
    for (int i = 0; cmdline_choice(option, i).len > 0; i++) {
        if (sv_equal_nocase(cmdline_choice(option, i), text)) {
            *number = i;
            return true;
        }
    }
    return false;
}

static bool read_file(const ArgOption *option, const char *word, ArgFile *file, StrBuf *fault) {
    const char *why = file->accept != NULL ? file->accept(file->context, word) : NULL;
    if (why != NULL) {
        strbuf_addf(fault, "%s: %s", option->name, why);
        if (word[0] != '\0') {
            strbuf_add_byte(fault, ' ');
            cmdline_quote(sv_from(word), fault);
        }
        return false;
    }
    strbuf_clear(&file->path);
    strbuf_add_str(&file->path, word);
    return true;
}

static bool read_key(const ArgOption *option, const char *word, void *request, StrBuf *fault) {
    StrView text = sv_from(word);
    size_t at = sv_find_byte(text, '=');
    const ArgOption *key = option->keys;
    while (key->name != NULL && !sv_equal(sv_prefix(text, at), sv_from(key->name))) {
        key++;
    }
    if (key->name == NULL || !has_key(option, key)) {
        strbuf_addf(fault, "%s: unknown key ", option->name);
        cmdline_quote(sv_from(word), fault);
        return false;
    }
    const char *value = word + (at < text.len ? at + 1 : at);
    if (key->kind != ARG_FLAG) {
        return cmdline_read_value(key, value, request, fault);
    }
    /* A key that is a flag may have no value, or the value "on" or "off". */
    StrView state = sv_from(value);
    bool is_on = state.len == 0 || sv_equal(state, SV("on")) || sv_equal(state, SV("true"));
    *(bool *)place_of(key, request) = is_on;
    return is_on || sv_equal(state, SV("off")) || sv_equal(state, SV("false")) ||
           refuse_word(key, value, fault);
}

static bool read_plain(const ArgOption *option, StrView text, void *place) {
    enum { MAX_PARTS = 1000000 };
    ArgPart *part = place;
    size_t slash;
    int number;
    double seconds;
    double most = option->high > option->low ? option->high : 0;
    switch (option->kind) {
    case ARG_INT:
        return sv_to_int(text, (int)option->low, (int)option->high, place);
    case ARG_I64:
        return sv_to_i64(text, (int64_t)option->low, (int64_t)option->high, place);
    case ARG_U64:
        return sv_to_u64(text, (uint64_t)option->low, most > 0 ? (uint64_t)most : UINT64_MAX,
                         place);
    case ARG_FRACTION:
        return sv_to_double(text, option->low, option->high, place);
    case ARG_SECONDS:
        if (!sv_to_double(text, option->low, option->high, &seconds)) {
            return false;
        }
        *(int64_t *)place = (int64_t)ceil(seconds * 1000 - 1e-6);
        return true;
    case ARG_CHOICE:
        return read_choice(option, text, place);
    case ARG_BOOL:
        if (!read_choice(option, text, &number)) {
            return false;
        }
        *(bool *)place = number == 0;
        return true;
    case ARG_STRING:
        strbuf_clear(place);
        strbuf_add(place, text);
        return true;
    case ARG_PART:
        slash = sv_find_byte(text, '/');
        return slash < text.len &&
               sv_to_int(sv_skip(text, slash + 1), 1, MAX_PARTS, &part->count) &&
               sv_to_int(sv_prefix(text, slash), 1, part->count, &part->number);
    default:
        *(const char **)place = text.ptr;
        return text.len > 0;
    }
}

bool cmdline_read_value(const ArgOption *option, const char *word, void *request, StrBuf *fault) {
    if (option->kind == ARG_KEYS) {
        return read_key(option, word, place_of(option, request), fault);
    }
    if (option->kind == ARG_FILE) {
        return read_file(option, word, place_of(option, request), fault);
    }
    bool is_read = option->kind == ARG_OTHER
                       ? option->read(word, request)
                       : read_plain(option, sv_from(word), place_of(option, request));
    return is_read || fault->len > 0 || refuse_word(option, word, fault);
}

static double default_of(const ArgOption *option) {
    return option->most_start != NULL ? fmin(option->start, option->most_start()) : option->start;
}

static void set_default(const ArgOption *option, void *request) {
    void *place = place_of(option, request);
    StrBuf *text = text_of(option, request);
    if (text != NULL) {
        strbuf_clear(text);
        strbuf_add(text, sv_from(option->text));
        return;
    }
    switch (option->kind) {
    case ARG_FLAG:
    case ARG_NO:
        *(bool *)place = option->kind == ARG_NO;
        break;
    case ARG_INT:
    case ARG_CHOICE:
        *(int *)place = (int)default_of(option);
        break;
    case ARG_BOOL:
        *(bool *)place = option->start != 0;
        break;
    case ARG_PART:
        *(ArgPart *)place = (ArgPart){(int)option->start, (int)option->start};
        break;
    case ARG_I64:
    case ARG_SECONDS:
        *(int64_t *)place = (int64_t)(option->start * (option->kind == ARG_SECONDS ? 1000 : 1));
        break;
    case ARG_U64:
        *(uint64_t *)place = (uint64_t)option->start;
        break;
    case ARG_FRACTION:
        *(double *)place = option->start;
        break;
    case ARG_TEXT:
        *(const char **)place = NULL;
        break;
    default:
        break;
    }
}

void cmdline_set_defaults(const ArgOption *options, int count, void *request) {
    for (int i = 0; i < count; i++) {
        set_default(&options[i], request);
    }
}

void cmdline_free_texts(const ArgOption *options, int count, void *request) {
    for (int i = 0; i < count; i++) {
        if (text_of(&options[i], request) != NULL) {
            strbuf_free(text_of(&options[i], request));
        }
    }
}

static void add_option_number(const ArgOption *option, double number, StrBuf *out) {
    if (option->kind == ARG_BOOL || option->kind == ARG_CHOICE) {
        strbuf_add(out,
                   cmdline_choice(option, option->kind == ARG_BOOL ? number == 0 : (int)number));
    } else {
        strbuf_addf(out, "%.12g", number);
    }
}

void cmdline_add_default(const ArgOption *option, StrBuf *out) {
    if (option->kind == ARG_STRING || option->kind == ARG_FILE) {
        strbuf_add(out, sv_from(option->text));
    } else {
        add_option_number(option, default_of(option), out);
    }
}

void cmdline_add_value(const ArgOption *option, const void *request, StrBuf *out) {
    void *place = place_of(option, (void *)request);
    const StrBuf *text = text_of(option, (void *)request);
    if (text != NULL) {
        strbuf_add(out, strbuf_view(text));
        return;
    }
    add_option_number(option,
                      option->kind == ARG_BOOL  ? (double)*(bool *)place
                      : option->kind == ARG_U64 ? (double)*(uint64_t *)place
                                                : (double)*(int *)place,
                      out);
}

/* ---- Reading. ---- */

static StrView without_dashes(StrView name) {
    return sv_skip(name, sv_starts_with(name, SV("--")) ? 2 : 1);
}

static const ArgOption *find_option(const ArgCommand *command, StrView name) {
    for (int i = 0; i < command->option_count; i++) {
        const ArgOption *option = &command->options[i];
        StrView own = sv_from(option->name);
        bool is_it = command->has_lists ? sv_equal(without_dashes(name), without_dashes(own))
                                        : sv_equal(name, own);
        if (is_it && !is_operand(option) && has_option(command, option)) {
            return option;
        }
    }
    return NULL;
}

static const ArgOption *find_operand(const ArgCommand *command, int number) {
    for (int i = 0; i < command->option_count; i++) {
        const ArgOption *option = &command->options[i];
        if (is_operand(option) && has_option(command, option) && number-- == 0) {
            return option;
        }
    }
    return NULL;
}

/* True if the word is an option. A dash alone is an operand: standard input, or an empty hand. */
static bool is_option(const char *word) {
    return word[0] == '-' && word[1] != '\0';
}

/* Reads an option of a command with lists, and its words. */
static bool read_words(const ArgOption *option, const Args *values, void *request, StrBuf *fault) {
    if (option->kind == ARG_LIST) {
        ArgList *list = place_of(option, request);
        list->items = xmem_grow(list->items, &list->cap, (size_t)list->count + 1, sizeof(Args));
        list->items[list->count++] = *values;
        return true;
    }
    bool takes_any = option->kind == ARG_KEYS || option->kind == ARG_OTHER;
    if (!has_value(option)) {
        *(bool *)place_of(option, request) = option->kind == ARG_FLAG;
        return values->count == 0 || refuse_word(option, values->words[0], fault);
    }
    if (!takes_any && values->count != 1) {
        return refuse_word(option, values->count > 1 ? values->words[1] : NULL, fault);
    }
    for (int i = 0; i < values->count; i++) {
        if (!cmdline_read_value(option, values->words[i], request, fault)) {
            return false;
        }
    }
    return values->count > 0 || option->kind != ARG_OTHER ||
           cmdline_read_value(option, NULL, request, fault);
}

/* Reads the option at args->words[at]. Returns the number of words used, or 0 on failure. */
static int read_option(const ArgCommand *command, const Args *args, int at, void *request,
                       StrBuf *fault) {
    const char *word = args->words[at];
    StrView name = sv_from(word);
    size_t equals = command->has_lists ? name.len : sv_find_byte(name, '=');
    const ArgOption *option = find_option(command, sv_prefix(name, equals));
    if (option == NULL) {
        strbuf_add_str(fault, "unknown option ");
        cmdline_quote(sv_from(word), fault);
        return 0;
    }
    Args values = {0, args->words + at + 1};
    const char *inside = word + equals + 1;
    int taken = 1;
    if (command->has_lists) {
        while (at + taken < args->count && !is_option(args->words[at + taken])) {
            taken++;
        }
        values.count = taken - 1;
    } else if (equals < name.len) {
        values = (Args){1, &inside};
    } else if (has_value(option) && at + 1 < args->count) {
        values.count = 1;
        taken = 2;
    } else if (has_value(option)) {
        (void)refuse_word(option, NULL, fault);
        return 0;
    }
    bool is_first = true;
    for (int i = 0; i < at; i++) {
        is_first &=
            !is_option(args->words[i]) || find_option(command, sv_from(args->words[i])) != option;
    }
    if (option->kind == ARG_KEYS && is_first) {
        for (const ArgOption *key = option->keys; key->name != NULL; key++) {
            set_default(key, place_of(option, request));
        }
    }
    return read_words(option, &values, request, fault) ? taken : 0;
}

bool cmdline_read(const ArgCommand *command, Args *args, void *request, StrBuf *fault) {
    for (int i = 0; i < command->option_count; i++) {
        if (has_option(command, &command->options[i])) {
            set_default(&command->options[i], request);
        }
    }
    bool is_open = true; /* no "--" has been read: options may still follow */
    int operands = 0, left = 0;
    for (int at = 0; at < args->count;) {
        const char *word = args->words[at];
        const ArgOption *operand = find_operand(command, operands);
        if (is_open && sv_equal(sv_from(word), SV("--"))) {
            is_open = false;
            at++;
        } else if (is_open && is_option(word) &&
                   !(operand != NULL && has_number(operand) && str_is_digit(word[1]))) {
            /* A dash and a digit are a negative number if an operand takes one; no option's name
             * begins with a digit. */
            int taken = read_option(command, args, at, request, fault);
            if (taken == 0) {
                return false;
            }
            at += taken;
        } else {
            operands++;
            if (operand == NULL) {
                args->words[left++] = word;
            } else if (!cmdline_read_value(operand, word, request, fault)) {
                return false;
            }
            at++;
        }
    }
    args->count = left;
    return true;
}

/* ---- Words. ---- */

void cmdline_join(const Args *args, int skip, StrBuf *out) {
    for (int i = skip; i < args->count; i++) {
        strbuf_add_str(out, i > skip ? " " : "");
        strbuf_add_str(out, args->words[i]);
    }
}

/* Allocates one block: first the pointers, then the text with a NUL after each word. */
Args cmdline_split(StrView line) {
    size_t most = line.len / 2 + 1;
    char *block = xmem_alloc(most, sizeof(char *) + 2);
    Args args = {0, (const char **)(void *)block};
    char *text = block + most * sizeof(char *);
    Tokenizer tok = {line};
    StrView word;
    while (tok_peek(&tok).len > 0) {
        if (sv_starts_with(tok_peek(&tok), SV("\""))) {
            StrView inside = sv_skip(tok_rest(&tok), 1);
            word = sv_prefix(inside, sv_find_byte(inside, '"'));
            tok.rest = sv_skip(inside, word.len + 1);
        } else {
            (void)tok_next(&tok, &word);
        }
        args.words[args.count++] = text;
        memcpy(text, word.ptr, word.len);
        text[word.len] = '\0';
        text += word.len + 1;
    }
    return args;
}

void cmdline_free_words(Args *args) {
    free((void *)args->words);
    *args = (Args){0, NULL};
}

/* ---- Output. ---- */

void cmdline_usage(const ArgCommand *command, const char *program, StrBuf *out) {
    bool has_options = false;
    for (int i = 0; i < command->option_count; i++) {
        const ArgOption *option = &command->options[i];
        has_options = has_options || (!is_operand(option) && has_option(command, option));
    }
    strbuf_addf(out, "usage: %s%s%s%s", program != NULL ? program : "", program != NULL ? " " : "",
                command->name, has_options ? " [OPTION ...]" : "");
    if (command->operands != NULL) {
        strbuf_addf(out, " %s", command->operands);
    }
}

/* The help text, followed by default and range: "threads (default 1, from 1 to 512)". After a text
 * that ends in parentheses of its own, the range follows a comma. */
static void add_meaning(const ArgOption *option, StrBuf *out) {
    StrView help = sv_from(option->help != NULL ? option->help : "");
    bool is_number = has_number(option);
    strbuf_add(out, help);
    if (is_number && option->start >= option->low && option->start > 0) {
        strbuf_addf(out, " (default %.12g", option->start);
        add_range(option, ", ", out);
        strbuf_add_byte(out, ')');
    } else if (is_number && help.len > 0 && help.ptr[help.len - 1] != ')') {
        size_t end = out->len;
        add_range(option, " (", out);
        strbuf_add_str(out, out->len > end ? ")" : "");
    } else if (is_number) {
        add_range(option, help.len > 0 ? ", " : "", out);
    }
}

/* Appends the words of text, which begins at column `indent`. Starts a new line with `indent`
 * spaces before each word that would exceed HELP_WIDTH. */
static void add_wrapped(StrView text, size_t indent, StrBuf *out) {
    Tokenizer tok = {text};
    StrView word;
    size_t column = indent;
    while (tok_next(&tok, &word)) {
        if (column > indent && column + 1 + word.len > HELP_WIDTH) {
            strbuf_addf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            strbuf_add_byte(out, ' ');
            column++;
        }
        strbuf_add(out, word);
        column += word.len;
    }
}

/* Appends a line with the option's synopsis, such as "--threads N", "score=S" or "DEPTH", in the
 * first column and its meaning in the second. */
static void add_columns(const ArgOption *option, const char *indent, bool is_key, StrView meaning,
                        StrBuf *out) {
    size_t begin = out->len;
    strbuf_add_str(out, indent);
    strbuf_add_str(out, option->name);
    if ((option->value != NULL || option->word != NULL) && (is_key || !is_operand(option))) {
        strbuf_add_byte(out, is_key ? '=' : ' ');
        (void)add_name(option, out);
    }
    bool is_long = out->len - begin > HELP_COLUMN - 2;
    if (is_long) {
        strbuf_add_byte(out, '\n');
        begin = out->len;
    }
    while (out->len - begin < HELP_COLUMN) {
        strbuf_add_byte(out, ' ');
    }
    add_wrapped(meaning, HELP_COLUMN, out);
    strbuf_add_byte(out, '\n');
}

static void add_help_line(const ArgOption *option, bool is_key, StrBuf *out) {
    StrBuf meaning = STRBUF_INIT;
    add_meaning(option, &meaning);
    add_columns(option, is_key ? "      " : "  ", is_key, strbuf_view(&meaning), out);
    strbuf_free(&meaning);
    for (const ArgOption *key = option->keys; key != NULL && key->name != NULL; key++) {
        if (has_key(option, key)) {
            add_help_line(key, true, out);
        }
    }
}

void cmdline_help(const ArgCommand *command, const char *program, StrBuf *out) {
    StrView lines = sv_from(command->help);
    StrView line;
    cmdline_usage(command, program, out);
    strbuf_add_byte(out, '\n');
    while (sv_next_field(&lines, '\n', &line)) {
        add_wrapped(line, 0, out);
        strbuf_add_byte(out, '\n');
    }
    for (int i = 0; i < command->option_count; i++) {
        if (has_option(command, &command->options[i])) {
            add_help_line(&command->options[i], false, out);
        }
    }
}

void cmdline_add_setting(const ArgOption *option, StrBuf *out) {
    StrBuf meaning = STRBUF_INIT;
    strbuf_addf(&meaning, "%s (default ", option->help);
    size_t len = meaning.len;
    cmdline_add_default(option, &meaning);
    strbuf_add_str(&meaning, meaning.len > len ? "" : "empty");
    add_range(option, ", ", &meaning);
    strbuf_add_byte(&meaning, ')');
    add_columns(option, "  ", true, strbuf_view(&meaning), out);
    strbuf_free(&meaning);
}

const char *cmdline_table_head(void) {
    return "| option | default | values | meaning |\n|---|---|---|---|\n";
}

void cmdline_add_manual_row(const ArgOption *option, StrBuf *out) {
    strbuf_addf(out, "| `%s` | `", option->name);
    size_t len = out->len;
    if (option->most_start != NULL) {
        strbuf_addf(out, "up to %.12g", option->start);
    } else {
        cmdline_add_default(option, out);
    }
    strbuf_add_str(out, out->len > len ? "` | " : "<empty>` | ");
    if (option->low < option->high) {
        strbuf_addf(out, "%.12g to %.12g ", option->low, option->high);
    }
    for (int i = 0; option->kind == ARG_CHOICE && cmdline_choice(option, i).len > 0; i++) {
        strbuf_add_str(out, i > 0 ? ", `" : "`");
        strbuf_add(out, cmdline_choice(option, i));
        strbuf_add_byte(out, '`');
    }
    strbuf_addf(out, "%s| %s |\n", option->kind == ARG_CHOICE ? " " : "", option->help);
}

/* Appends text for a manual page. A dash that the user types is written \- there. */
static void add_roff(const char *text, StrBuf *out) {
    for (; *text != '\0'; text++) {
        strbuf_add_str(out, *text == '-' || *text == '\\' ? "\\" : "");
        strbuf_add_byte(out, *text);
    }
}

static void add_manual_line(const ArgOption *option, bool is_key, StrBuf *out) {
    StrBuf text = STRBUF_INIT;
    strbuf_add_str(out, ".TP\n.B ");
    add_roff(option->name, out);
    if (add_name(option, &text)) {
        strbuf_add_str(out, is_key ? "=\\fI" : " \\fI");
        add_roff(text.ptr, out);
        strbuf_add_str(out, "\\fR");
    }
    strbuf_clear(&text);
    strbuf_add_byte(out, '\n');
    add_meaning(option, &text);
    add_roff(text.ptr != NULL ? text.ptr : "", out);
    strbuf_add_str(out, "\n");
    strbuf_free(&text);
    if (option->keys != NULL) {
        strbuf_add_str(out, ".RS\n");
        for (const ArgOption *key = option->keys; key->name != NULL; key++) {
            if (has_key(option, key)) {
                add_manual_line(key, true, out);
            }
        }
        strbuf_add_str(out, ".RE\n");
    }
}

bool cmdline_answer(const ArgCommand *const *commands, const char *program, const Args *args,
                    StrBuf *out) {
    StrView first = sv_from(args->count > 0 ? args->words[0] : "");
    if (sv_equal(first, SV("--man"))) {
        for (; *commands != NULL; commands++) {
            const ArgCommand *command = *commands;
            const char *operands = command->operands;
            if (program != NULL) {
                strbuf_addf(out, ".SS \"%s%s%s\"\n%s\n", command->name, operands != NULL ? " " : "",
                            operands != NULL ? operands : "", command->help);
            }
            for (int i = 0; i < command->option_count; i++) {
                if (has_option(command, &command->options[i])) {
                    add_manual_line(&command->options[i], false, out);
                }
            }
        }
        return true;
    }
    bool asks_for_help = false;
    for (int i = 0; i < args->count && !asks_for_help; i++) {
        StrView word = sv_from(args->words[i]);
        if (sv_equal(word, SV("--"))) {
            break;
        }
        asks_for_help =
            sv_equal(word, SV("--help")) || sv_equal(word, SV("-help")) || sv_equal(word, SV("-h"));
    }
    for (; asks_for_help && *commands != NULL; commands++) {
        if (program == NULL || sv_equal(first, sv_from((*commands)->name))) {
            cmdline_help(*commands, program, out);
            return true;
        }
    }
    return false;
}
