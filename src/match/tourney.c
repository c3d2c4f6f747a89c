/* tourney.c: plays the games of a tournament.
 *
 * The road of a game: the schedule gives its players and opening, the referee plays it, the
 * standings count its result, and listeners (matchevent.h) write and show it. Each concurrent game
 * has a thread, which keeps its engines from game to game and takes the next game that no thread
 * has taken. */
#include "match/tourney.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "base/parallel.h"
#include "base/xmem.h"
#include "match/gamefiles.h"
#include "match/liveview.h"
#include "match/matchpage.h"
#include "match/resultlog.h"
#include "play/newfile.h"
#include "play/referee.h"

enum { LISTENERS_MAX = 6 };

/* The live view is redrawn at most four times a second. */
#define DRAW_EVERY_NS INT64_C(250000000)

typedef struct Tourney {
    const MatchSettings *settings;
    const Contest *contest; /* the settings' contest */
    atomic_bool *cancel;
    PlayerSink sink;         /* shared by all players; its context is `warnings` */
    atomic_bool *has_spoken; /* indexed by engine; see player_new */
    pthread_mutex_t mutex;   /* guards everything below */
    MatchReport *report;
    EngineWarnings warnings;
    Standings standings;
    MatchListener listeners[LISTENERS_MAX];
    int listener_count;
    ResultLog log;
    MatchPage page;      /* used with settings->html_path only */
    LiveView view;       /* live view on a terminal */
    pthread_cond_t over; /* signalled when no further game will be played */
    bool is_over;
    int next;        /* all games before this one have been taken */
    bool is_decided; /* the SPRT has decided */
    bool has_failed;
} Tourney;

/* A game in progress, and its slot, from 0. */
typedef struct ActiveGame {
    Tourney *tourney;
    const ScheduledGame *game;
    int slot;
} ActiveGame;

/* ---- Which game is next. ---- */

/* True if this shard plays the game; the context is the settings. Pairs are never split. */
static bool is_in_shard(const void *context, int index) {
    const MatchSettings *settings = context;
    int unit = schedule_is_paired(&settings->contest.schedule) ? index / 2 : index;
    return settings->shard.count == 0 || unit % settings->shard.count == settings->shard.number - 1;
}

/* Takes the next game to play. Returns false if none is left. */
static bool take_scheduled_game(Tourney *tourney, ScheduledGame *game) {
    pthread_mutex_lock(&tourney->mutex);
    const Standings *standings = &tourney->standings;
    while (tourney->next < standings->total && (standings_has(standings, tourney->next) ||
                                                !is_in_shard(tourney->settings, tourney->next))) {
        tourney->next++;
    }
    bool has_game = tourney->next < standings->total && !atomic_load(tourney->cancel);
    if (has_game) {
        *game = schedule_game(&standings->schedule, tourney->next++);
    }
    pthread_mutex_unlock(&tourney->mutex);
    return has_game;
}

/* ---- A game. The functions below hold the mutex while they change or report anything. ---- */

/* Ends the tournament early; the first reason is reported. */
static void fail_tourney(Tourney *tourney, const char *reason) {
    if (!tourney->has_failed) {
        matchreport_failure(tourney->report, "%s", reason);
    }
    tourney->has_failed = true;
    atomic_store(tourney->cancel, true);
}

static void send_event(const ActiveGame *active, MatchEventKind kind, Position *pos,
                       const GameResult *result) {
    Tourney *tourney = active->tourney;
    MatchEvent event = {kind,   active->slot,     active->game,       pos,
                        result, tourney->contest, &tourney->standings};
    for (int i = 0; i < tourney->listener_count && !tourney->has_failed; i++) {
        const MatchListener *listener = &tourney->listeners[i];
        if (!listener->hear(listener->self, &event)) {
            StrBuf reason = STRBUF_INIT;
            strbuf_addf(&reason, "cannot write to %s: %s", listener->path, file_error_text(errno));
            fail_tourney(tourney, reason.ptr);
            strbuf_free(&reason);
        }
    }
}

static void on_begin(void *context) {
    const ActiveGame *active = context;
    pthread_mutex_lock(&active->tourney->mutex);
    send_event(active, EVENT_BEGIN, NULL, NULL);
    pthread_mutex_unlock(&active->tourney->mutex);
}

static void on_move(void *context, Position *pos, const GameResult *result) {
    const ActiveGame *active = context;
    pthread_mutex_lock(&active->tourney->mutex);
    send_event(active, EVENT_MOVE, pos, result);
    pthread_mutex_unlock(&active->tourney->mutex);
}

static void check_sprt(Tourney *tourney) {
    const SprtTest *sprt = &tourney->contest->sprt;
    if (sprt->alpha > 0 && !tourney->is_decided) {
        ScoreSample sample = standings_encounter_sample(&tourney->standings, 0);
        if (elo_sprt_state(sprt, &sample) != SPRT_GOES_ON) {
            tourney->is_decided = true;
            atomic_store(tourney->cancel, true);
        }
    }
}

/* Plays one game. Returns false if the tournament cannot continue. */
static bool play_scheduled_game(Tourney *tourney, Player **players, Position *pos,
                                const ScheduledGame *game, int slot) {
    const Contest *contest = tourney->contest;
    ActiveGame active = {tourney, game, slot};
    GameSetup setup = {.rules = contest->rules,
                       .adjudication = contest->adjudication,
                       .begin = on_begin,
                       .move = on_move,
                       .context = &active};
    GameResult result = {.winner = KMD_WINNER_NONE};

    /* End the engines of this thread that do not play in the game, because they would keep their
     * memory until the end of the tournament, and start those that do. */
    for (int i = 0; i < contest->engine_count; i++) {
        bool is_playing = i == game->first || i == game->second;
        if (!is_playing) {
            player_free(players[i]);
            players[i] = NULL;
        } else if (players[i] == NULL) {
            players[i] =
                player_new(&contest->engines[i], &tourney->settings->player_rules, &tourney->sink,
                           slot + 1, &tourney->has_spoken[i], tourney->cancel);
        }
    }
    for (int side = BLACK; side <= WHITE; side++) {
        int engine = side == BLACK ? schedule_black(game) : schedule_white(game);
        setup.player[side] = players[engine];
        setup.tc[side] = &contest->engines[engine].tc;
        setup.ponders[side] = contest->engines[engine].ponders;
    }
    setup.start = openings_set(&contest->openings, game->opening, pos);
    RefereeStatus status = referee_play(&setup, pos, &result);

    /* A game that ends after the deciding game, or after a game that could not be written, is
     * treated as if it had not ended. */
    pthread_mutex_lock(&tourney->mutex);
    if (status == REFEREE_NO_EXEC) {
        fail_tourney(tourney, result.detail.ptr);
    } else if (status == REFEREE_DONE && !tourney->is_decided && !tourney->has_failed) {
        standings_add(&tourney->standings, game, &result);
        send_event(&active, EVENT_END, pos, &result);
        check_sprt(tourney);
    }
    send_event(&active, EVENT_STOP, NULL, NULL);
    pthread_mutex_unlock(&tourney->mutex);
    gameresult_free(&result);
    return status == REFEREE_DONE;
}

static void play_in_slot(void *context, int index) {
    Tourney *tourney = context;
    int engines = tourney->contest->engine_count;
    Player **players = xmem_calloc((size_t)engines, sizeof(*players));
    Position pos;
    ScheduledGame game;
    pos_init(&pos);
    while (take_scheduled_game(tourney, &game) &&
           play_scheduled_game(tourney, players, &pos, &game, index)) {
        /* The pause of -wait, in short slices, so that it can be cancelled. */
        for (int ms = tourney->settings->wait_ms; ms > 0 && !atomic_load(tourney->cancel);
             ms -= 50) {
            clock_sleep_ms(int_min(ms, 50));
        }
    }
    for (int i = 0; i < engines; i++) {
        player_free(players[i]);
    }
    free(players);
    pos_free(&pos);
}

/* ---- The whole tournament. ---- */

/* Warns if openings repeat. Repeated games with the same opening give less information than their
 * number suggests, and with fixed node limits they give none. The number of games of a sequential
 * test is not known in advance. */
static void warn_of_openings(Tourney *tourney) {
    const Contest *contest = tourney->contest;
    int openings = contest->openings.count;
    int wanted = schedule_openings(&contest->schedule);
    if (contest->sprt.alpha > 0 ? openings == 1 : openings < wanted) {
        StrBuf line = STRBUF_INIT;
        if (openings == 1) {
            strbuf_add_str(&line,
                           "all games start from the same position; use -openings for others");
        } else {
            strbuf_addf(&line,
                        "there are only %d openings for games that need %d, so openings repeat",
                        openings, wanted);
        }
        matchreport_warning(tourney->report, strbuf_view(&line));
        strbuf_free(&line);
    }
}

/* Draws the live view at intervals until the last game has ended. The drawing has its own thread,
 * because clocks must be updated while all engines think, and because the last of several changes
 * must be shown. */
static void *draw_live(void *context) {
    Tourney *tourney = context;
    pthread_mutex_lock(&tourney->mutex);
    while (!tourney->is_over) {
        int64_t due_ns = clock_ns() + DRAW_EVERY_NS;
        matchreport_draw(tourney->report, tourney->contest, &tourney->standings, &tourney->view);
        while (!tourney->is_over && clock_ns() < due_ns) {
            clock_wait_until(&tourney->over, &tourney->mutex, due_ns);
        }
    }
    pthread_mutex_unlock(&tourney->mutex);
    return NULL;
}

static TourneyStatus status_of(const Tourney *tourney) {
    if (tourney->has_failed) {
        return TOURNEY_FAILED;
    }
    bool is_complete = tourney->is_decided || tourney->standings.done == tourney->standings.wanted;
    return is_complete ? TOURNEY_DONE : TOURNEY_INTERRUPTED;
}

/* Plays all games with the outputs open, and reports. */
static void play_all(Tourney *tourney) {
    pthread_t drawer;
    int done = tourney->standings.done;
    tourney->view.done_before = done;
    if (done > 0) {
        matchreport_line(tourney->report, "continuing after %d game%s", done,
                         str_plural((uint64_t)done));
    }
    warn_of_openings(tourney);
    check_sprt(tourney);
    bool is_drawn =
        tourney->report->lines.is_live && pthread_create(&drawer, NULL, draw_live, tourney) == 0;
    if (!is_drawn) {
        livelines_end(&tourney->report->lines);
    }
    parallel_run(tourney->contest->concurrency, play_in_slot, tourney);
    if (is_drawn) {
        pthread_mutex_lock(&tourney->mutex);
        tourney->is_over = true;
        pthread_cond_signal(&tourney->over);
        pthread_mutex_unlock(&tourney->mutex);
        pthread_join(drawer, NULL);
        livelines_end(&tourney->report->lines);
    }
    if (tourney->standings.done == 0 && tourney->has_failed) {
        return;
    }
    MatchState state = status_of(tourney) == TOURNEY_INTERRUPTED ? MATCH_INTERRUPTED : MATCH_ENDED;
    if (!tourney->has_failed &&
        !matchpage_write(&tourney->page, tourney->contest, &tourney->standings, state)) {
        matchreport_failure(tourney->report, "cannot write to %s: %s", tourney->page.path,
                            file_error_text(errno));
        tourney->has_failed = true;
    }
    matchreport_final(tourney->report, tourney->contest, &tourney->standings);
}

TourneyStatus tourney_run(const MatchSettings *settings, MatchReport *report, atomic_bool *cancel) {
    const Contest *contest = &settings->contest;
    Tourney tourney = {
        .settings = settings, .contest = contest, .cancel = cancel, .report = report};
    tourney.warnings =
        (EngineWarnings){.report = report, .log = &tourney.log, .lock = &tourney.mutex};
    tourney.sink = (PlayerSink){matchreport_warn_of_engine, &tourney.warnings, NULL};
    pthread_mutex_init(&tourney.mutex, NULL);
    clock_init_cond(&tourney.over);
    standings_init(&tourney.standings, &contest->schedule, contest->repetition);
    matchpage_init(&tourney.page, settings->html_path, contest->concurrency);
    liveview_init(&tourney.view, contest->concurrency);
    tourney.has_spoken = xmem_calloc((size_t)contest->engine_count, sizeof(atomic_bool));
    tourney.standings.wanted = 0;
    for (int i = 0; i < tourney.standings.total; i++) {
        tourney.standings.wanted += is_in_shard(settings, i);
    }

    /* Open the outputs. The file of results comes last, so that it is not created if another one
     * fails; an existing one is read, and the page lists the games in it. */
    StrBuf error = STRBUF_INIT;
    UsiGamesFile games = {NULL};
    const MatchListener page = {matchpage_hear, &tourney.page, settings->html_path};
    bool is_good =
        gamefiles_check(&settings->records, tourney.standings.total, is_in_shard, settings,
                        &error) &&
        gamefiles_open_usi(&games, settings->games_path, settings->results.resumes, &error);
    if (is_good && settings->log_path != NULL) {
        tourney.sink.log = traffic_open(settings->log_path, &error);
        is_good = tourney.sink.log != NULL;
    }
    is_good = is_good && resultlog_open(&tourney.log, &settings->results, contest,
                                        &tourney.standings, &page, &error);
    if (is_good) {
        /* Listeners that write come before those that show, and the results come first. */
        const MatchListener listeners[] = {
            {resultlog_hear, &tourney.log, settings->results.path},
            {gamefiles_hear_usi, &games, settings->games_path},
            {gamefiles_hear_records, (void *)&settings->records, settings->records.dir},
            page,
            {matchreport_hear, report, NULL},
            {liveview_hear, &tourney.view, NULL},
        };
        for (size_t i = 0; i < COUNTOF(listeners); i++) {
            tourney.listeners[tourney.listener_count++] = listeners[i];
        }
        play_all(&tourney);
    } else {
        fail_tourney(&tourney, error.len > 0 ? error.ptr : "cannot write the results");
    }
    bool is_written = traffic_close(tourney.sink.log);
    is_written = resultlog_close(&tourney.log) && is_written;
    is_written = gamefiles_close_usi(&games) && is_written;
    tourney.has_failed = tourney.has_failed || !is_written;
    TourneyStatus status = status_of(&tourney);
    standings_free(&tourney.standings);
    matchpage_free(&tourney.page);
    liveview_free(&tourney.view);
    matchreport_free_warnings(&tourney.warnings);
    pthread_cond_destroy(&tourney.over);
    pthread_mutex_destroy(&tourney.mutex);
    strbuf_free(&error);
    free(tourney.has_spoken);
    return status;
}

TourneyStatus tourney_merge(MatchSettings *settings, MatchReport *report) {
    StrBuf error = STRBUF_INIT;
    Contest *contest = &settings->contest;
    Standings standings = {0};
    MatchPage page = {.path = settings->html_path};
    const MatchListener listener = {matchpage_hear, &page, settings->html_path};
    bool is_good = resultlog_merge(&settings->merge.items[0], settings->results.path, contest,
                                   &standings, &listener, &error);
    if (!is_good) {
        matchreport_failure(report, "%s", error.ptr);
    } else if (!matchpage_write(&page, contest, &standings, MATCH_MERGED)) {
        matchreport_failure(report, "%s: %s", settings->html_path, file_error_text(errno));
        is_good = false;
    } else {
        /* Gaps before the last game mean that files of some shards are missing. */
        int missing = standings.total - standings.done;
        if (missing > 0) {
            StrBuf line = STRBUF_INIT;
            strbuf_addf(&line, "%d game%s before the last one %s missing from these files", missing,
                        str_plural((uint64_t)missing), missing == 1 ? "is" : "are");
            matchreport_warning(report, strbuf_view(&line));
            strbuf_free(&line);
        }
        matchreport_final(report, contest, &standings);
    }
    standings_free(&standings);
    matchpage_free(&page);
    strbuf_free(&error);
    return is_good ? TOURNEY_DONE : TOURNEY_FAILED;
}
