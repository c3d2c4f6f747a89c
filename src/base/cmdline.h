/* cmdline.h: parses the arguments of a command, from argv or from a line of text, and the engine's
 * options (engine/options.h).
 *
 * Options are described by a table: the name of each option, its type and range, where its value is
 * stored, and its help text. The table serves both to parse the words and to print usage, help and
 * manual pages:
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
 * Options may appear anywhere before `--`, and `--name=value` is the same as `--name value`. An
 * entry whose name has no dash is an operand. Words that are not options fill the operands in
 * order; the remaining words stay in *args. No state: safe from every thread. */
#ifndef KMD_BASE_CMDLINE_H
#define KMD_BASE_CMDLINE_H

#include <stddef.h>

#include "base/str.h"

/* NUL-terminated words, owned elsewhere. */
typedef struct Args {
    int count;
    const char **words;
} Args;

/* All occurrences of an option, each with its words. Free `items`. */
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
    ARG_SECONDS,  /* int64_t milliseconds, rounded up; typed as seconds */
    ARG_TEXT,     /* const char *, not empty */
    ARG_CHOICE,   /* int or enum: the index, from 0, of the word among those of `value`, such as
                     "a|b|c"; case is ignored */
    ARG_BOOL,     /* bool; typed as one of `value`, "true|false" */
    ARG_STRING,   /* StrBuf, may be empty */
    ARG_FILE,     /* ArgFile, may be empty */
    ARG_PART,     /* ArgPart; typed as I/N, 1 <= I <= N; without the option, both are `start` */
    ARG_KEYS,     /* words key=value; the entry of `keys` with that name reads the value. The places
                     of keys are relative to `place` */
    ARG_LIST,     /* ArgList */
    ARG_OTHER     /* read by the function `read` */
} ArgKind;

/* Part `number`, from 1, of `count` parts. */
typedef struct ArgPart {
    int number, count;
} ArgPart;

/* The path of a file, and a function that may reject a new path. */
typedef struct ArgFile {
    StrBuf path;
    /* Called with the new path before `path` changes. Returns NULL to accept it, or the reason for
     * rejecting it (static storage). If `accept` is NULL, every path is accepted. */
    const char *(*accept)(void *context, const char *path);
    void *context;
} ArgFile;

/* Reads a value into the caller's struct; returns false if it is invalid. `word` is NULL if a
 * command has lists (has_lists) and no word follows the option. */
typedef bool ArgReader(const char *word, void *request);

/* Returns the word with this index, from 0, of those that an option accepts; NULL after the
 * last. */
typedef const char *ArgWord(int index);

typedef struct ArgOption {
    const char *name;  /* "--threads"; an operand "DEPTH"; a key "score" */
    const char *value; /* name of the value, "N"; NULL: no value, or an operand */
    ArgKind kind;
    size_t place;     /* where the value goes in the caller's struct (offsetof) */
    double low, high; /* the range of numbers, fractions and seconds */
    double start; /* default of numbers, choices and bools; for a key: its value if the option is
                     given without the key */
    const char *help;  /* its meaning; the range and default, if any, are appended */
    unsigned commands; /* bits of the commands that have this option; 0: all commands. An option
                          has the keys that share a bit with it, and those without bits */
    ArgReader *read;
    ArgWord *word;                /* lists the accepted words, instead of `value` */
    const struct ArgOption *keys; /* the last entry has no name */
    int (*most_start)(void);      /* upper limit of the default; NULL: no limit */
    const char *text;             /* the default of ARG_STRING and ARG_FILE; NULL: empty */
    void *fixed;                  /* what `place` is relative to; NULL: the caller's struct */
} ArgOption;

/* The offset of a member. Does not compile unless the member has this type. */
#define ARG_PLACE(owner, member, type)                                                             \
    _Generic(((owner *)0)->member, type : offsetof(owner, member))

/* The kind and the place of an entry. Does not compile unless the member has the type of that
 * kind. */
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
    const char *operands; /* operands in the usage: "DEPTH [SFEN]"; NULL: none */
    const char *help;     /* what it does: one or more lines */
    const ArgOption *options;
    int option_count;
    unsigned bit;   /* this command's bit in ArgOption.commands; 0: the command has all options */
    bool has_lists; /* an option takes all words up to the next option; one dash means the same as
                       two */
} ArgCommand;

#define ARG_OPTIONS(table) .options = (table), .option_count = (int)COUNTOF(table)

/* Removes options and operands from *args and stores their values, or the defaults, in *request.
 * The other words stay in *args, in order. On failure returns false, with a sentence about the
 * invalid word in *fault. Stored texts point into the words. Members without a default (ARG_KEYS,
 * ARG_LIST, ARG_OTHER) keep their contents. The keys of an ARG_KEYS option get their defaults when
 * it is given first; if it is given again, only the keys given then change. */
bool cmdline_read(const ArgCommand *command, Args *args, void *request, StrBuf *fault) MUST_CHECK;

/* Reads the value of one option. Returns false with a sentence in *fault on failure. */
bool cmdline_read_value(const ArgOption *option, const char *word, void *request,
                        StrBuf *fault) MUST_CHECK;

/* Stores every default; frees all texts. */
void cmdline_set_defaults(const ArgOption *options, int count, void *request);
void cmdline_free_texts(const ArgOption *options, int count, void *request);

/* Appends the value of an option, or its default, as text. Supports numbers, choices, bools, texts
 * and file names. */
void cmdline_add_value(const ArgOption *option, const void *request, StrBuf *out);
void cmdline_add_default(const ArgOption *option, StrBuf *out);

/* The word with this index, from 0, of those that an option accepts; empty after the last. */
StrView cmdline_choice(const ArgOption *option, int index);

/* Appends 'word' in quotes for a message. Control characters and bytes that are not UTF-8 become
 * '?'. Of a long word the beginning is shown, of a long path the end, which has the file's name. */
void cmdline_quote(StrView word, StrBuf *out);

/* Appends all words except the first `skip`, joined by spaces. */
void cmdline_join(const Args *args, int skip, StrBuf *out);

/* Splits a line into words. Text in double quotes is one word, which may contain spaces or be
 * empty. Free with cmdline_free_words. */
Args cmdline_split(StrView line);
void cmdline_free_words(Args *args);

/* Appends "usage: PROGRAM NAME [OPTION ...] OPERANDS". `program` is NULL if the command is itself a
 * program. */
void cmdline_usage(const ArgCommand *command, const char *program, StrBuf *out);

/* Appends the usage, a description of the command, and a line for each option; ends in LF. */
void cmdline_help(const ArgCommand *command, const char *program, StrBuf *out);

/* Append the description of an option that is typed without dashes: its name, values, meaning,
 * range and default. The first writes a paragraph of help, the second a row of a Markdown table
 * with the columns of cmdline_table_head. A default that depends on the machine is written "up to
 * N". */
void cmdline_add_setting(const ArgOption *option, StrBuf *out);
void cmdline_add_manual_row(const ArgOption *option, StrBuf *out);

/* The heading of the Markdown table of cmdline_add_manual_row. */
const char *cmdline_table_head(void);

/* Answers the requests that every program understands:
 * - `--help`, `-help` or `-h` among the words of a command, before any `--`: the command's help. If
 *   the program has several commands, the first word names the command.
 * - `--man`: its commands and options as the paragraphs of a manual page (roff, man macros).
 * The list of commands ends with NULL; `program` is NULL if the program is its only command.
 * Returns false if the words are no such request. */
bool cmdline_answer(const ArgCommand *const *commands, const char *program, const Args *args,
                    StrBuf *out) MUST_CHECK;

#endif
