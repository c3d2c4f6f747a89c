/* cmdline.h: parses options: the arguments of a command, from argv or from a line of text, and the
 * engine's options (engine/options.h).
 *
 * Options are described by a table: the name of each option, its type and range, where its value
 * is stored, and its help text. The same table parses the words and prints usage, help, the option
 * lists of manual pages and shell completions:
 *
 *     #define AT(kind, member) ARG_AT(Request, kind, member)
 *     static const ArgOption options[] = {
 *         {"--threads", "N", AT(ARG_INT, threads), 1, 512, .start = 1,
 *          .help = "threads to count with"},
 *         {"--divide", NULL, AT(ARG_FLAG, is_divided), .help = "..."},
 *         {"DEPTH", NULL, AT(ARG_INT, depth), 0, 20, .start = -1, .help = "..."},
 *     };
 *     static const ArgCommand command = {"perft", "DEPTH [SFEN]", "count move sequences",
 *                                        ARG_OPTIONS(options)};
 *     Request request = {...};
 *     if (!cmdline_read(&command, &args, &request, &fault)) { ... say fault.ptr ... }
 *
 * Options may appear anywhere; `--` ends them; `--name=value` is `--name value`. An entry whose
 * name has no dash is an operand. Words that are not options fill the operands in order, and the
 * rest stays in *args. Values only; safe from every thread. */
#ifndef KMD_BASE_CMDLINE_H
#define KMD_BASE_CMDLINE_H

#include <stddef.h>

#include "base/str.h"

/* Words that end in a NUL; owned elsewhere. */
typedef struct Args {
    int count;
    const char **words;
} Args;

/* All occurrences of an option with their words. Free `items`. */
typedef struct ArgList {
    Args *items;
    int count;
    size_t cap;
} ArgList;

typedef enum ArgKind {
    ARG_FLAG,     /* bool, set to true; no value */
    ARG_NO,       /* bool, set to false; no value; true without the option */
    ARG_INT,      /* int */
    ARG_I64,      /* int64_t */
    ARG_U64,      /* uint64_t; `high` 0 is no limit */
    ARG_FRACTION, /* double */
    ARG_SECONDS,  /* int64_t milliseconds, rounded up; typed as seconds, also with a fraction */
    ARG_TEXT,     /* const char *, not empty */
    ARG_CHOICE,   /* int or enum: the index of the word among those of `value`, "a|b|c", from 0;
                     upper and lower case are equal */
    ARG_BOOL,     /* bool; typed as one of `value`, "true|false" */
    ARG_STRING,   /* StrBuf, may be empty */
    ARG_FILE,     /* ArgFile, may be empty */
    ARG_PART,     /* ArgPart; typed as I/N, 1 <= I <= N; both are `start` without the option */
    ARG_KEYS,     /* words key=value, each read by the entry of `keys` with that name */
    ARG_LIST,     /* ArgList */
    ARG_OTHER     /* read by the function `read` */
} ArgKind;

/* Part `number`, from 1, of `count` parts. */
typedef struct ArgPart {
    int number, count;
} ArgPart;

/* The name of a file, and the function that may reject a new one. */
typedef struct ArgFile {
    StrBuf path;
    /* Called before `path` changes; returns NULL to accept, or the reason to reject it (static
     * storage). NULL: every path is accepted. */
    const char *(*accept)(void *context, const char *path);
    void *context;
} ArgFile;

/* Reads a value into the caller's struct; returns false if it is invalid. word is NULL if an option
 * of a command with lists has none. */
typedef bool ArgReader(const char *word, void *request);

/* The words that an option accepts, from 0; NULL after the last. */
typedef const char *ArgWord(int index);

typedef struct ArgOption {
    const char *name;  /* "--threads"; an operand "DEPTH"; a key "score" */
    const char *value; /* name of the value, "N"; NULL: no value, or an operand */
    ArgKind kind;
    size_t place;     /* where the value goes in the caller's struct (offsetof) */
    double low, high; /* the range of numbers, fractions and seconds */
    double start; /* default of numbers, choices and bools; for keys: the value if their option is
                     given without the key */
    const char *help;  /* its meaning; range and default are added if there are any */
    unsigned commands; /* bits of the commands that have it; 0: all */
    ArgReader *read;
    ArgWord *word; /* instead of `value`: the words of a table that is defined elsewhere */
    const struct ArgOption *keys; /* the last entry has no name */
    int (*most_start)(void);      /* the default is at most this; NULL: `start` alone */
    const char *text;             /* the default of ARG_STRING and ARG_FILE; NULL: empty */
    void *fixed;                  /* the base of `place`; NULL: the caller's struct */
} ArgOption;

/* The place of a member, which must have this type; otherwise it does not compile. */
#define ARG_PLACE(owner, member, type)                                                             \
    _Generic(((owner *)0)->member, type : offsetof(owner, member))

/* The kind and the place of an entry, for a member with the type of that kind. */
#define ARG_AT(owner, kind, member) kind, ARG_PLACE(owner, member, kind##_TYPE)
#define ARG_FLAG_TYPE               bool
#define ARG_NO_TYPE                 bool
#define ARG_INT_TYPE                int
#define ARG_I64_TYPE                int64_t
#define ARG_U64_TYPE                uint64_t
#define ARG_FRACTION_TYPE           double
#define ARG_SECONDS_TYPE            int64_t
#define ARG_TEXT_TYPE               const char *
#define ARG_CHOICE_TYPE             int
#define ARG_PART_TYPE               ArgPart
#define ARG_LIST_TYPE               ArgList

typedef struct ArgCommand {
    const char *name;     /* "perft"; for a program without commands, its own name */
    const char *operands; /* for the usage: "DEPTH [SFEN]"; NULL: none */
    const char *help;     /* what it does: one or more lines */
    const ArgOption *options;
    int option_count;
    unsigned bit;   /* this command's among ArgOption.commands; 0: it has all of them */
    bool has_lists; /* an option takes all words up to the next option; one dash or two are
                       equivalent */
} ArgCommand;

#define ARG_OPTIONS(table) .options = (table), .option_count = (int)COUNTOF(table)

/* Removes options and operands from *args and stores their values, or the defaults, in *request.
 * The other words stay in *args, in order. On failure returns false, with a sentence about the
 * invalid word in *fault. Texts point into the words. Members without a default (ARG_KEYS,
 * ARG_LIST, ARG_OTHER) keep their contents. */
bool cmdline_read(const ArgCommand *command, Args *args, void *request, StrBuf *fault) MUST_CHECK;

/* Reads one value for an entry. Returns false with a sentence in *fault on failure. */
bool cmdline_read_value(const ArgOption *option, const char *word, void *request,
                        StrBuf *fault) MUST_CHECK;

/* Stores every default; frees all texts. */
void cmdline_set_defaults(const ArgOption *options, int count, void *request);
void cmdline_free_texts(const ArgOption *options, int count, void *request);

/* Appends the value of an option, or its default, as text: numbers and choices, true and false,
 * texts and names of files. */
void cmdline_add_value(const ArgOption *option, const void *request, StrBuf *out);
void cmdline_add_default(const ArgOption *option, StrBuf *out);

/* Word number `index`, from 0, of those that an option accepts; empty after the last. */
StrView cmdline_choice(const ArgOption *option, int index);

/* Appends 'word' in quotes, for messages: without control characters, and cut if it is long. */
void cmdline_quote(const char *word, StrBuf *out);

/* All words after the first `skip`, joined by spaces. */
void cmdline_join(const Args *args, int skip, StrBuf *out);

/* Splits a line into words. Text in double quotes is one word, which may contain spaces or be
 * empty. Free with cmdline_free_words. */
Args cmdline_split(StrView line);
void cmdline_free_words(Args *args);

/* "usage: PROGRAM NAME [OPTION ...] OPERANDS"; PROGRAM is NULL for a command that is one. */
void cmdline_usage(const ArgCommand *command, const char *program, StrBuf *out);

/* Usage, what the command does, and a line for each option; ends in LF. */
void cmdline_help(const ArgCommand *command, const char *program, StrBuf *out);

/* Appends the description of an option for lists of options that are not typed with dashes: name,
 * values, meaning, range and default, as a paragraph of help, or as a row of a Markdown table with
 * the columns of cmdline_table_head. A default that depends on the machine is written "up to N". */
void cmdline_add_setting(const ArgOption *option, StrBuf *out);
void cmdline_add_row(const ArgOption *option, StrBuf *out);

/* The head of that table. */
const char *cmdline_table_head(void);

/* Answers the requests that every program understands:
 * - `--help`, `-help` or `-h` among the words of a command, before any `--`: its help. Of a program
 *   with commands the first word names one.
 * - `--man`: its commands and options as the paragraphs of a manual page (roff, man macros).
 * - `--complete WORD ...`: what may stand in the place of the last word, which is being typed:
 *   commands, names of options when it begins with a dash, keys of the option before it, words to
 *   choose from ("a|b" in ArgOption.value), also after "key=", a line each.
 * The list ends with NULL; program is NULL for one that is its only command. False for other words.
 */
bool cmdline_answer(const ArgCommand *const *commands, const char *program, const Args *args,
                    StrBuf *out) MUST_CHECK;

#endif
