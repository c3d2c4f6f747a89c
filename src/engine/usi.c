/* usi.c: prints the answers of searches, executes commands from two tables, and runs the loop over
 * the input lines. Start reading at usi_run and execute, at the end of the file. */
#include "engine/usi.h"

#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "base/terminal.h"
#include "base/utf8.h"
#include "engine/engine.h"
#include "engine/input.h"
#include "engine/options.h"
#include "engine/output.h"
#include "engine/usi_text.h"
#include "komadori/version.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/sfen.h"

/* The time of a `go` without limits from the command line, where no `stop` can follow. */
#define ALONE_MS 1000

/* Some clients give up after 30 s of silence. */
#define KEEPALIVE_MS 5000

typedef struct Session {
    const UsiOptions *options;
    bool is_alone;   /* there is no client: the line comes from the program's arguments */
    Input input;     /* used by usi_run */
    int64_t line_ns; /* arrival time of the current line, from which the client's clock runs */
    Output out;
    Engine *engine;
    Position scratch; /* used to try a position before the engine gets it, and by queries */
    int64_t alive_ms; /* time of the last sign of life during isready */

    bool is_bounded;      /* the last search ends without a stop */
    bool has_refused;     /* part of a protocol line was rejected */
    bool has_no_position; /* the last position was rejected */
} Session;

/* ---- Output. ---- */

/* Sends the line and frees it. */
static void print_and_free(Session *session, StrBuf *line) {
    output_line(&session->out, strbuf_view(line));
    strbuf_free(line);
}

/* Prints "info string error COMMAND: TEXT 'WORD'". */
static void say_error(Session *session, const char *command, const char *text, StrView word) {
    StrBuf line = STRBUF_INIT;
    strbuf_addf(&line, "info string error %s: %s", command, text);
    if (word.len > 0) {
        strbuf_add_byte(&line, ' ');
        cmdline_quote(word, &line);
    }
    print_and_free(session, &line);
    session->has_refused = true;
}

static void say_info(void *context, const SearchInfo *info) {
    Session *session = context;
    StrBuf line = STRBUF_INIT;
    /* A line of its own before the first candidate, because "string" takes the rest of its line. */
    if (info->remark != NULL && info->rank == info->line_count) {
        output_linef(&session->out, "info string %s", info->remark);
    }
    usi_format_info(info, &line);
    print_and_free(session, &line);
}

static void say_progress(void *context, const SearchProgress *progress) {
    Session *session = context;
    StrBuf line = STRBUF_INIT;
    usi_format_progress(progress, &line);
    print_and_free(session, &line);
}

static void say_bestmove(void *context, const SearchResult *result) {
    Session *session = context;
    StrBuf line = STRBUF_INIT;
    usi_format_bestmove(result, &line);
    print_and_free(session, &line);
}

static void say_mate_info(void *context, const MateInfo *info) {
    Session *session = context;
    StrBuf line = STRBUF_INIT;
    usi_format_mate_info(info, &line);
    print_and_free(session, &line);
    if (info->pn > 0) {
        output_linef(&session->out, "info string proof number %llu, disproof number %llu",
                     (unsigned long long)info->pn, (unsigned long long)info->dn);
    }
}

static void say_other_mate(void *context, int place, Move check) {
    Session *session = context;
    char text[USI_MOVE_SIZE];
    output_linef(&session->out, "info string move %d: %s also mates", place + 1,
                 usimove_write(check, text));
}

static void say_unique(Session *session, const UniqueResult *unique) {
    static const char *const faults[] = {[UNIQUE_NOT_SHORTEST] = "the mate may not be the shortest",
                                         [UNIQUE_NOT_WHOLE] = "the line is incomplete"};
    if (unique->fault != UNIQUE_JUDGED) {
        output_linef(&session->out, "info string undecided: %s", faults[unique->fault]);
    } else {
        output_linef(&session->out, "info string %s: %d other mate%s, %d check%s undecided",
                     unique->others > 0 ? "not unique"
                     : unique->open > 0 ? "undecided"
                                        : "unique",
                     unique->others, str_plural((uint64_t)unique->others), unique->open,
                     str_plural((uint64_t)unique->open));
    }
}

static void say_brinkmate(Session *session, const HisshiAnswer *brink) {
    if (brink->verdict == MATE_FOUND && brink->moves > 0) {
        output_linef(&session->out, "info string brinkmate in %d%s", brink->moves,
                     brink->is_exact ? "" : " or less");
    } else if (brink->verdict != MATE_UNKNOWN) {
        output_linef(&session->out, "info string %s",
                     brink->verdict == MATE_FOUND ? "mate by checks alone" : "no brinkmate");
    }
}

/* A defender who escapes and one who is mated already both get `checkmate nomate`, because a client
 * cannot read an answer without moves. Prints which of the two it is. */
static void say_defence(Session *session, const MateAnswer *answer) {
    char text[USI_MOVE_SIZE];
    if (answer->verdict == MATE_NONE) {
        output_linef(&session->out, "info string the side to move escapes with %s",
                     usimove_write(answer->line[0], text));
    } else if (answer->verdict == MATE_FOUND && answer->len == 0) {
        output_line(&session->out, SV("info string the side to move is mated"));
    }
}

static void say_checkmate(void *context, const MateDone *done) {
    Session *session = context;
    const MateAnswer *answer = done->answer;
    bool is_found = answer->verdict == MATE_FOUND;
    int mate = is_found && done->brink == NULL ? answer->len : 0;
    MateInfo last = {.depth = is_found ? answer->len : 0,
                     .nodes = answer->nodes,
                     .time_ms = done->time_ms,
                     .mate = done->is_defence ? -mate : mate,
                     .line = answer->line,
                     .line_len = is_found ? answer->line_len : 0};
    say_mate_info(session, &last);
    if (done->is_defence) {
        say_defence(session, answer);
    }
    if (is_found && answer->has_players_len) {
        const Move *line;
        StrBuf text = STRBUF_INIT;
        int len = matesolver_main_line(answer, &line);
        strbuf_addf(&text, "info string mate in %d, in %d without futile interpositions",
                    answer->len, answer->players_len);
        if (answer->main_len < answer->players_len) {
            strbuf_addf(&text, ", main line %d", answer->main_len);
        }
        strbuf_add_byte(&text, ':');
        usimove_append_line(line, len, &text);
        output_line(&session->out, strbuf_view(&text));
        strbuf_free(&text);
    }
    if (done->lacks_memory || answer->is_too_large) {
        output_linef(&session->out, "info string error go mate: not enough memory %s",
                     done->lacks_memory ? "to search" : "to verify the answer");
    }
    if (done->brink != NULL) {
        say_brinkmate(session, done->brink);
    }
    if (done->unique != NULL) {
        say_unique(session, done->unique);
    }
    StrBuf line = STRBUF_INIT;
    if (is_found && answer->len == 0) {
        strbuf_add_str(&line, "checkmate nomate");
    } else {
        usi_format_checkmate(answer, &line);
    }
    print_and_free(session, &line);
}

/* True if the search or count is impossible. Then prints the reason and, because the client waits
 * for it, the answer of a search. */
static bool refuse_go(Session *session, const GoLimits *limits) {
    bool is_perft = limits->perft_depth > 0;
    bool is_mate = limits->is_mate && !is_perft;
    const char *kind = is_perft ? " perft" : is_mate ? " mate" : "";
    const char *reason = session->has_no_position ? "the last position was rejected"
                         : is_mate                ? engine_mate_refusal(session->engine)
                                                  : NULL;
    if (reason != NULL) {
        output_linef(&session->out, "info string error go%s: %s", kind, reason);
    }
    if (reason != NULL && !is_perft) {
        output_line(&session->out, is_mate ? SV("checkmate timeout") : SV("bestmove resign"));
    }
    return reason != NULL;
}

static void say_note(void *context, StrView note) {
    Session *session = context;
    StrBuf line = STRBUF_INIT;
    strbuf_add_str(&line, "info string ");
    strbuf_add(&line, note);
    print_and_free(session, &line);
}

/* ---- States. ---- */

/* True if the client has sent `quit`. Earlier lines may still have to be executed. */
static bool is_quitting(const Session *session) {
    return atomic_load_explicit(&session->input.is_quitting, memory_order_relaxed);
}

/* Ends a running search, after its answer. */
static void end_search(Session *session) {
    engine_stop(session->engine);
    engine_wait(session->engine);
}

/* ---- Commands that are not part of the protocol. ---- */

static const Command *find_command(const Session *session, StrView name) {
    const Command *const *command = session->options->commands;
    while (*command != NULL && !sv_equal(name, sv_from((*command)->spec.name))) {
        command++;
    }
    return *command;
}

/* Runs the command for the current position and network. A `stop` or `quit` cuts it short. */
static void run_session_command(Session *session, const Command *command, StrView args) {
    const EngineOptions *options = engine_options(session->engine);
    CommandContext context = {.command = command,
                              .pos = engine_position(session->engine),
                              .eval = {strbuf_view(&options->eval_file.path),
                                       strbuf_view(&options->eval_dir.path), options->fv_scale},
                              .out = &session->out,
                              .cancel = &session->input.is_stopping};
    Args words = cmdline_split(args), passed = words;
    command->run(&context, &passed);
    cmdline_free_words(&words);
}

/* ---- Protocol commands. ---- */

static void do_usi(Session *session, StrView args) {
    (void)args;
    output_line(&session->out, SV("id name Komadori " KMD_VERSION));
    output_line(&session->out, SV("id author the Komadori developers"));
    const ArgOption *option;
    for (int i = 0; (option = options_at(i)) != NULL; i++) {
        StrBuf line = STRBUF_INIT;
        usi_format_option(option, &line);
        print_and_free(session, &line);
    }
    output_line(&session->out, SV("usiok"));
}

/* Prints an empty line now and then while isready takes long, so that the client does not give
 * up. */
static void send_keepalive(void *context) {
    Session *session = context;
    int64_t now = clock_ms();
    if (now - session->alive_ms >= KEEPALIVE_MS) {
        session->alive_ms = now;
        output_line(&session->out, SV(""));
    }
}

/* During a search, isready is only answered; the next `go` takes over new options. */
static void do_isready(Session *session, StrView args) {
    (void)args;
    if (!engine_is_searching(session->engine)) {
        Watch watch = {
            .cancel = &session->input.is_quitting, .tick = send_keepalive, .context = session};
        session->alive_ms = clock_ms();
        engine_prepare(session->engine, engine_wanted(session->engine), &watch);
    }
    output_line(&session->out, SV("readyok"));
}

/* Opens the log. Returns NULL, or the reason why no log can be written to this path. */
static const char *open_log(void *context, const char *path) {
    Session *session = context;
    int error = path[0] != '\0' ? file_check_regular(path) : 0;
    error = error != 0 ? error : output_log_to(&session->out, sv_from(path));
    return error == 0 ? NULL : error == EINVAL ? "not a regular file" : file_error_text(error);
}

static void do_setoption(Session *session, StrView args) {
    StrView name, value;
    if (!usi_parse_setoption(args, &name, &value)) {
        say_error(session, "setoption", "no name", (StrView){NULL, 0});
        return;
    }
    OptionStatus status = engine_set_option(session->engine, name, value);
    if (status == OPTION_UNKNOWN) {
        say_error(session, "setoption", "unknown option", name);
    } else if (status != OPTION_OK) {
        StrBuf line = STRBUF_INIT;
        strbuf_add_str(&line, "info string error ");
        strbuf_add_str(&line, status == OPTION_BAD_VALUE ? "setoption: " : "");
        utf8_append_printable(&line, sv_from(engine_option_fault(session->engine)));
        print_and_free(session, &line);
        session->has_refused = true;
    }
}

static void do_usinewgame(Session *session, StrView args) {
    (void)args;
    end_search(session);
    engine_new_game(session->engine);
}

/* Prints why the position after a command was rejected. */
static void say_position_fault(Session *session, const char *command, const UsiFault *fault) {
    StrBuf line = STRBUF_INIT;
    strbuf_addf(&line, "info string error %s: %s", command, fault->text);
    command_append_place(fault, &line);
    print_and_free(session, &line);
    session->has_refused = true;
}

static void do_position(Session *session, StrView args) {
    UsiFault fault;
    if (usimove_position(args, &session->scratch, &fault)) {
        engine_set_position(session->engine, &session->scratch);
        session->has_no_position = false;
        return;
    }
    say_position_fault(session, "position", &fault);
    session->has_no_position = true;
}

/* Checks the moves of `go searchmoves`. If none of them can be played, all moves are searched, as
 * if the list were unreadable. */
static void check_search_moves(Session *session, GoLimits *limits) {
    const Position *pos = engine_position(session->engine);
    for (int i = 0; i < limits->search_move_count; i++) {
        if (move_is_legal(pos, limits->search_moves[i])) {
            return;
        }
    }
    if (limits->search_move_count > 0) {
        say_error(session, "go", "no legal move after", SV("searchmoves"));
        limits->search_move_count = 0;
    }
}

static void do_go(Session *session, StrView args) {
    GoLimits limits;
    UsiFault fault;
    usi_parse_go(args, session->is_alone ? ALONE_MS : 0, &limits, &fault);
    if (fault.text != NULL) {
        say_error(session, "go", fault.text, fault.word);
    }
    if (fault.is_nonsense) {
        return;
    }
    check_search_moves(session, &limits);
    end_search(session);
    if (limits.perft_depth > 0) {
        if (!refuse_go(session, &limits)) {
            StrBuf words = STRBUF_INIT;
            strbuf_addf(&words, "%d --divide", limits.perft_depth);
            run_session_command(session, find_command(session, SV("perft")), strbuf_view(&words));
            strbuf_free(&words);
        }
        return;
    }
    /* The time spent waiting for isready counts as thinking time, unless no clock is running
     * yet. */
    bool is_held = limits.is_infinite || limits.is_ponder;
    int64_t start_ns = is_held ? clock_ns() : session->line_ns;
    if (is_quitting(session)) {
        limits.nodes = 1; /* an answer is still required, but need not be good */
    }
    if (refuse_go(session, &limits)) {
        return;
    }
    session->is_bounded = !is_held && (!limits.is_mate || limits.mate_ms > 0 || limits.nodes > 0);
    EngineSink sink = {.search = {.context = session,
                                  .on_info = say_info,
                                  .on_progress = say_progress,
                                  .on_done = say_bestmove},
                       .mate = {.context = session,
                                .on_info = say_mate_info,
                                .on_other = say_other_mate,
                                .on_done = say_checkmate}};
    engine_go(session->engine, &limits, &sink, start_ns);
}

static void do_stop(Session *session, StrView args) {
    (void)args;
    engine_stop(session->engine);
}

static void do_ponderhit(Session *session, StrView args) {
    GoLimits clocks;
    UsiFault fault;
    usi_parse_go(args, 0, &clocks, &fault);
    if (fault.text != NULL) {
        say_error(session, "ponderhit", fault.text, fault.word);
    }
    /* If no time could be read, the times of `go ponder` remain valid. */
    bool has_times = fault.text == NULL || clocks.has_clock;
    engine_ponderhit(session->engine, has_times ? &clocks : NULL, session->line_ns);
}

static void do_gameover(Session *session, StrView args) {
    (void)args;
    end_search(session);
}

/* ---- Queries, used by Ayane and by people. ---- */

/* The position that a query's arguments describe or, without arguments, the current one. Returns
 * NULL, with an error line, if they describe none. */
static const Position *queried(Session *session, const char *command, StrView args) {
    UsiFault fault;
    if (sv_trim(args).len == 0) {
        return engine_position(session->engine);
    }
    if (usimove_position(args, &session->scratch, &fault)) {
        return &session->scratch;
    }
    say_position_fault(session, command, &fault);
    return NULL;
}

static void do_side(Session *session, StrView args) {
    const Position *pos = queried(session, "side", args);
    if (pos != NULL) {
        output_line(&session->out, pos->side == BLACK ? SV("black") : SV("white"));
    }
}

static void do_moves(Session *session, StrView args) {
    const Position *pos = queried(session, "moves", args);
    if (pos == NULL) {
        return;
    }
    Move moves[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, moves);
    StrBuf line = STRBUF_INIT;
    for (int i = 0; i < count; i++) {
        strbuf_add_str(&line, i > 0 ? " " : "");
        usimove_append(moves[i], &line);
    }
    print_and_free(session, &line);
}

static void do_sfen(Session *session, StrView args) {
    const Position *pos = queried(session, "sfen", args);
    if (pos != NULL) {
        StrBuf line = STRBUF_INIT;
        pos_get_sfen(pos, &line);
        print_and_free(session, &line);
    }
}

static void do_key(Session *session, StrView args) {
    const Position *pos = queried(session, "key", args);
    if (pos != NULL) {
        output_linef(&session->out, "%016llx", (unsigned long long)pos_key(pos));
    }
}

static void do_d(Session *session, StrView args) {
    const Position *pos = queried(session, "d", args);
    if (pos != NULL) {
        StrBuf text = STRBUF_INIT;
        usi_format_board(pos, &text);
        print_and_free(session, &text);
    }
}

static void say_option(Session *session, const ArgOption *option) {
    StrBuf value = STRBUF_INIT, line = STRBUF_INIT;
    cmdline_add_value(option, engine_options(session->engine), &value);
    strbuf_addf(&line, "%s = ", option->name);
    utf8_append_printable(&line, strbuf_view(&value));
    strbuf_free(&value);
    print_and_free(session, &line);
}

/* Prints the option NAME, or all options. */
static void do_getoption(Session *session, StrView args) {
    StrView name = sv_trim(args);
    const ArgOption *option = options_find(name);
    if (option != NULL) {
        say_option(session, option);
    } else if (name.len > 0) {
        say_error(session, "getoption", "unknown option", name);
    } else {
        for (int i = 0; (option = options_at(i)) != NULL; i++) {
            say_option(session, option);
        }
    }
}

/* Does nothing, because no line follows `quit`. */
static void do_quit(Session *session, StrView args) {
    (void)session;
    (void)args;
}

/* ---- Tables. ---- */

typedef struct ProtocolCommand {
    const char *name;
    void (*run)(Session *session, StrView args);
} ProtocolCommand;

static const ProtocolCommand protocol[] = {
    {"usi", do_usi},
    {"isready", do_isready},
    {"setoption", do_setoption},
    {"usinewgame", do_usinewgame},
    {"position", do_position},
    {"go", do_go},
    {"stop", do_stop},
    {"ponderhit", do_ponderhit},
    {"gameover", do_gameover},
    {"side", do_side},
    {"moves", do_moves},
    {"sfen", do_sfen},
    {"key", do_key},
    {"d", do_d},
    {"getoption", do_getoption},
    {"quit", do_quit},
};

/* Executes one line. Returns false if the command is unknown; an empty line does not count as
 * unknown. Unknown lines are ignored, as the protocol requires. */
static bool execute(Session *session, StrView line) {
    Tokenizer tok = {line};
    StrView name;
    if (!tok_next(&tok, &name)) {
        return true;
    }
    int index = SV_INDEX(name, protocol, name);
    const ProtocolCommand *known = index >= 0 ? &protocol[index] : NULL;
    const Command *command = find_command(session, name);
    if (known != NULL) {
        known->run(session, tok_rest(&tok));
    } else if (command != NULL) {
        run_session_command(session, command, tok_rest(&tok));
    }
    return known != NULL || command != NULL;
}

/* Clients send what other engines understand, so they hear nothing about an unknown line. A person
 * at a terminal should. */
static void tell_unknown(Session *session, StrView line) {
    Tokenizer tok = {line};
    if (terminal_has_codes(session->options->in_fd, NULL)) {
        StrBuf name = STRBUF_INIT;
        cmdline_quote(tok_peek(&tok), &name);
        output_linef(&session->out, "unknown command %s; quit leaves the engine", name.ptr);
        strbuf_free(&name);
    }
}

/* Reports that a line is too long. After a `position`, no older position may be searched. */
static void refuse_line(Session *session, StrView line) {
    Tokenizer tok = {line};
    output_linef(&session->out, "info string error a line of more than %d bytes is ignored",
                 (int)INPUT_LINE_MAX);
    if (sv_equal(tok_peek(&tok), SV("position"))) {
        session->has_no_position = true;
    }
}

static void session_init(Session *session, const UsiOptions *options) {
    *session = (Session){.options = options};
    pos_init_tables();
    output_init(&session->out, options->out_fd);
    session->engine = engine_create();
    engine_set_host(session->engine, &(EngineHost){.context = session,
                                                   .open_log = open_log,
                                                   .on_note = say_note,
                                                   .has_book = true,
                                                   .cancel = &session->input.is_quitting});
    pos_init(&session->scratch);
}

static void session_free(Session *session) {
    end_search(session);
    engine_free(session->engine);
    pos_free(&session->scratch);
    output_free(&session->out);
}

int usi_run(const UsiOptions *options) {
    Session session;
    StrView line;
    session_init(&session, options);
    input_start(&session.input, options->in_fd);
    while (input_next(&session.input, &line)) {
        session.line_ns = session.input.line_ns;
        output_note_input(&session.out, line);
        if (session.input.is_cut) {
            refuse_line(&session, line);
        } else if (!execute(&session, line)) {
            tell_unknown(&session, line);
        }
    }
    if (session.is_bounded && !is_quitting(&session)) {
        engine_wait(session.engine); /* the end of a script: finish what ends without a stop */
    }
    session_free(&session);
    input_free(&session.input);
    return EXIT_SUCCESS;
}

int usi_run_line(const UsiOptions *options, StrView line) {
    Session session;
    session_init(&session, options);
    session.is_alone = true;
    session.line_ns = clock_ns();
    bool is_known = execute(&session, line);
    engine_wait(session.engine);
    int status = !is_known ? USI_UNKNOWN : session.has_refused ? COMMAND_MISUSED : COMMAND_GOOD;
    session_free(&session);
    return status;
}
