/* command.h: commands that are not part of the USI protocol, called by a line on stdin or by the
 * program's arguments. One description (base/cmdline.h) serves both. cmd/ implements them and usi/
 * calls them.
 *
 * In a session a command reports errors as `info string error NAME: ...`; called by arguments it
 * reports them on stderr, as `komadori NAME: ...`. Results go to standard output. */
#ifndef KMD_COMMAND_COMMAND_H
#define KMD_COMMAND_COMMAND_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/cmdline.h"
#include "base/progress.h"

struct Command;
struct Output;
struct Position;

/* The context of a command. It runs in the background of a session, so it gets copies. */
typedef struct CommandContext {
    const struct Command *command;
    const struct Position *pos; /* the session's position when the command came */
    const char *eval_file;      /* and its option EvalFile */
    struct Output *out;
    const _Atomic bool *cancel; /* to be looked at now and then; true: end early */
    bool is_program;            /* called by arguments of the program: stderr may be used */
} CommandContext;

/* Exit statuses of the program. */
enum { COMMAND_GOOD, COMMAND_FAILED, COMMAND_MISUSED };

/* Returns the exit status. The words are the command's, which may change their order. */
typedef int CommandRun(const CommandContext *context, Args *args);

typedef struct Command {
    ArgCommand spec;
    CommandRun *run;
} Command;

/* Says what is wrong, in one line. Returns `status`. */
int command_fail(const CommandContext *context, int status, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* Says "PATH: WHY". Returns false. */
bool command_refuse(const CommandContext *context, const char *path, const char *why);

/* Prints the usage. Returns COMMAND_MISUSED. */
int command_misuse(const CommandContext *context);

/* Reads the command's options and operands into *request. False when that cannot be done, or when
 * not min_left .. max_left words are left over (max_left < 0: any number); it has been said. */
bool command_read(const CommandContext *context, Args *args, void *request, int min_left,
                  int max_left) MUST_CHECK;

/* Sets pos to the position in the arguments, `sfen X`, X or `startpos`, with optional `moves ...`,
 * or to the context's position if there are none. False, with a message, on an error. */
bool command_position(const CommandContext *context, const Args *args,
                      struct Position *pos) MUST_CHECK;

/* Text without the word sfen before it. */
StrView command_sfen(StrView text);

/* The whole of a file, appended to *text, and a file written; false when that cannot be done; it
 * has been said. */
bool command_read_file(const CommandContext *context, const char *path, StrBuf *text) MUST_CHECK;
bool command_write_file(const CommandContext *context, const char *path,
                        const StrBuf *bytes) MUST_CHECK;

bool command_is_cancelled(const CommandContext *context);

/* Begins a line of progress on stderr; silent in a session. */
void command_begin_progress(const CommandContext *context, Progress *progress, int after_ms,
                            int every_ms, bool has_lines);

#endif
