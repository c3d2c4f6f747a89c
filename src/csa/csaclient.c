/* csaclient.c: logs in, waits for games, plays them, keeps their records, and prints: a line for
 * each event with the time of day, a live view below these lines on a terminal, and the table of
 * the session. */
#include "csa/csaclient.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "base/livelines.h"
#include "base/proc.h"
#include "base/terminal.h"
#include "base/utf8.h"
#include "base/xmem.h"
#include "csa/csaproto.h"
#include "play/usiline.h"
#include "record/csa.h"
#include "record/diagram.h"
#include "record/kifuio.h"
#include "rules/declare.h"
#include "rules/legality.h"
#include "rules/outcome.h"
#include "rules/sfen.h"
#include "rules/usimove.h"

enum {
    CONNECT_MS = 10000,
    LOGIN_MS = 30000,
    LOGOUT_MS = 3000,
    KEEP_ALIVE_MS = 60000, /* the protocol allows an empty line every 30 seconds */
    PAUSE_GROWTH = 30,     /* the longest pause before connecting, as a multiple of the first */
    SLICE_MS = 100,        /* how often waits look at *stops */
    DELAYS = 8,            /* moves whose delay is remembered */
    DELAY_MAX_MS = 5000,   /* longer delays are accidents and not expected again */
    FAILURES_MAX = 5,      /* how often the engine may fail in one move */
    START_PAUSE_MS = 250,  /* first pause before an engine that cannot be started is tried again */
    START_PAUSE_MAX_MS = 4000,
    REFUSALS_MAX = 30,   /* logins refused in a row before the client gives up */
    LOSSES_HINT = 3,     /* connections lost in a row, without a game, before a hint is printed */
    COMMENT_MAX = 400,   /* bytes of the comment with score and line */
    COMMENT_MATE = 30000 /* the score of a mate in comments */
};

/* The live view is redrawn at most four times a second. */
#define DRAW_EVERY_NS INT64_C(250000000)

/* The results against one opponent, from this client's point of view. */
typedef struct CsaOpponent {
    char *name;
    int wins, draws, losses, interrupted;
} CsaOpponent;

typedef struct Client {
    const CsaOptions *options;
    const atomic_int *stops;
    const atomic_bool *cancel;
    atomic_bool has_spoken;
    PlayerLog *log;
    PlayerOptions rules;
    PlayerSink sink;
    Player *player;
    Proc *server; /* NULL: not connected */
    CsaProto proto;
    StrBuf record_path; /* the file of the game in progress */
    int lost_records;   /* records that could not be written and were printed */
    const char *state;  /* for the live view, when no game is in progress */
    LiveLines lines;
    int64_t start_ns; /* when the session began */
    int64_t due_ns;   /* when the live view may be drawn again */
    CsaOpponent *opponents;
    int count;
    size_t cap;
    int games;                /* games with a result */
    int64_t sent_ns;          /* when something was sent last */
    int64_t delay_ms[DELAYS]; /* between sending a move and the server's answer, latest moves */
    int delays;               /* moves measured so far */
    int64_t start_ms;         /* the longest start of the engine */

    /* The game in progress, or else the last one. */
    CsaSummary game;
    bool has_agreed; /* to the game that the server has proposed, before it starts */
    bool is_playing;
    bool is_over; /* the server has announced the result, or the next game */
    bool has_result;
    bool has_summary;        /* during the game, the server has proposed another one */
    const char *bad_summary; /* what is wrong with that one; NULL: nothing */
    bool is_broken;          /* the last game has no result */
    bool is_resumed;         /* the game goes on that was broken last */
    bool is_starting;        /* the engine is being started again, so it cannot ponder */
    int failures;            /* of the engine, since our last move */
    Color us;
    Position pos;
    StrBuf position; /* USI text of `pos` */
    CsaClock clock;
    int64_t turn_ns; /* when the turn of the side to move began */
    bool has_sent;   /* our move, resignation or declaration has been sent but not answered */
    Move sent;
    int64_t move_ns;    /* when it was sent */
    int64_t longest_ms; /* the longest delay in this game */
    PlayerAnswer answer;
    Move ponder; /* the reply on which the engine ponders; MOVE_NONE: none */
    GameResult result;
} Client;

/* ---- Printing. ---- */

/* Prints a line with the time of day. Control characters are replaced, because names and other
 * texts come from a server. */
static void print_event(Client *client, const char *format, ...) PRINTF_LIKE(2, 3);

static void print_event(Client *client, const char *format, ...) {
    char when[32] = "";
    time_t now = time(NULL);
    const struct tm *local = localtime(&now);
    if (local != NULL) {
        (void)strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S", local);
    }
    StrBuf line = STRBUF_INIT;
    va_list args;
    strbuf_addf(&line, "%s ", when);
    va_start(args, format);
    strbuf_vaddf(&line, format, args);
    va_end(args);
    for (size_t i = 0; i < line.len; i++) {
        bool is_control = (unsigned char)line.ptr[i] < ' ' || line.ptr[i] == 0x7f;
        line.ptr[i] = is_control ? '?' : line.ptr[i];
    }
    strbuf_add_byte(&line, '\n');
    livelines_print(&client->lines, stdout, strbuf_view(&line));
    strbuf_free(&line);
}

static CsaOpponent *find_opponent(Client *client, StrView name) {
    int index = 0;
    while (index < client->count && !sv_equal(sv_from(client->opponents[index].name), name)) {
        index++;
    }
    if (index == client->count) {
        client->opponents = xmem_grow(client->opponents, &client->cap, (size_t)client->count + 1,
                                      sizeof(client->opponents[0]));
        client->opponents[client->count++] = (CsaOpponent){.name = sv_copy(name)};
    }
    return &client->opponents[index];
}

static CsaOpponent sum_of(const Client *client) {
    static char total[] = "total";
    CsaOpponent all = {.name = total};
    for (int i = 0; i < client->count; i++) {
        const CsaOpponent *row = &client->opponents[i];
        all.wins += row->wins;
        all.draws += row->draws;
        all.losses += row->losses;
        all.interrupted += row->interrupted;
    }
    return all;
}

static void print_opponent(const CsaOpponent *row, int width) {
    int games = row->wins + row->draws + row->losses;
    printf("%s%*s %6d %6d %6d %6d %6d %8.1f\n", row->name, width - utf8_columns(sv_from(row->name)),
           "", games, row->wins, row->draws, row->losses, row->interrupted,
           row->wins + row->draws / 2.0);
}

/* Ends the live view, and prints the table of the session unless no game was played. */
static void print_session(Client *client) {
    CsaOpponent all = sum_of(client);
    int width = 8;
    livelines_end(&client->lines);
    for (int i = 0; i < client->count; i++) {
        width = int_max(width, utf8_columns(sv_from(client->opponents[i].name)));
    }
    if (client->count > 0) {
        printf("\n%-*s %6s %6s %6s %6s %6s %8s\n", width, "opponent", "games", "won", "drawn",
               "lost", "broken", "points");
        for (int i = 0; i < client->count; i++) {
            print_opponent(&client->opponents[i], width);
        }
        print_opponent(&all, width);
        fflush(stdout);
    }
}

/* Adds "> black name   4:31", with the mark for the side to move and the time left now. */
static void add_clock(LiveScreen *screen, const Client *client, Color side, int width) {
    StrBuf *line = &screen->line;
    bool has_turn = client->pos.side == side;
    const CsaTime *time = &client->clock.time[side];
    strbuf_addf(line, "%s %s ", has_turn ? ">" : " ", side == BLACK ? "black" : "white");
    livelines_append_padded(strbuf_view(&client->game.name[side]), width, line);
    if (time->is_limited) {
        int64_t used_ms =
            has_turn ? (clock_ns() - client->turn_ns) / NS_PER_MS - time->increment_ms : 0;
        strbuf_add_str(line, "  ");
        livelines_append_span(i64_max(client->clock.left_ms[side] - used_ms, 0) / 1000, line);
    }
    livelines_end_line(screen, LIVE_PLAIN);
}

/* Adds the number of the last move, and the latest score, depth and line that the engine
 * reported. */
static void add_last_move(LiveScreen *screen, const Client *client) {
    const GameResult *result = &client->result;
    int last = result->plies - 1;
    while (last >= 0 && !result->notes[last].has_score) {
        last--;
    }
    strbuf_addf(&screen->line, "  move %d", client->pos.ply - 1);
    if (last >= 0) {
        const MoveNote *note = &result->notes[last];
        if (abs(note->score) > USI_SCORE_MATE) {
            strbuf_addf(&screen->line, ", mate for %s", note->score > 0 ? "black" : "white");
        } else {
            strbuf_addf(&screen->line, ", score for black %+d", note->score);
        }
        if (note->depth > 0) {
            strbuf_addf(&screen->line, ", depth %d", note->depth);
        }
        if (note->pv_len > 0) {
            strbuf_addf(&screen->line, ", line %.*s", (int)note->pv_len,
                        result->pvs.ptr + note->pv);
        }
    }
    livelines_end_line(screen, LIVE_PLAIN);
}

/* Draws the live view on a terminal, if it is due: results, players with clocks, the last move with
 * score and line, and the board if there is room. */
static void draw_view(Client *client) {
    enum { BOARD_ROWS = 15 };
    int columns, rows;
    if (!client->lines.is_live || clock_ns() < client->due_ns) {
        return;
    }
    terminal_size(fileno(stdout), &columns, &rows);
    LiveScreen screen = livelines_screen(columns, rows, client->lines.has_styles);
    CsaOpponent all = sum_of(client);
    strbuf_addf(&screen.line, "%s on %s: %d game%s, +%d =%d -%d, ", client->options->name,
                client->options->host, client->games, str_plural((uint64_t)client->games), all.wins,
                all.draws, all.losses);
    livelines_append_span((clock_ns() - client->start_ns) / 1000000000, &screen.line);
    strbuf_add_str(&screen.line, " elapsed");
    livelines_end_line(&screen, LIVE_BOLD);
    if (!client->is_playing) {
        strbuf_addf(&screen.line, "  %s", client->state);
        livelines_end_line(&screen, LIVE_PLAIN);
    } else {
        const StrBuf *names = client->game.name;
        int width = int_max(utf8_columns(strbuf_view(&names[BLACK])),
                            utf8_columns(strbuf_view(&names[WHITE])));
        width = int_min(width, screen.columns - LIVE_COLUMNS_MIN / 2);
        add_clock(&screen, client, BLACK, width);
        add_clock(&screen, client, WHITE, width);
        add_last_move(&screen, client);
        if (screen.room >= BOARD_ROWS) {
            Setup setup = pos_get(&client->pos);
            StrBuf board = STRBUF_INIT;
            diagram_write(&setup, &board);
            StrView rest = strbuf_view(&board), row;
            while (sv_next_line(&rest, &row)) {
                strbuf_add(&screen.line, row);
                livelines_end_line(&screen, LIVE_PLAIN);
            }
            strbuf_free(&board);
        }
    }
    livelines_draw(&client->lines, &screen);
    livelines_free_screen(&screen);
    client->due_ns = clock_ns() + DRAW_EVERY_NS;
}

/* ---- The connection. ---- */

/* Sends a line; `shown` is what the log gets. */
static void send_to_server(Client *client, StrView line, StrView shown) {
    StrBuf text = STRBUF_INIT;
    strbuf_add(&text, line);
    strbuf_add_byte(&text, '\n');
    player_log_add(client->log, "server", 0, '>', shown);
    client->sent_ns = clock_ns();
    proc_send(client->server, strbuf_view(&text));
    strbuf_free(&text);
}

static void disconnect(Client *client) {
    if (client->server != NULL) {
        (void)proc_stop(client->server, 0);
        client->server = NULL;
    }
}

static bool is_connected(const Client *client) {
    return client->server != NULL && !proc_has_ended(client->server);
}

/* True if nothing more should be waited for: after a second Ctrl-C at once, after the first one
 * unless a game is in progress or has been agreed to. */
static bool is_stopped_by_user(const Client *client) {
    return atomic_load(client->stops) > (client->is_playing || client->has_agreed ? 1 : 0);
}

/* Takes the next line of the server, logs it and reads it. Unknown lines are ignored. */
static bool next_event(Client *client, CsaEvent *event) {
    StrView line;
    while (client->server != NULL && proc_next_line(client->server, &line)) {
        if (line.len > 0) {
            player_log_add(client->log, "server", 0, '<', line);
        }
        *event = csaproto_read(&client->proto, line);
        if (event->kind != CSA_NOTHING && event->kind != CSA_UNKNOWN) {
            return true;
        }
    }
    return false;
}

static void send_keep_alive(Client *client) {
    if (clock_ns() - client->sent_ns > (int64_t)KEEP_ALIVE_MS * NS_PER_MS) {
        client->sent_ns = clock_ns();
        proc_send(client->server, SV("\n"));
    }
}

/* Waits for the next event. Returns false if the connection is lost, the user stops the program, or
 * the deadline has passed. */
static bool await_event(Client *client, int64_t deadline_ns, CsaEvent *event) {
    for (;;) {
        if (next_event(client, event)) {
            return true;
        }
        if (!is_connected(client) || is_stopped_by_user(client) || clock_ns() >= deadline_ns) {
            return false;
        }
        send_keep_alive(client);
        draw_view(client);
        int64_t slice_ns = clock_ns() + (int64_t)SLICE_MS * NS_PER_MS;
        if (client->is_playing) {
            player_wait(client->player, i64_min(deadline_ns, slice_ns));
        } else {
            proc_wait(&client->server, 1, i64_min(deadline_ns, slice_ns));
        }
    }
}

typedef enum LoginStatus { LOGIN_OK, LOGIN_NO_ANSWER, LOGIN_REFUSED } LoginStatus;

/* Connects and logs in. On failure *error says why. */
static LoginStatus log_in(Client *client, StrBuf *error) {
    const CsaOptions *options = client->options;
    LoginStatus status = LOGIN_NO_ANSWER;
    CsaEvent event;
    if (!proc_connect(options->host, options->port, CONNECT_MS, &client->server, error)) {
        return status;
    }
    csaproto_free(&client->proto); /* the last connection may have ended within a summary */
    StrBuf line = STRBUF_INIT, shown = STRBUF_INIT;
    strbuf_addf(&shown, "LOGIN %s ", options->name);
    if (options->game != NULL) {
        strbuf_addf(&shown, "%s,", options->game);
    }
    strbuf_add(&line, strbuf_view(&shown));
    strbuf_add_str(&line, options->password);
    strbuf_add_str(&shown, "********");
    send_to_server(client, strbuf_view(&line), strbuf_view(&shown));
    int64_t deadline_ns = clock_ns() + (int64_t)LOGIN_MS * NS_PER_MS;
    while (status == LOGIN_NO_ANSWER && await_event(client, deadline_ns, &event)) {
        status = event.kind == CSA_LOGGED_IN       ? LOGIN_OK
                 : event.kind == CSA_LOGIN_REFUSED ? LOGIN_REFUSED
                                                   : LOGIN_NO_ANSWER;
    }
    if (status != LOGIN_OK) {
        strbuf_add_str(error, status == LOGIN_REFUSED
                                  ? "the server refuses the login: the password is wrong, or the "
                                    "name is in use, perhaps still by a lost connection"
                                  : "the server does not answer the login");
        disconnect(client);
    }
    for (size_t i = 0; i < line.cap; i++) {
        line.ptr[i] = '\0'; /* the password */
    }
    strbuf_free(&line);
    strbuf_free(&shown);
    return status;
}

/* ---- Moves. ---- */

/* Plays a move that the server has announced. `spent` is its time in the server's units, and
 * `answer` what our engine reported about it, or NULL. */
static void apply_server_move(Client *client, Move move, int64_t spent,
                              const PlayerAnswer *answer) {
    const CsaTime *time = &client->clock.time[client->pos.side];
    MoveNote note = {.has_score = false};
    StrView pv = SV("");
    if (answer != NULL) {
        note = player_note(answer, client->pos.side);
        pv = strbuf_view(&answer->pv);
    }
    csaproto_spend(&client->clock, client->pos.side, spent);
    note.time_ns = i64_max(spent, 0) * time->unit_ms * NS_PER_MS;
    note.left_ns = time->is_limited ? client->clock.left_ms[client->pos.side] * NS_PER_MS : -1;
    gameresult_add_move(&client->result, move, note, pv);
    player_append_move(&client->position, move);
    pos_do(&client->pos, move);
}

/* ---- The engine. ---- */

/* The engine's clock after `elapsed_ms` of its turn. The delay to expect of the connection is the
 * longest of the last moves. */
static GameClock engine_clock(const Client *client, int64_t elapsed_ms) {
    const CsaOptions *options = client->options;
    int64_t delay_ms = 0;
    for (int i = 0; i < int_min(client->delays, DELAYS); i++) {
        delay_ms = i64_max(delay_ms, client->delay_ms[i]);
    }
    int64_t reserve_ms = options->margin_ms + i64_min(delay_ms, DELAY_MAX_MS) + elapsed_ms;
    GameClock go =
        csaproto_engine_clock(&client->clock, client->us, reserve_ms, &options->engine.tc);
    csaproto_limit_move(&go, client->us, client->start_ms);
    return go;
}

/* Lets the engine ponder on its expected reply to `move`, which is legal if it is not MOVE_NONE and
 * has not been played yet. */
static void start_ponder(Client *client, Move move) {
    StrBuf text = STRBUF_INIT;
    Position *pos = &client->pos;
    Move reply = usimove_read(strbuf_view(&client->answer.ponder));
    if (!client->options->engine.ponders || client->is_starting) {
        return;
    }
    strbuf_add(&text, strbuf_view(&client->position));
    if (move != MOVE_NONE) {
        player_append_move(&text, move);
        pos_do(pos, move);
    }
    if (move_is_legal(pos, reply)) {
        const OutcomeRules rules = {client->options->declare, client->game.max_moves};
        player_append_move(&text, reply);
        pos_do(pos, reply);
        bool goes_on = outcome_of(pos, &rules).kind == KMD_END_NONE;
        pos_undo(pos);
        if (goes_on) {
            GameClock go = engine_clock(client, 0);
            player_ponder(client->player, strbuf_view(&text), &go, client->us);
            client->ponder = reply;
        }
    }
    if (move != MOVE_NONE) {
        pos_undo(pos);
    }
    strbuf_free(&text);
}

/* Appends the comment with score and line, in floodgate's form: "'* 123 -3334FU +2726FU". */
static void append_floodgate_comment(Client *client, Move move, StrBuf *line) {
    const UsiInfo *info = &client->answer.info;
    const char *game = client->options->game;
    bool is_wanted =
        client->options->comments == 1 || (client->options->comments == 0 && game != NULL &&
                                           sv_starts_with(sv_from(game), SV("floodgate")));
    if (!is_wanted || !info->has_score) {
        return;
    }
    int score = abs(info->score) <= USI_SCORE_MATE ? info->score
                : info->score > 0                  ? COMMENT_MATE
                                                   : -COMMENT_MATE;
    strbuf_addf(line, ",'* %d", client->us == BLACK ? score : -score);
    Position *pos = &client->pos;
    Move moves[COMMENT_MAX / 6]; /* a move takes six bytes or more */
    pos_do(pos, move);
    int count = gameresult_read_pv(strbuf_view(&client->answer.pv), pos, moves, COUNTOF(moves));
    int shown = 0;
    for (; shown < count && line->len < COMMENT_MAX; shown++) {
        strbuf_add_byte(line, ' ');
        csa_append_move(pos, moves[shown], line);
        pos_do(pos, moves[shown]);
    }
    pos_undo_moves(pos, shown + 1);
}

/* Sends what the engine has decided, if the rules allow it. */
static bool send_decision(Client *client) {
    StrView word = strbuf_view(&client->answer.move);
    Move move = usimove_read(word);
    StrBuf line = STRBUF_INIT;
    bool is_move = move_is_legal(&client->pos, move);
    if (move == MOVE_RESIGN) {
        strbuf_add_str(&line, "%TORYO");
    } else if (move == MOVE_WIN &&
               declare_result(&client->pos, client->options->declare) == KMD_DECLARATION_WIN) {
        strbuf_add_str(&line, "%KACHI");
    } else if (is_move) {
        csa_append_move(&client->pos, move, &line);
        append_floodgate_comment(client, move, &line);
    } else {
        print_event(client, "the engine wants to play %.*s, which is not allowed here",
                    (int)word.len, word.ptr != NULL ? word.ptr : "");
        return false;
    }
    send_to_server(client, strbuf_view(&line), strbuf_view(&line));
    strbuf_free(&line);
    client->has_sent = true;
    client->sent = move;
    client->move_ns = client->sent_ns;
    client->failures = 0;
    if (is_move && client->options->engine.ponders_early) {
        start_ponder(client, move);
    }
    return true;
}

static bool read_server(void *context);

/* Pauses. During a game, the server is heard. Returns false if the game is over meanwhile or the
 * user stops the program. */
static bool pause_for(Client *client, int64_t ms) {
    int64_t end_ns = clock_ns() + ms * NS_PER_MS;
    do {
        if (is_stopped_by_user(client) || (client->is_playing && read_server(client))) {
            return false;
        }
        draw_view(client);
        int64_t slice_ns = i64_min(end_ns, clock_ns() + (int64_t)SLICE_MS * NS_PER_MS);
        if (client->is_playing) {
            proc_wait(&client->server, 1, slice_ns);
        } else {
            clock_sleep_ms(i64_max((slice_ns - clock_ns()) / NS_PER_MS, 1));
        }
    } while (clock_ns() < end_ns);
    return true;
}

/* True if our clock has run out. The server then says so. */
static bool is_out_of_time(const Client *client) {
    const CsaTime *time = &client->clock.time[client->us];
    int64_t left_ms = client->clock.left_ms[client->us] + time->increment_ms + time->byoyomi_ms +
                      time->delay_ms + time->unit_ms;
    return time->is_limited && client->pos.side == client->us &&
           (clock_ns() - client->turn_ns) / NS_PER_MS > left_ms;
}

/* Gets the engine ready once, and remembers how long it takes. */
static PlayerStatus start_engine(Client *client) {
    int64_t begin_ns = clock_ns();
    PlayerStatus status = player_prepare(client->player);
    if (status == PLAYER_OK) {
        client->start_ms = i64_max(client->start_ms, (clock_ns() - begin_ns) / NS_PER_MS);
    }
    return status;
}

/* Gets the engine ready for a game, or for the rest of one. If it cannot be started, for example
 * because the machine has no memory at this moment, tries again after pauses: a few times, or
 * during a game as long as the clock allows. */
static PlayerStatus ready_engine(Client *client) {
    PlayerStatus status;
    int64_t pause_ms = START_PAUSE_MS;
    client->is_starting = true;
    client->ponder = MOVE_NONE;
    for (int tries = 1;; tries++) {
        status = start_engine(client);
        if (status == PLAYER_CANCELLED) {
            player_restart(client->player); /* it has not answered yet */
        }
        bool has_clock = client->is_playing && client->clock.time[client->us].is_limited;
        if (status == PLAYER_OK || status == PLAYER_CANCELLED ||
            (has_clock ? is_out_of_time(client) : tries == FAILURES_MAX)) {
            break;
        }
        print_event(client, "%s; trying again", player_detail(client->player));
        player_restart(client->player);
        if (!pause_for(client, pause_ms)) {
            status = PLAYER_CANCELLED;
            break;
        }
        pause_ms = i64_min(2 * pause_ms, START_PAUSE_MAX_MS);
    }
    client->is_starting = false;
    return status;
}

/* Replaces the engine's process after a failure during the game. Returns false if it cannot go
 * on. */
static bool replace_engine(Client *client, const char *what) {
    const char *detail = player_detail(client->player);
    client->failures++;
    if (client->failures >= FAILURES_MAX || is_out_of_time(client)) {
        return false;
    }
    print_event(client, "move %d: %s%s%s; starting it again", client->pos.ply, what,
                detail[0] != '\0' ? ": " : "", detail);
    player_restart(client->player);
    return ready_engine(client) == PLAYER_OK;
}

/* Asks the engine for our move and sends it. An engine that ends, hangs or plays an illegal move is
 * started again and goes on in the same position with the time that is left. Returns early if the
 * game ends meanwhile. */
static void play_our_move(Client *client) {
    bool is_hit = client->ponder != MOVE_NONE && pos_moves_done(&client->pos) > 0 &&
                  client->ponder == client->pos.now->move;
    client->ponder = MOVE_NONE;
    do {
        /* The clock runs while an engine that ponders on another move stops. */
        PlayerStatus status = is_hit ? PLAYER_OK : player_stop(client->player);
        if (status == PLAYER_OK) {
            int64_t elapsed_ms = (clock_ns() - client->turn_ns) / NS_PER_MS;
            GameClock go = engine_clock(client, elapsed_ms);
            status = player_think(client->player, strbuf_view(&client->position), &go, client->us,
                                  is_hit, &client->answer);
        }
        if (status == PLAYER_CANCELLED || (status == PLAYER_OK && send_decision(client))) {
            return;
        }
        is_hit = false;
    } while (replace_engine(client, "the engine failed"));
    if (client->is_over || !is_connected(client) || is_stopped_by_user(client)) {
        return;
    }
    client->has_sent = true; /* nothing more is sent in this game */
    client->sent = MOVE_RESIGN;
    if (is_out_of_time(client)) {
        print_event(client, "the engine failed, and no time is left to start it again");
    } else {
        print_event(client, "the engine does not play any more: resigning");
        send_to_server(client, SV("%TORYO"), SV("%TORYO"));
    }
}

/* ---- A game. ---- */

/* Remembers why the game ends. The result follows in another line. */
static void note_reason(Client *client, StrView word) {
    static const struct {
        const char *word;
        EndReason reason;
    } reasons[] = {{"RESIGN", ENDED_RESIGN},
                   {"SENNICHITE", ENDED_REPETITION},
                   {"OUTE_SENNICHITE", ENDED_PERPETUAL_CHECK},
                   {"ILLEGAL_MOVE", ENDED_ILLEGAL},
                   {"ILLEGAL_ACTION", ENDED_ILLEGAL},
                   {"TIME_UP", ENDED_TIME},
                   {"JISHOGI", ENDED_DECLARATION},
                   {"MAX_MOVES", ENDED_MAX_PLIES}};
    int index = SV_INDEX(word, reasons, word);
    if (index >= 0) {
        client->result.reason = reasons[index].reason;
    }
    strbuf_clear(&client->result.detail);
    strbuf_addf(&client->result.detail, "#%.*s", (int)word.len, word.ptr);
}

static void note_game_result(Client *client, StrView word) {
    GameResult *result = &client->result;
    bool is_draw = sv_equal(word, SV("DRAW")) ||
                   (sv_equal(word, SV("CENSORED")) && result->reason == ENDED_MAX_PLIES);
    client->is_over = client->has_result = true;
    result->winner = sv_equal(word, SV("WIN"))    ? outcome_winner(client->us)
                     : sv_equal(word, SV("LOSE")) ? outcome_winner(color_flip(client->us))
                     : is_draw                    ? KMD_WINNER_DRAW
                                                  : KMD_WINNER_NONE;
    if (result->winner == KMD_WINNER_NONE) {
        result->reason = ENDED_INTERRUPTED;
    }
    strbuf_addf(&result->detail, "%s#%.*s", result->detail.len > 0 ? " " : "", (int)word.len,
                word.ptr);
}

/* ---- Records. The record of a game is written again after each of our moves, so that it survives
 * even a power cut. ---- */

/* Writes the moves so far. During a game, failures are ignored, because the next record has all
 * that this one has. After the game, a record that cannot be written is printed. */
static void write_game_record(Client *client) {
    const CsaSummary *summary = &client->game;
    const char *event = client->options->event;
    TimeControl tc[COLOR_NB];
    StrBuf text = STRBUF_INIT;
    if (client->options->records.dir == NULL) {
        return;
    }
    for (int side = BLACK; side <= WHITE; side++) {
        const CsaTime *time = &summary->time[side];
        tc[side] = (TimeControl){.has_clock = time->is_limited,
                                 .main_ms = time->total_ms,
                                 .inc_ms = time->increment_ms,
                                 .byoyomi_ms = time->byoyomi_ms};
    }
    const PlayedGame game = {.event = event != NULL ? event : summary->game_id.ptr,
                             .site = client->options->host,
                             .name = {summary->name[BLACK].ptr, summary->name[WHITE].ptr},
                             .tc = {&tc[BLACK], &tc[WHITE]},
                             .pos = &client->pos,
                             .result = &client->result};
    gamerecord_append(&client->options->records, &game, &text);
    int failure = file_write(client->record_path.ptr, text.ptr, text.len);
    if (failure != 0 && !client->is_playing) {
        print_event(client, "cannot write the record %s: %s; here it is:", client->record_path.ptr,
                    file_error_text(failure));
        livelines_print(&client->lines, stdout, strbuf_view(&text));
        client->lost_records++;
    }
    strbuf_free(&text);
}

/* Begins the file of a new game. It is named after the game's id, without characters that a file
 * name cannot have, and gets a number if there is such a file. */
static void begin_record(Client *client) {
    enum { NAME_MAX_BYTES = 200, NUMBER_MAX = 100000 };
    const GameRecordOptions *options = &client->options->records;
    StrView id = sv_prefix(strbuf_view(&client->game.game_id), NAME_MAX_BYTES);
    StrBuf name = STRBUF_INIT;
    for (size_t i = 0; i < id.len; i++) {
        char c = id.ptr[i];
        bool is_plain = str_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        c == '+' || c == '-' || c == '_' || (c == '.' && i > 0);
        strbuf_add_byte(&name, is_plain ? c : '_');
    }
    /* The file is created at once: the other player of the game may write to the same folder. */
    for (int number = 1; options->dir != NULL && number < NUMBER_MAX; number++) {
        strbuf_clear(&client->record_path);
        strbuf_addf(&client->record_path, "%s/%s", options->dir, name.ptr);
        if (number > 1) {
            strbuf_addf(&client->record_path, "-%d", number);
        }
        strbuf_addf(&client->record_path, ".%.*s", (int)options->extension.len,
                    options->extension.ptr);
        int file = open(client->record_path.ptr, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (file >= 0) {
            close(file);
        }
        if (file >= 0 || errno != EEXIST) {
            break;
        }
    }
    strbuf_free(&name);
}

/* Handles a line of the server during a game. */
static void handle_event(Client *client, const CsaEvent *event) {
    if (event->kind == CSA_SUMMARY || event->kind == CSA_BAD_SUMMARY) {
        /* For the server, the game in progress is over. */
        client->is_over = client->has_summary = true;
        client->bad_summary = event->kind == CSA_BAD_SUMMARY ? event->text.ptr : NULL;
    } else if (event->kind == CSA_REASON) {
        note_reason(client, event->text);
    } else if (event->kind == CSA_RESULT) {
        note_game_result(client, event->text);
    } else if (event->kind == CSA_MOVE && !client->has_result) {
        bool is_ours = event->side == client->us;
        Move move =
            event->side == client->pos.side ? csa_find_move(&client->pos, event->text) : MOVE_NONE;
        if (move == MOVE_NONE || (is_ours && !client->has_sent)) {
            /* If the opponent's move is illegal, the server says so next. */
            print_event(client, "move %d: ignoring %.*s, which is not possible here",
                        client->pos.ply, (int)event->text.len, event->text.ptr);
            return;
        }
        int64_t used_ms = (client->move_ns - client->turn_ns) / NS_PER_MS;
        client->turn_ns = proc_line_ns(client->server);
        apply_server_move(client, move, event->spent,
                          is_ours && move == client->sent ? &client->answer : NULL);
        if (is_ours) {
            int64_t delay_ms = i64_max((client->turn_ns - client->move_ns) / NS_PER_MS, 0);
            /* If the server has counted more time for our move than we have seen pass, the
             * opponent's move reached us late. The rest of a cut unit, which it has not counted,
             * stays unknown. */
            const CsaTime *time = &client->clock.time[client->us];
            int64_t counted_ms = i64_clamp(event->spent, 0, INT32_MAX) * time->unit_ms;
            counted_ms -= time->rounds_up ? time->unit_ms : 0;
            if (counted_ms > time->least_ms) {
                delay_ms = i64_max(delay_ms, counted_ms - used_ms);
            }
            client->delay_ms[client->delays++ % DELAYS] = delay_ms;
            client->longest_ms = i64_max(client->longest_ms, delay_ms);
            client->has_sent = false;
            if (!client->options->engine.ponders_early && move == client->sent) {
                start_ponder(client, MOVE_NONE);
            }
            write_game_record(client);
        }
    }
}

/* Called while the engine thinks. Returns true if it need not go on. */
static bool read_server(void *context) {
    Client *client = context;
    CsaEvent event;
    /* What follows the result belongs to the next game. */
    while (!client->is_over && next_event(client, &event)) {
        handle_event(client, &event);
    }
    if (is_connected(client)) {
        send_keep_alive(client);
    }
    draw_view(client);
    return client->is_over || !is_connected(client) || is_stopped_by_user(client);
}

/* True if the moves of the last game are the first moves of this one. */
static bool has_moves_of(const GameResult *result, const GameResult *last) {
    StrView rest = sv_skip(strbuf_view(&result->moves), last->moves.len);
    return sv_equal(strbuf_view(&result->start), strbuf_view(&last->start)) &&
           sv_starts_with(strbuf_view(&result->moves), strbuf_view(&last->moves)) &&
           (rest.len == 0 || last->moves.len == 0 || rest.ptr[0] == ' ');
}

/* Takes over the summary that has been read, and sets up its position with the moves that were
 * played before. If the game was interrupted and is now resumed, its record goes on. Returns NULL,
 * or what is wrong. */
static const char *set_game(Client *client) {
    KifuForm form = kifu_form(&csa_codec);
    KmdFault fault = {.reason = NULL};
    Record record;
    GameResult broken_game = client->result;
    StrBuf broken_id = client->game.game_id;
    bool was_broken = client->is_broken;
    client->game.game_id = (StrBuf){NULL, 0, 0};
    client->result = (GameResult){.reason = ENDED_INTERRUPTED, .start_time = time(NULL)};
    client->is_resumed = false;
    csaproto_take_summary(&client->proto, &client->game);
    record_init(&record);
    bool is_good = kifu_read(strbuf_view(&client->game.position), &form, &record, &fault);
    if (is_good) {
        pos_set(&client->pos, &record.start);
        strbuf_clear(&client->position);
        strbuf_add_str(&client->position, "sfen ");
        pos_get_sfen(&client->pos, &client->position);
        strbuf_add(&client->result.start, strbuf_view(&client->position));
        client->clock = csaproto_clock(&client->game);
        const CsaTime *times = client->clock.time;
        for (int node = record.nodes[KMD_ROOT].child;
             node != KMD_NODE_NONE && record.nodes[node].move != MOVE_NONE;
             node = record.nodes[node].child) {
            Color side = client->pos.side;
            int64_t left_ms = client->clock.left_ms[side];
            int64_t spent = record.nodes[node].time_ms / 1000; /* the codec takes T for seconds */
            apply_server_move(client, record.nodes[node].move, spent, NULL);
            if (times[side].remaining_ms >= 0) {
                client->clock.left_ms[side] = left_ms; /* the server's rest excludes these moves */
            }
        }
        /* If this is the broken game again, its record goes on. */
        client->is_resumed =
            was_broken && sv_equal(strbuf_view(&broken_id), strbuf_view(&client->game.game_id)) &&
            has_moves_of(&client->result, &broken_game);
        if (client->is_resumed) {
            GameResult *result = &client->result;
            result->start_time = broken_game.start_time;
            strbuf_add(&result->pvs, strbuf_view(&broken_game.pvs));
            for (int i = 0; i < broken_game.plies; i++) {
                result->notes[i] = broken_game.notes[i];
            }
        }
    }
    client->is_broken = client->is_resumed; /* a resumed game counts as broken until it starts */
    record_free(&record);
    gameresult_free(&broken_game);
    strbuf_free(&broken_id);
    return is_good ? NULL : fault.reason;
}

/* Plays the game that has just started, and keeps its record. */
static void play_server_game(Client *client) {
    const CsaSummary *summary = &client->game;
    GameResult *result = &client->result;
    StrView opponent = strbuf_view(&summary->name[color_flip(summary->us)]);
    CsaEvent event;
    client->us = summary->us;
    print_event(client, "game %s %s: %s - %s", summary->game_id.ptr,
                client->is_resumed ? "goes on" : "begins", summary->name[BLACK].ptr,
                summary->name[WHITE].ptr);
    if (client->is_resumed) {
        CsaOpponent *row = find_opponent(client, opponent);
        row->interrupted = int_max(row->interrupted - 1, 0);
    } else {
        begin_record(client);
    }
    client->is_playing = true;
    client->has_agreed = false;
    write_game_record(client);
    client->is_over = client->has_result = client->has_sent = client->has_summary = false;
    client->failures = 0;
    client->longest_ms = 0;
    client->ponder = MOVE_NONE;
    client->turn_ns = proc_line_ns(client->server);
    client->due_ns = 0; /* even the quickest game shows its board */
    draw_view(client);
    player_set_other_source(client->player, client->server, read_server, client);
    while (!client->is_over && is_connected(client) && !is_stopped_by_user(client)) {
        if (client->pos.side == client->us && !client->has_sent) {
            play_our_move(client);
        } else if (player_has_ended(client->player) && client->failures < FAILURES_MAX) {
            /* The opponent's time is the best to start the engine again. */
            (void)replace_engine(client, "the engine has ended");
        } else if (await_event(client, clock_ns() + (int64_t)SLICE_MS * NS_PER_MS, &event)) {
            handle_event(client, &event);
        }
    }
    player_set_other_source(client->player, NULL, NULL, NULL);
    bool is_interrupted = is_stopped_by_user(client);
    client->is_playing = false;
    client->is_broken = !client->has_result;
    result->end_time = (int64_t)time(NULL);
    int sign = outcome_sign(result->winner, client->us);
    player_end_game(client->player, sign > 0 ? "win" : sign < 0 ? "lose" : "draw");
    if (sign < 0 && result->reason == ENDED_TIME) {
        bool is_sent = client->has_sent && client->move_ns > client->turn_ns;
        int64_t end_ns = is_sent ? client->move_ns : clock_ns();
        print_event(client, "time is up: %s %.3f s %sour turn began",
                    is_sent ? "the last move was sent" : "no move was sent in the",
                    (double)(end_ns - client->turn_ns) / 1e9, is_sent ? "after " : "since ");
    }
    CsaOpponent *row = find_opponent(client, opponent);
    row->wins += sign > 0;
    row->losses += sign < 0;
    row->draws += result->winner == KMD_WINNER_DRAW;
    row->interrupted += result->winner == KMD_WINNER_NONE;
    client->games += result->winner != KMD_WINNER_NONE;
    print_event(
        client, "game %s ends: %s, %s after %d plies; longest delay %lld ms", summary->game_id.ptr,
        client->has_summary   ? "the server has begun another game"
        : !client->has_result ? is_interrupted ? "stopped by the user" : "the connection is lost"
        : result->winner == KMD_WINNER_NONE ? "no result"
        : sign > 0                          ? "won"
        : sign < 0                          ? "lost"
                                            : "drawn",
        result->detail.len > 0 ? result->detail.ptr : "interrupted", result->plies,
        (long long)client->longest_ms);
    write_game_record(client);
}

/* Waits for a game, gets the engine ready and agrees. Returns true when the game has started. */
static bool await_game(Client *client) {
    CsaEvent event;
    client->has_agreed = false;
    client->state = "waiting for a game";
    while (client->has_summary || await_event(client, INT64_MAX, &event)) {
        if (client->has_summary) {
            client->has_summary = false;
            event = (CsaEvent){.kind = client->bad_summary != NULL ? CSA_BAD_SUMMARY : CSA_SUMMARY,
                               .text = sv_from(client->bad_summary)};
        }
        if (event.kind == CSA_START && client->has_agreed) {
            return true;
        }
        if (event.kind == CSA_REJECT) {
            client->has_agreed = false;
            print_event(client, "game rejected: %.*s", (int)event.text.len, event.text.ptr);
        }
        if (event.kind != CSA_SUMMARY && event.kind != CSA_BAD_SUMMARY) {
            continue;
        }
        const char *wrong = event.kind == CSA_BAD_SUMMARY ? event.text.ptr : set_game(client);
        if (wrong == NULL) {
            /* The engine learns the longest game from an option, which it gets when it starts. */
            if (client->rules.max_plies != client->game.max_moves) {
                client->rules.max_plies = client->game.max_moves;
                player_restart(client->player);
            }
            wrong = ready_engine(client) == PLAYER_OK ? NULL : player_detail(client->player);
        }
        if (wrong == NULL && is_stopped_by_user(client)) {
            wrong = "stopped by the user";
        }
        client->has_agreed = wrong == NULL;
        if (wrong != NULL) {
            print_event(client, "rejecting a game: %s", wrong);
            send_to_server(client, SV("REJECT"), SV("REJECT"));
        } else {
            send_to_server(client, SV("AGREE"), SV("AGREE"));
        }
    }
    client->has_agreed = false;
    return false;
}

/* ---- The session. ---- */

static void on_warning(void *context, const char *engine, StrView text) {
    print_event(context, "%s: %.*s", engine, (int)text.len, text.ptr);
}

/* Leaves the server in an orderly way. */
static void log_out(Client *client) {
    CsaEvent event = {.kind = CSA_NOTHING};
    if (is_connected(client)) {
        int64_t deadline_ns = clock_ns() + (int64_t)LOGOUT_MS * NS_PER_MS;
        send_to_server(client, SV("LOGOUT"), SV("LOGOUT"));
        while (is_connected(client) && event.kind != CSA_LOGGED_OUT && clock_ns() < deadline_ns) {
            proc_wait(&client->server, 1, deadline_ns);
            while (next_event(client, &event) && event.kind != CSA_LOGGED_OUT) {
            }
        }
    }
    disconnect(client);
}

CsaStatus csaclient_run(const CsaOptions *options, const atomic_int *stops,
                        const atomic_bool *cancel) {
    Client client = {.options = options,
                     .start_ns = clock_ns(),
                     .stops = stops,
                     .cancel = cancel,
                     .rules = options->options,
                     .sink = {on_warning, &client, NULL},
                     .state = ""};
    StrBuf error = STRBUF_INIT;
    bool has_failed = false, was_in = false, stays = false;
    int refusals = 0, losses = 0;
    int64_t pause_ms = options->retry_ms;
    livelines_begin(&client.lines, stdout, getenv("TERM"), getenv("NO_COLOR"));
    if (options->log_path != NULL) {
        client.log = client.sink.log = player_log_open(options->log_path, &error);
        has_failed = client.log == NULL;
    }
    if (!has_failed && options->records.dir != NULL) {
        int failure =
            file_is_folder(options->records.dir) ? 0 : file_make_folder(options->records.dir);
        has_failed = failure != 0;
        if (has_failed) {
            strbuf_addf(&error, "%s: %s", options->records.dir, file_error_text(failure));
        }
    }
    pos_init(&client.pos);
    client.player =
        player_new(&options->engine, &client.rules, &client.sink, 1, &client.has_spoken, cancel);
    /* An engine that cannot be started is noticed now, not in the first game. */
    PlayerStatus status = has_failed ? PLAYER_CANCELLED : start_engine(&client);
    if (!has_failed && status != PLAYER_OK && status != PLAYER_CANCELLED) {
        strbuf_add_str(&error, player_detail(client.player));
        has_failed = true;
    }
    while (!has_failed && !is_stopped_by_user(&client) &&
           (stays || options->games == 0 || client.games < options->games)) {
        client.state = "connecting";
        if (!is_connected(&client)) {
            disconnect(&client);
            strbuf_clear(&error);
            LoginStatus login = log_in(&client, &error);
            refusals = login == LOGIN_REFUSED ? refusals + 1 : 0;
            if (login == LOGIN_OK) {
                print_event(&client, "logged in as %s on %s", options->name, options->host);
                was_in = true;
            } else if (!is_stopped_by_user(&client)) {
                /* After a lost connection, the name may be in use until the server notices it. */
                has_failed = !was_in || refusals == REFUSALS_MAX;
            }
        }
        bool has_game = !has_failed && is_connected(&client) && await_game(&client);
        if (has_game) {
            pause_ms = options->retry_ms;
            losses = 0;
            play_server_game(&client);
            /* A drawn game may be played again at once. Otherwise some servers close the connection
             * after a game, and others only stop answering: log in anew for each game. */
            stays = is_connected(&client) &&
                    (client.has_summary || (client.game.rematches_on_draw && client.has_result &&
                                            client.result.winner == KMD_WINNER_DRAW));
            if (!stays) {
                log_out(&client);
            }
        } else if (!has_failed && !is_connected(&client) && !is_stopped_by_user(&client)) {
            stays = false;
            print_event(&client, "%s; trying again in %lld s",
                        error.len > 0 ? error.ptr : "the connection is lost",
                        (long long)((pause_ms + 999) / 1000));
            if (error.len == 0 && ++losses == LOSSES_HINT) {
                print_event(&client, "does another client log in as %s?", options->name);
            }
            (void)pause_for(&client, pause_ms);
            pause_ms = i64_min(2 * pause_ms, PAUSE_GROWTH * options->retry_ms);
        }
    }
    log_out(&client);
    bool is_stopped_now = is_stopped_by_user(&client);
    player_free(client.player);
    if (has_failed) {
        print_event(&client, "%s", error.len > 0 ? error.ptr : "failed");
    }
    if (!player_log_close(client.log)) {
        print_event(&client, "cannot write to %s", options->log_path);
        has_failed = true;
    }
    print_session(&client);
    if (client.lost_records > 0) {
        print_event(&client, "records that could not be written: %d", client.lost_records);
        has_failed = true;
    }
    for (int i = 0; i < client.count; i++) {
        free(client.opponents[i].name);
    }
    free(client.opponents);
    strbuf_free(&client.record_path);
    csaproto_free(&client.proto);
    csaproto_free_summary(&client.game);
    gameresult_free(&client.result);
    player_answer_free(&client.answer);
    strbuf_free(&client.position);
    strbuf_free(&error);
    pos_free(&client.pos);
    return has_failed ? CSA_FAILED : is_stopped_now ? CSA_INTERRUPTED : CSA_DONE;
}
