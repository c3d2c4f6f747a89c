/* player.c: starts an engine, sends commands, and waits for answers.
 *
 * The process is kept from game to game. If its state is in doubt, as after a crash or a missing
 * answer, it is ended, and the next player_prepare starts a new process. */
#include "play/player.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "base/outguard.h"
#include "base/proc.h"
#include "base/xmem.h"
#include "rules/usimove.h"

/* Longer lines are cut to this many bytes. */
enum { PV_MAX = 2000 };

/* How often a wait checks *cancel. */
#define WAIT_SLICE_NS (100 * (int64_t)NS_PER_MS)

/* ---- The log. ---- */

/* Digits after the point in the log. */
enum { SECONDS_DIGITS = 6 };

struct PlayerLog {
    pthread_mutex_t mutex; /* guards the file */
    FILE *stream;
    int64_t start_ns;
    bool has_failed;
};

bool player_log_is_start(StrView start) {
    size_t point = sv_find_byte(start, '.');
    StrView fraction = sv_skip(start, point + 1);
    uint64_t number;
    return sv_to_u64(sv_prefix(start, point), 0, UINT64_MAX, &number) &&
           sv_find_byte(fraction, ' ') == SECONDS_DIGITS && fraction.len > SECONDS_DIGITS &&
           sv_to_u64(sv_prefix(fraction, SECONDS_DIGITS), 0, UINT64_MAX, &number);
}

PlayerLog *player_log_open(const char *path, StrBuf *error) {
    FILE *stream;
    int failure = file_append(path, &stream);
    if (failure != 0) {
        strbuf_addf(error, "%s: %s", path, outguard_error_text(path, failure));
        return NULL;
    }
    if (!file_lock(stream)) {
        strbuf_addf(error, "%s: another process is writing to it", path);
        fclose(stream);
        return NULL;
    }
    PlayerLog *log = xmem_calloc(1, sizeof(*log));
    log->stream = stream;
    log->start_ns = clock_ns();
    pthread_mutex_init(&log->mutex, NULL);
    return log;
}

void player_log_add(PlayerLog *log, const char *name, int slot, char direction, StrView text) {
    if (log == NULL) {
        return;
    }
    StrView line;
    double seconds = (double)(clock_ns() - log->start_ns) / 1e9;
    pthread_mutex_lock(&log->mutex);
    while (sv_next_line(&text, &line)) {
        log->has_failed |= fprintf(log->stream, "%.*f %s[%d] %c %.*s\n", SECONDS_DIGITS, seconds,
                                   name, slot, direction, (int)line.len, line.ptr) < 0;
    }
    log->has_failed |= fflush(log->stream) != 0;
    pthread_mutex_unlock(&log->mutex);
}

bool player_log_close(PlayerLog *log) {
    bool is_good = log == NULL || (fclose(log->stream) == 0 && !log->has_failed);
    if (log != NULL) {
        pthread_mutex_destroy(&log->mutex);
        free(log);
    }
    return is_good;
}

/* ---- Players. ---- */

/* Options that are set if the engine announces them. */
enum { KNOWN_DECLARE_RULE, KNOWN_MAX_PLIES, KNOWN_THREADS, KNOWN_BOOK, KNOWN_NB };
static const char *const known_options[KNOWN_NB] = {"EnteringKingRule", "MaxMovesToDraw", "Threads",
                                                    "USI_OwnBook"};

struct Player {
    const EngineSpec *spec;
    const PlayerOptions *options;
    const PlayerSink *sink;
    const atomic_bool *cancel;
    atomic_bool *has_spoken; /* shared by the engine's players: one of the engine's processes has
                                sent usiok */
    int slot;
    Player *opponent;
    Proc *other; /* NULL: none */
    bool (*on_other)(void *context);
    void *on_other_context;
    Proc *proc;        /* NULL: not running */
    int64_t go_ns;     /* when the last go or go ponder was sent */
    int64_t looked_ns; /* when its output was looked at last */
    bool is_searching; /* the engine owes a bestmove, after go or go ponder */
    bool was_unasked;  /* it sent a bestmove that it did not owe */
    bool has_early;    /* it answered go ponder before ponderhit; the answer is kept in `early` */
    StrBuf early;      /* the text after the word bestmove */
    UsiInfo idle_info; /* information reported while pondering */
    bool is_known[KNOWN_NB]; /* the engine announces this option */
    bool *is_announced;      /* likewise, for each of the user's options */
    StrBuf detail;
    StrBuf pv;      /* line reported with the latest score */
    StrBuf values;  /* setoption lines for the next game */
    StrBuf command; /* buffer for commands */
};

Player *player_new(const EngineSpec *spec, const PlayerOptions *options, const PlayerSink *sink,
                   int slot, atomic_bool *has_spoken, const atomic_bool *cancel) {
    Player *player = xmem_calloc(1, sizeof(*player));
    player->is_announced = xmem_calloc((size_t)spec->option_count + 1, sizeof(bool));
    player->spec = spec;
    player->options = options;
    player->sink = sink;
    player->slot = slot;
    player->has_spoken = has_spoken;
    player->cancel = cancel;
    return player;
}

static void send_view(Player *player, StrView text) {
    player_log_add(player->sink->log, player->spec->name, player->slot, '>', text);
    proc_send(player->proc, text);
}

static void send_text(Player *player, const char *text) {
    send_view(player, sv_from(text));
}

/* Takes the next line that has arrived. */
static bool take_engine_line(Player *player, StrView *line) {
    bool has_line = proc_next_line(player->proc, line);
    if (has_line && player->sink->log != NULL) {
        player_log_add(player->sink->log, player->spec->name, player->slot, '<', *line);
    }
    return has_line;
}

/* Ends the process and returns how it ended. */
static ProcEnd end_process(Player *player, int64_t grace_ms) {
    ProcEnd end = proc_stop(player->proc, grace_ms);
    player->proc = NULL;
    player->is_searching = false;
    return end;
}

static void quit_process(Player *player) {
    if (player->proc != NULL) {
        send_text(player, "quit\n");
        (void)end_process(player, player->options->quit_ms);
    }
}

void player_restart(Player *player) {
    if (player->proc != NULL) {
        (void)end_process(player, 0);
    }
}

void player_free(Player *player) {
    if (player != NULL) {
        quit_process(player);
        strbuf_free(&player->detail);
        strbuf_free(&player->values);
        strbuf_free(&player->early);
        strbuf_free(&player->pv);
        strbuf_free(&player->command);
        free(player->is_announced);
        free(player);
    }
}

void player_set_opponent(Player *player, Player *opponent) {
    player->opponent = opponent;
}

void player_set_other_source(Player *player, Proc *other, bool (*on_other)(void *context),
                             void *context) {
    player->other = other;
    player->on_other = on_other;
    player->on_other_context = context;
}

void player_set_values(Player *player, StrView lines) {
    strbuf_clear(&player->values);
    strbuf_add(&player->values, lines);
}

const char *player_detail(const Player *player) {
    return player->detail.ptr != NULL ? player->detail.ptr : "";
}

void player_answer_free(PlayerAnswer *answer) {
    strbuf_free(&answer->move);
    strbuf_free(&answer->ponder);
    strbuf_free(&answer->pv);
}

MoveNote player_note(const PlayerAnswer *answer, Color side) {
    const UsiInfo *info = &answer->info;
    return (MoveNote){.time_ns = answer->used_ns,
                      .has_score = info->has_score,
                      .score = side == BLACK ? info->score : -info->score,
                      .depth = info->depth,
                      .nodes = info->nodes};
}

void player_append_move(StrBuf *position, Move move) {
    bool has_moves = sv_find(strbuf_view(position), SV(" moves ")) < position->len;
    strbuf_add_str(position, has_moves ? " " : " moves ");
    usimove_append(move, position);
}

/* Records an error, and ends the process if its state is in doubt. */
static PlayerStatus fail_player(Player *player, PlayerStatus status, const char *what) {
    strbuf_clear(&player->detail);
    if (status == PLAYER_CRASHED) {
        ProcEnd end = end_process(player, 200);
        if (end.kind == PROC_KILLED) {
            strbuf_add_str(&player->detail, "its output was closed");
        } else {
            strbuf_addf(&player->detail, "%s %d",
                        end.kind == PROC_EXITED ? "exit status" : "signal", end.code);
        }
    } else {
        strbuf_add_str(&player->detail, status == PLAYER_CANCELLED ? "interrupted" : what);
        if (status == PLAYER_HANGS) {
            (void)end_process(player, 0);
        }
    }
    return status;
}

/* Reads a line. Returns true if it is a bestmove; *rest is then the text after that word. Info
 * lines update *info and the player's line. */
static bool read_engine_line(Player *player, StrView line, UsiInfo *info, StrView *rest) {
    Tokenizer tok = {line};
    StrView word;
    if (!tok_next(&tok, &word)) {
        return false;
    }
    *rest = tok_rest(&tok);
    if (sv_equal(word, SV("info"))) {
        StrView pv;
        if (usiline_read_info(*rest, info, &pv)) {
            strbuf_clear(&player->pv);
            strbuf_add(&player->pv, sv_prefix(pv, PV_MAX));
        }
    }
    return sv_equal(word, SV("bestmove"));
}

/* Reads the output of a player whose turn it is not. An answer to go ponder is kept: some engines
 * answer early, for example when they have found a mate. */
static void read_idle_lines(Player *player) {
    StrView line, rest;
    while (take_engine_line(player, &line)) {
        if (!read_engine_line(player, line, &player->idle_info, &rest)) {
            continue;
        }
        if (player->is_searching) {
            player->has_early = true;
            strbuf_clear(&player->early);
            strbuf_add(&player->early, rest);
        } else {
            player->was_unasked = true;
        }
        player->is_searching = false;
    }
}

/* Waits for output of the player or the other source. Also reads the opponent's output, so that the
 * opponent can always write. */
static void wait_for_output(Player *player, int64_t deadline_ns) {
    Proc *procs[3] = {player->proc};
    int count = 1;
    if (player->other != NULL && !proc_has_ended(player->other)) {
        procs[count++] = player->other;
    }
    Player *other = player->opponent;
    if (other != NULL && other->proc != NULL) {
        read_idle_lines(other);
        if (!proc_has_ended(other->proc)) {
            procs[count++] = other->proc;
        }
    }
    proc_wait(procs, count, i64_min(deadline_ns, clock_ns() + WAIT_SLICE_NS));
    player->looked_ns = clock_ns();
}

/* Reads the next line. When the time is over, it looks once more before it gives up, because this
 * process may have been delayed: proc_line_ns is then the deadline. If the result is not PLAYER_OK,
 * *line is empty. */
static PlayerStatus await_line(Player *player, int64_t deadline_ns, StrView *line) {
    *line = (StrView){NULL, 0};
    for (;;) {
        if (atomic_load_explicit(player->cancel, memory_order_relaxed) ||
            (player->other != NULL && player->on_other(player->on_other_context))) {
            return PLAYER_CANCELLED;
        }
        if (take_engine_line(player, line)) {
            return PLAYER_OK;
        }
        if (proc_has_ended(player->proc)) {
            return PLAYER_CRASHED;
        }
        if (player->looked_ns >= deadline_ns) {
            return PLAYER_LATE;
        }
        wait_for_output(player, deadline_ns);
    }
}

/* Waits for the line that consists of `word`, and passes each line before it to `see`. */
static PlayerStatus wait_for_word(Player *player, const char *word, int64_t limit_ms,
                                  void (*see)(Player *player, StrView line)) {
    int64_t deadline_ns = clock_ns() + limit_ms * NS_PER_MS;
    StrView line;
    PlayerStatus status;
    while ((status = await_line(player, deadline_ns, &line)) == PLAYER_OK) {
        if (sv_equal(sv_trim(line), sv_from(word))) {
            return PLAYER_OK;
        }
        see(player, line);
    }
    if (status == PLAYER_LATE) {
        status = PLAYER_HANGS;
    }
    StrBuf what = STRBUF_INIT;
    strbuf_addf(&what, "no %s in %lld ms", word, (long long)limit_ms);
    status = fail_player(player, status, what.ptr);
    strbuf_free(&what);
    return status;
}

/* Records which of the options that the rules or the user set are announced by the engine. */
static void see_option(Player *player, StrView line) {
    Tokenizer tok = {line};
    StrView word;
    if (tok_next(&tok, &word) && sv_equal(word, SV("option"))) {
        StrView name = usiline_option_name(tok_rest(&tok));
        for (int i = 0; i < KNOWN_NB; i++) {
            player->is_known[i] |= sv_equal_nocase(name, sv_from(known_options[i]));
        }
        for (int i = 0; i < player->spec->option_count; i++) {
            player->is_announced[i] |=
                sv_equal_nocase(name, sv_from(player->spec->options[i].name));
        }
    }
}

/* Warns of options that the engine does not announce. Some engines accept such options, so this is
 * no error, but without a warning a misspelt name would go unnoticed. */
static void warn_of_options(Player *player) {
    for (int i = 0; i < player->spec->option_count; i++) {
        const char *name = player->spec->options[i].name;
        /* USI clients set these two even if an engine does not announce them. */
        bool is_reserved = sv_equal_nocase(sv_from(name), SV("USI_Hash")) ||
                           sv_equal_nocase(sv_from(name), SV("USI_Ponder"));
        if (!player->is_announced[i] && !is_reserved) {
            StrBuf text = STRBUF_INIT;
            strbuf_addf(&text, "does not announce the option %s, which is set", name);
            player->sink->warn(player->sink->context, player->spec->name, strbuf_view(&text));
            strbuf_free(&text);
        }
    }
}

/* Passes on an engine's complaints before readyok, for example about options or files. */
static void see_complaint(Player *player, StrView line) {
    enum { SHOWN = 300 };
    if (usiline_is_complaint(line)) {
        StrBuf text = STRBUF_INIT;
        strbuf_add_str(&text, "printed before readyok: ");
        strbuf_add(&text, sv_prefix(sv_trim(line), SHOWN));
        player->sink->warn(player->sink->context, player->spec->name, strbuf_view(&text));
        strbuf_free(&text);
    }
}

static void add_option(StrBuf *out, const char *name, const char *value) {
    strbuf_addf(out, "setoption name %s", name);
    if (value[0] != '\0') {
        strbuf_addf(out, " value %s", value);
    }
    strbuf_add_byte(out, '\n');
}

/* Sends the options. Those of the match come first, so that the user's own options take
 * precedence. */
static void send_options(Player *player) {
    StrBuf *out = &player->command;
    strbuf_clear(out);
    add_option(out, "USI_Ponder", player->spec->ponders ? "true" : "false");
    if (player->is_known[KNOWN_THREADS] && !player->options->keeps_threads) {
        add_option(out, "Threads", "1");
    }
    if (player->is_known[KNOWN_DECLARE_RULE]) {
        add_option(out, "EnteringKingRule", player->options->declare_rule);
    }
    if (player->is_known[KNOWN_MAX_PLIES]) {
        strbuf_addf(out, "setoption name MaxMovesToDraw value %d\n", player->options->max_plies);
    }
    if (player->is_known[KNOWN_BOOK] && player->options->forbids_books) {
        add_option(out, "USI_OwnBook", "false");
    }
    for (int i = 0; i < player->spec->option_count; i++) {
        add_option(out, player->spec->options[i].name, player->spec->options[i].value);
    }
    send_view(player, strbuf_view(out));
}

/* Starts the process and waits for usiok. */
static PlayerStatus start_process(Player *player) {
    const EngineSpec *spec = player->spec;
    ProcSpec proc = {(const char *const *)spec->argv, spec->dir, spec->stderr_path};
    int error = proc_start(&proc, &player->proc);
    if (error != 0) {
        strbuf_clear(&player->detail);
        strbuf_addf(&player->detail, "cannot start %s", spec->argv[0]);
        if (spec->dir != NULL) {
            strbuf_addf(&player->detail, " in %s", spec->dir);
        }
        if (spec->stderr_path != NULL) {
            strbuf_addf(&player->detail, " with its stderr in %s", spec->stderr_path);
        }
        strbuf_addf(&player->detail, ": %s", file_error_text(error));
        return PLAYER_NO_EXEC;
    }
    for (int i = 0; i < KNOWN_NB; i++) {
        player->is_known[i] = false;
    }
    for (int i = 0; i < spec->option_count; i++) {
        player->is_announced[i] = false;
    }
    send_text(player, "usi\n");
    PlayerStatus status = wait_for_word(player, "usiok", player->options->usi_ms, see_option);
    if (status == PLAYER_OK) {
        atomic_store_explicit(player->has_spoken, true, memory_order_relaxed);
        warn_of_options(player);
        send_options(player);
    }
    if (atomic_load_explicit(player->has_spoken, memory_order_relaxed) ||
        status == PLAYER_CANCELLED) {
        return status;
    }
    /* None of its processes has ever sent usiok: the program is not a USI engine or lacks something
     * that it needs. */
    StrBuf why = STRBUF_INIT;
    strbuf_addf(&why, "cannot use %s: %s%s", spec->name,
                status == PLAYER_CRASHED ? "no usiok, " : "", player->detail.ptr);
    strbuf_free(&player->detail);
    player->detail = why;
    return PLAYER_NO_EXEC;
}

/* Sends isready, waits for readyok and sends usinewgame. */
static PlayerStatus announce_game(Player *player) {
    send_view(player, strbuf_view(&player->values));
    send_text(player, "isready\n");
    PlayerStatus status =
        wait_for_word(player, "readyok", player->options->ready_ms, see_complaint);
    if (status == PLAYER_OK) {
        player->was_unasked = false;
        send_text(player, "usinewgame\n");
    }
    return status;
}

/* If the process of an earlier game ends before this game has begun, it is replaced, so that no
 * game is lost. */
PlayerStatus player_prepare(Player *player) {
    strbuf_clear(&player->detail);
    if (player->proc != NULL && player->spec->restarts) {
        quit_process(player);
    }
    if (player->proc != NULL) {
        PlayerStatus status = announce_game(player);
        if (status != PLAYER_CRASHED) {
            return status;
        }
    }
    PlayerStatus status = start_process(player);
    return status == PLAYER_OK ? announce_game(player) : status;
}

/* Waits for the bestmove that the engine owes. */
static PlayerStatus wait_for_bestmove(Player *player, int64_t deadline_ns, UsiInfo *info,
                                      StrView *rest) {
    StrView line;
    PlayerStatus status;
    do {
        status = await_line(player, deadline_ns, &line);
        player->is_searching = !read_engine_line(player, line, info, rest);
    } while (status == PLAYER_OK && player->is_searching);
    return status;
}

/* Stops the running search and ignores its answer. */
static PlayerStatus stop_search(Player *player) {
    StrView rest;
    UsiInfo info = {0};
    send_text(player, "stop\n");
    int64_t deadline_ns = clock_ns() + player->options->stop_ms * NS_PER_MS;
    PlayerStatus status = wait_for_bestmove(player, deadline_ns, &info, &rest);
    if (status == PLAYER_LATE) {
        status = PLAYER_HANGS;
    }
    return status == PLAYER_OK ? PLAYER_OK : fail_player(player, status, "no answer to stop");
}

/* Reads the output since the player's last turn. A bestmove in it is unexpected. */
static PlayerStatus check_silence(Player *player) {
    if (player->proc == NULL) { /* it could not be started again */
        return PLAYER_CRASHED;
    }
    Proc *procs[1] = {player->proc};
    proc_wait(procs, 1, clock_ns());
    read_idle_lines(player);
    if (player->was_unasked) {
        player->was_unasked = false;
        return fail_player(player, PLAYER_UNASKED, "bestmove without go");
    }
    return proc_has_ended(player->proc) ? fail_player(player, PLAYER_CRASHED, "") : PLAYER_OK;
}

/* Sends position and go in one piece. */
static void send_go(Player *player, StrView position, const GameClock *clock, Color side,
                    bool is_ponder) {
    StrBuf *out = &player->command;
    strbuf_clear(out);
    strbuf_add_str(out, "position ");
    strbuf_add(out, position);
    strbuf_add_byte(out, '\n');
    timecontrol_write_go(clock, side, is_ponder, out);
    strbuf_add_byte(out, '\n');
    player->is_searching = true;
    player->has_early = false;
    player->idle_info = (UsiInfo){0};
    strbuf_clear(&player->pv);
    player->go_ns = clock_ns();
    send_view(player, strbuf_view(out));
}

/* Called when no answer came in time. If a clock ran, this is a loss on time, and the process is
 * kept if it answers to stop. */
static PlayerStatus handle_late(Player *player, bool has_clock) {
    if (!has_clock) {
        return fail_player(player, PLAYER_HANGS, "no answer to go");
    }
    PlayerStatus status = stop_search(player);
    if (status == PLAYER_CANCELLED) {
        return status;
    }
    StrBuf what = STRBUF_INIT;
    strbuf_addf(&what, status == PLAYER_OK ? "no answer in time" : "no answer in time, %s",
                player_detail(player));
    status = fail_player(player, PLAYER_LATE, what.ptr);
    strbuf_free(&what);
    return status;
}

PlayerStatus player_stop(Player *player) {
    strbuf_clear(&player->detail);
    PlayerStatus status = check_silence(player);
    return status == PLAYER_OK && player->is_searching ? stop_search(player) : status;
}

PlayerStatus player_think(Player *player, StrView position, const GameClock *clock, Color side,
                          bool is_hit, PlayerAnswer *answer) {
    strbuf_clear(&answer->move);
    strbuf_clear(&answer->ponder);
    strbuf_clear(&player->detail);
    PlayerStatus status = is_hit ? check_silence(player) : player_stop(player);
    if (status != PLAYER_OK) {
        return status;
    }
    int64_t start_ns = clock_ns(), now_ns = start_ns;
    StrView rest = strbuf_view(&player->early);
    answer->info = is_hit ? player->idle_info : (UsiInfo){0};
    if (is_hit && player->has_early) {
        /* The engine has stopped pondering, so it gets no ponderhit. */
    } else if (is_hit) {
        strbuf_clear(&player->command);
        strbuf_add_str(&player->command, "ponderhit");
        if (player->spec->ponders_early) {
            timecontrol_write_times(clock, side, &player->command);
        }
        strbuf_add_byte(&player->command, '\n');
        send_view(player, strbuf_view(&player->command));
    } else {
        send_go(player, position, clock, side, false);
    }
    if (player->is_searching) {
        int64_t budget_ns = timecontrol_budget_ns(clock, side);
        bool has_clock = budget_ns >= 0;
        int64_t limit_ns = has_clock ? budget_ns + clock->tc[side].margin_ms * NS_PER_MS
                                     : player->options->hang_ms * NS_PER_MS;
        int64_t deadline_ns = start_ns + limit_ns;
        int64_t quiet_ns = clock->quiet_ns > 0 ? start_ns + clock->quiet_ns : deadline_ns;
        status = wait_for_bestmove(player, i64_min(quiet_ns, deadline_ns), &answer->info, &rest);
        bool is_alive = proc_line_ns(player->proc) - start_ns > clock->quiet_ns / 2;
        if (status == PLAYER_LATE && quiet_ns < deadline_ns && is_alive) {
            status = wait_for_bestmove(player, deadline_ns, &answer->info, &rest);
        }
        if (status == PLAYER_LATE && player->options->stops_late) {
            send_text(player, "stop\n");
            now_ns = clock_ns();
            int64_t stop_ns = player->options->stop_ms * NS_PER_MS;
            if (quiet_ns < deadline_ns && !is_alive) {
                stop_ns = i64_min(stop_ns, (deadline_ns - quiet_ns) / 4);
            }
            status = wait_for_bestmove(player, now_ns + stop_ns, &answer->info, &rest);
            if (status == PLAYER_LATE) {
                return fail_player(player, PLAYER_HANGS, "no answer to go and stop");
            }
        }
        if (status == PLAYER_LATE) {
            return handle_late(player, has_clock);
        }
        if (status != PLAYER_OK) {
            return fail_player(player, status, "");
        }
        now_ns = proc_line_ns(player->proc);
    }
    StrView move, ponder;
    usiline_read_bestmove(rest, &move, &ponder);
    answer->used_ns = now_ns - start_ns;
    answer->search_ns = now_ns - player->go_ns;
    strbuf_clear(&answer->pv);
    strbuf_add(&answer->pv, strbuf_view(&player->pv));
    strbuf_add(&answer->move, sv_prefix(move, 100));
    strbuf_add(&answer->ponder, sv_prefix(ponder, 100));
    return PLAYER_OK;
}

void player_ponder(Player *player, StrView position, const GameClock *clock, Color side) {
    send_go(player, position, clock, side, true);
}

bool player_has_ended(const Player *player) {
    return player->proc == NULL || proc_has_ended(player->proc);
}

void player_wait(Player *player, int64_t deadline_ns) {
    Proc *procs[2] = {player->other};
    int count = 1;
    if (player->proc != NULL) {
        read_idle_lines(player);
        if (!proc_has_ended(player->proc)) {
            procs[count++] = player->proc;
        }
    }
    proc_wait(procs, count, i64_min(deadline_ns, clock_ns() + WAIT_SLICE_NS));
}

void player_end_game(Player *player, const char *result) {
    if (player->proc == NULL) {
        return;
    }
    if (player->is_searching && stop_search(player) != PLAYER_OK) {
        return;
    }
    strbuf_clear(&player->command);
    strbuf_addf(&player->command, "gameover %s\n", result);
    send_view(player, strbuf_view(&player->command));
}
