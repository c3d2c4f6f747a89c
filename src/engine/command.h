/* command.h: commands that are not part of the USI protocol. A user calls them by a line on
 * standard input or by the program's arguments; one table of options (base/cmdline.h) serves both.
 * commands/ implements the commands, and the session (usi.h) calls some of them.
 *
 * In a session, errors are reported as `info string error NAME: ...`; on the command line, they are
 * printed on standard error as `komadori NAME: ...`. Results go to standard output. */
#ifndef KMD_ENGINE_COMMAND_H
#define KMD_ENGINE_COMMAND_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/cmdline.h"
#include "base/progress.h"
#include "engine/evalfile.h"

struct Command;
struct NnueNet;
struct Output;
struct Position;
struct UsiFault;

/* The input of a command. */
typedef struct CommandContext {
    const struct Command *command;
    const struct Position *pos; /* the session's position */
    EvalChoice eval;            /* the network that the session's options name */
    struct Output *out;
    const _Atomic bool *cancel; /* checked from time to time; if true, the command ends early */
    bool is_program;            /* called by the program's arguments: may use stderr */
} CommandContext;

/* Exit statuses of the program. */
enum { COMMAND_GOOD, COMMAND_FAILED, COMMAND_MISUSED };

/* Runs a command and returns the exit status. May reorder the words. */
typedef int CommandRun(const CommandContext *context, Args *args);

typedef struct Command {
    ArgCommand spec;
    CommandRun *run;
} Command;

/* Reports an error in one line. Returns `status`. */
int command_fail(const CommandContext *context, int status, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* Reports the error "PATH: WHY". Returns false. */
bool command_refuse(const CommandContext *context, const char *path, const char *why);

/* Prints a line that is neither a result nor an error: on standard error, or as `info string`. */
void command_note(const CommandContext *context, StrView text);

/* The network at a path as in the option EvalFile or, if it is NULL, the one that the session's
 * options name. FV_SCALE of the options belongs to theirs; a path FILE@N gives N. The result
 * points into `path`. */
EvalChoice command_eval(const CommandContext *context, const char *path);

/* Loads the network that command_eval names (*net becomes NULL for the hand-written evaluation).
 * Reports an error and returns false if that fails. */
bool command_load_net(const CommandContext *context, const char *path,
                      struct NnueNet **net) MUST_CHECK;

/* Prints the usage. Returns COMMAND_MISUSED. */
int command_misuse(const CommandContext *context);

/* Parses the command's options and operands into *request. Reports an error and returns false if
 * that fails or if the number of remaining words is not in min_left .. max_left (max_left < 0: no
 * limit). */
bool command_read(const CommandContext *context, Args *args, void *request, int min_left,
                  int max_left) MUST_CHECK;

/* Sets pos to the position in the arguments: `sfen X`, X or `startpos`, optionally with `moves
 * ...` and, as in a line of USI, with `position` in front. If there are no arguments, sets it to
 * the context's position. Reports an error and returns false if the arguments are not a position.
 * With `note`, start positions that break a rule but can be played are positions, as for
 * usimove_position_playable; `note` may be NULL. */
bool command_position(const CommandContext *context, const Args *args, struct Position *pos,
                      struct UsiFault *note) MUST_CHECK;

/* Appends where a position is wrong: ", move N 'MOVE'" or ", column N". */
void command_append_place(const struct UsiFault *fault, StrBuf *out);

/* Append a whole file to *text, or write a file. On failure report the error and return false. "-"
 * is read from standard input, except in a session, whose commands come from there. */
bool command_read_file(const CommandContext *context, const char *path, StrBuf *text) MUST_CHECK;
bool command_write_file(const CommandContext *context, const char *path,
                        const StrBuf *bytes) MUST_CHECK;

/* Returns true if writing a file at `out` leaves the file `input` unchanged. Otherwise reports the
 * error and returns false. `input` may be NULL. */
bool command_spares(const CommandContext *context, const char *out, const char *input) MUST_CHECK;

bool command_is_cancelled(const CommandContext *context);

/* For commands that keep finished work: returns the flag that ends the command early. On the
 * command line, Ctrl-C and SIGTERM set it from now on instead of ending the program. */
const _Atomic bool *command_catch_end(const CommandContext *context);

/* Starts a progress line on standard error; prints nothing in a session. */
void command_begin_progress(const CommandContext *context, Progress *progress, int after_ms,
                            int every_ms, bool has_lines);

#endif
