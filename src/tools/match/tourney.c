/* tourney.c: plays the games of a tournament.
 *
 * There is one thread for each concurrent game. Each thread keeps its engines from game to game,
 * takes the next game that no thread has taken, and adds its result under the mutex. */
#include "tools/match/tourney.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/condvar.h"
#include "base/fileio.h"
#include "base/parallel.h"
#include "base/xmem.h"
#include "tools/match/gamerecord.h"
#include "tools/match/liveview.h"
#include "tools/match/matchpage.h"
#include "tools/match/matchreport.h"
#include "tools/match/newfile.h"
#include "tools/match/referee.h"
#include "tools/match/resultlog.h"
#include "tools/match/warnings.h"

typedef struct Tourney {
    const MatchSettings *settings;
    atomic_bool *cancel;
    PlayerWatch watch;       /* shared by all players; its context is `warnings` */
    atomic_bool *has_spoken; /* indexed by engine; see player_new */
    pthread_mutex_t mutex;   /* guards everything below */
    MatchReport *report;
    Warnings warnings;
    Standings standings;
    ResultLog log;
    MatchPage page;      /* used with settings->html_path only */
    LiveView view;       /* live view on a terminal */
    pthread_cond_t over; /* signalled when no further game will be played */
    bool is_over;
    FILE *games_stream; /* NULL: no file of -usiout */
    pthread_cond_t game_ended;
    bool *is_given;  /* indexed by game: a thread has taken it */
    int next;        /* all games before this one have been taken */
    int playing;     /* games under way */
    bool is_decided; /* the SPRT has decided */
    bool has_failed;
} Tourney;

/* The live view is redrawn at most four times a second. */
#define DRAW_EVERY_NS INT64_C(250000000)

/* A game in progress, and its slot, from 0. */
typedef struct ActiveGame {
    Tourney *tourney;
    const ScheduledGame *game;
    int slot;
} ActiveGame;

/* Stops all threads. */
static void stop_all(Tourney *tourney) {
    atomic_store(tourney->cancel, true);
}

/* True if this shard plays the game. Pairs are never split. */
static bool is_of_shard(const MatchSettings *settings, int index) {
    int unit = schedule_is_paired(&settings->contest.schedule) ? index / 2 : index;
    return settings->shard.count == 0 || unit % settings->shard.count == settings->shard.number - 1;
}

/* The first game that can be played now; -1 if none. */
static int find_game(Tourney *tourney) {
    const Standings *standings = &tourney->standings;
    while (tourney->next < standings->total &&
           (tourney->is_given[tourney->next] || standings_has(standings, tourney->next) ||
            !is_of_shard(tourney->settings, tourney->next))) {
        tourney->next++;
    }
    bool is_open = schedule_is_open(&standings->schedule);
    int end = is_open ? standings->total : int_min(tourney->next + 1, standings->total);
    for (int i = tourney->next; i < end; i++) {
        if (!tourney->is_given[i] && !standings_has(standings, i) &&
            standings_is_due(standings, i)) {
            return i;
        }
    }
    return -1;
}

/* Takes the next game to play. Returns false if none is left. If pairings depend on results, this
 * may wait for the end of other games. */
static bool take_game(Tourney *tourney, ScheduledGame *game) {
    pthread_mutex_lock(&tourney->mutex);
    int index = find_game(tourney);
    while (index < 0 && tourney->playing > 0 && !atomic_load(tourney->cancel) &&
           schedule_is_open(&tourney->settings->contest.schedule)) {
        condvar_wait_until(&tourney->game_ended, &tourney->mutex, clock_ns() + 100000000);
        index = find_game(tourney);
    }
    bool has_game = index >= 0 && !atomic_load(tourney->cancel);
    if (has_game) {
        *game = standings_game(&tourney->standings, index);
        tourney->is_given[index] = true;
        tourney->playing++;
    }
    pthread_mutex_unlock(&tourney->mutex);
    return has_game;
}

/* Writes the game as a comment and a USI line. */
static bool write_usi(FILE *stream, const MatchSettings *settings, const ScheduledGame *game,
                      const GameResult *result) {
    int black = schedule_black(game), white = schedule_white(game);
    const char *start = result->start.ptr;
    bool has_moves = sv_find(sv_from(start), SV(" moves ")) < result->start.len;
    fprintf(stream, "# game %d: %s - %s, %s: %s\n", game->index + 1,
            settings->contest.engines[black].name, settings->contest.engines[white].name,
            result->winner == KMD_WINNER_DRAW ? "draw" : gameresult_winner_name(result->winner),
            gameresult_end_name(result->reason));
    fprintf(stream, "position %s%s%s\n", start,
            result->plies == 0 ? ""
            : has_moves        ? " "
                               : " moves ",
            result->plies == 0 ? "" : result->moves.ptr);
    return fflush(stream) == 0;
}

static void check_sprt(Tourney *tourney) {
    const MatchSettings *settings = tourney->settings;
    if (settings->contest.sprt.alpha > 0 && !tourney->is_decided) {
        ScoreSample sample = standings_encounter_sample(&tourney->standings, 0);
        if (elo_sprt_state(&settings->contest.sprt, &sample) != SPRT_GOES_ON) {
            tourney->is_decided = true;
            stop_all(tourney);
        }
    }
}

/* Writes a game to all outputs. Returns NULL, or the name of the output that failed, with the
 * reason in errno. */
static const char *write_game(Tourney *tourney, const ScheduledGame *game, const Position *pos,
                              const GameResult *result) {
    const MatchSettings *settings = tourney->settings;
    if (!resultlog_add(&tourney->log, &settings->contest, game, result)) {
        return settings->results.path;
    }
    if (tourney->games_stream != NULL &&
        !write_usi(tourney->games_stream, settings, game, result)) {
        return settings->games_path;
    }
    bool is_written = settings->records.dir == NULL ||
                      gamerecord_save(&settings->records, &settings->contest, game, pos, result);
    return is_written ? NULL : settings->records.dir;
}

static void fail(Tourney *tourney, const char *path) {
    matchreport_failure(tourney->report, "cannot write to %s: %s", path, file_error_text(errno));
    tourney->has_failed = true;
    stop_all(tourney);
}

static bool has_page(const Tourney *tourney) {
    return tourney->settings->html_path != NULL;
}

/* The function of a ResultWatch, whose context is a MatchPage. */
static void add_known_game(void *page, const ScheduledGame *game, const GameResult *result) {
    matchpage_add(page, -1, game, result);
}

static void write_page(Tourney *tourney, MatchState state) {
    const MatchSettings *settings = tourney->settings;
    if (has_page(tourney) && !tourney->has_failed &&
        !matchpage_write(&tourney->page, settings->html_path, &settings->contest,
                         &tourney->standings, state)) {
        fail(tourney, settings->html_path);
    }
}

static void write_page_if_due(Tourney *tourney) {
    if (matchpage_is_due(&tourney->page)) {
        write_page(tourney, MATCH_RUNS);
    }
}

static void add_game(Tourney *tourney, const ActiveGame *active, const Position *pos,
                     const GameResult *result) {
    const ScheduledGame *game = active->game;
    standings_add(&tourney->standings, game, result);
    if (has_page(tourney)) {
        matchpage_add(&tourney->page, active->slot, game, result);
    }
    const char *failed = write_game(tourney, game, pos, result);
    if (failed != NULL) {
        fail(tourney, failed);
    }
    matchreport_game(tourney->report, &tourney->settings->contest, &tourney->standings, game,
                     result);
    check_sprt(tourney);
}

/* Reports the result of a game. A game that ends after the deciding game, or after a game that
 * could not be written, is treated as if it had not ended. */
static void finish_game(const ActiveGame *active, const Position *pos, const GameResult *result) {
    Tourney *tourney = active->tourney;
    pthread_mutex_lock(&tourney->mutex);
    if (!tourney->is_decided && !tourney->has_failed) {
        add_game(tourney, active, pos, result);
    }
    pthread_cond_broadcast(&tourney->game_ended);
    pthread_mutex_unlock(&tourney->mutex);
}

/* Ends the tournament because an engine cannot be started. */
static void stop_for_engine(Tourney *tourney, const GameResult *result) {
    pthread_mutex_lock(&tourney->mutex);
    if (!tourney->has_failed) {
        tourney->has_failed = true;
        matchreport_failure(tourney->report, "%s", result->detail.ptr);
    }
    stop_all(tourney);
    pthread_mutex_unlock(&tourney->mutex);
}

/* This thread's player for an engine. */
static Player *get_player(Tourney *tourney, Player **players, int engine, int slot) {
    if (players[engine] == NULL) {
        players[engine] = player_new(&tourney->settings->contest.engines[engine],
                                     &tourney->settings->player_rules, &tourney->watch, slot,
                                     &tourney->has_spoken[engine], tourney->cancel);
    }
    return players[engine];
}

/* Ends the engines of this thread that do not play in the game, because they would keep their
 * memory until the end of the tournament. */
static void dismiss_others(const Tourney *tourney, Player **players, const ScheduledGame *game) {
    for (int i = 0; i < tourney->settings->contest.engine_count; i++) {
        if (i != game->first && i != game->second) {
            player_free(players[i]);
            players[i] = NULL;
        }
    }
}

/* Updates the live view and the page during a game. The page is written between two moves, when no
 * clock of this game is running. */
static void on_game_begin(void *context) {
    const ActiveGame *active = context;
    Tourney *tourney = active->tourney;
    pthread_mutex_lock(&tourney->mutex);
    liveview_begin(&tourney->view, active->slot, active->game);
    if (has_page(tourney)) {
        matchpage_begin(&tourney->page, active->slot, active->game);
        write_page_if_due(tourney);
    }
    matchreport_start(tourney->report, &tourney->settings->contest, &tourney->standings,
                      active->game);
    pthread_mutex_unlock(&tourney->mutex);
}

static void on_move(void *context, Position *pos, const GameResult *result) {
    const ActiveGame *active = context;
    Tourney *tourney = active->tourney;
    pthread_mutex_lock(&tourney->mutex);
    liveview_move(&tourney->view, active->slot, pos, result);
    if (has_page(tourney)) {
        matchpage_move(&tourney->page, active->slot, pos, result);
        write_page_if_due(tourney);
    }
    pthread_mutex_unlock(&tourney->mutex);
}

/* Plays one game. Returns false if the tournament cannot continue. */
static bool play_game(Tourney *tourney, Player **players, Position *pos, const ScheduledGame *game,
                      int slot) {
    const MatchSettings *settings = tourney->settings;
    ActiveGame active = {tourney, game, slot - 1};
    GameSetup setup = {.rules = settings->contest.rules,
                       .adjudication = settings->contest.adjudication,
                       .begin = on_game_begin,
                       .move = on_move,
                       .context = &active};
    GameResult result = {.winner = KMD_WINNER_NONE};
    dismiss_others(tourney, players, game);
    for (int side = BLACK; side <= WHITE; side++) {
        bool is_first = (side == BLACK) == game->is_first_black;
        int engine = is_first ? game->first : game->second;
        setup.player[side] = get_player(tourney, players, engine, slot);
        setup.tc[side] = &settings->contest.engines[engine].tc;
        setup.ponders[side] = settings->contest.engines[engine].ponders;
    }
    setup.start = openings_set(&settings->contest.openings, game->opening, pos);
    RefereeStatus status = referee_play(&setup, pos, &result);
    if (status == REFEREE_DONE) {
        finish_game(&active, pos, &result);
    } else if (status == REFEREE_NO_EXEC) {
        stop_for_engine(tourney, &result);
    }
    gameresult_free(&result);
    pthread_mutex_lock(&tourney->mutex);
    liveview_stop(&tourney->view, active.slot);
    if (has_page(tourney)) {
        matchpage_stop(&tourney->page, active.slot);
        write_page_if_due(tourney);
    }
    tourney->playing--;
    pthread_mutex_unlock(&tourney->mutex);
    return status == REFEREE_DONE;
}

/* Warns if openings repeat. Repeated games with the same opening give less information than their
 * number suggests, and with fixed node limits they give none. The number of games of a sequential
 * test is not known in advance. */
static void warn_of_openings(Tourney *tourney) {
    const MatchSettings *settings = tourney->settings;
    int openings = settings->contest.openings.count;
    int wanted = schedule_openings(&settings->contest.schedule);
    if (settings->contest.sprt.alpha > 0 ? openings == 1 : openings < wanted) {
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

/* Waits as long as the option -wait says. Sleeps in short slices, so that the wait can be
 * cancelled. */
static void wait_between(const Tourney *tourney) {
    for (int ms = tourney->settings->wait_ms; ms > 0 && !atomic_load(tourney->cancel); ms -= 50) {
        clock_sleep_ms(int_min(ms, 50));
    }
}

static void run_thread(void *context, int index) {
    Tourney *tourney = context;
    int engines = tourney->settings->contest.engine_count;
    Player **players = xmem_calloc((size_t)engines, sizeof(*players));
    Position pos;
    ScheduledGame game;
    pos_init(&pos);
    while (take_game(tourney, &game) && play_game(tourney, players, &pos, &game, index + 1)) {
        wait_between(tourney);
    }
    for (int i = 0; i < engines; i++) {
        player_free(players[i]);
    }
    free(players);
    pos_free(&pos);
}

/* Opens the file of -usiout. A file that contains games is rejected unless the tournament is
 * resumed. */
static bool open_games(Tourney *tourney, StrBuf *error) {
    const MatchSettings *settings = tourney->settings;
    if (settings->games_path != NULL) {
        tourney->games_stream = newfile_open(settings->games_path, settings->results.resumes,
                                             "name another file", error);
    }
    return settings->games_path == NULL || tourney->games_stream != NULL;
}

static bool open_traffic(Tourney *tourney, StrBuf *error) {
    const char *path = tourney->settings->log_path;
    tourney->watch.log = path != NULL ? traffic_open(path, error) : NULL;
    return path == NULL || tourney->watch.log != NULL;
}

/* Opens the outputs. The file of results comes last, so that it is not created if another one
 * fails. */
static bool open_files(Tourney *tourney) {
    const MatchSettings *settings = tourney->settings;
    const ResultWatch watch = {add_known_game, &tourney->page};
    StrBuf error = STRBUF_INIT;
    bool is_good = gamerecord_check(&settings->records, tourney->standings.total, &error) &&
                   open_games(tourney, &error) && open_traffic(tourney, &error) &&
                   resultlog_open(&tourney->log, &settings->results, &settings->contest,
                                  &tourney->standings, has_page(tourney) ? &watch : NULL, &error);
    if (!is_good) {
        matchreport_failure(tourney->report, "%s",
                            error.len > 0 ? error.ptr : "cannot write the results");
    }
    strbuf_free(&error);
    return is_good;
}

static bool close_files(Tourney *tourney) {
    bool is_good = traffic_close(tourney->watch.log);
    is_good = resultlog_close(&tourney->log) && is_good;
    if (tourney->games_stream != NULL) {
        is_good = fclose(tourney->games_stream) == 0 && is_good;
    }
    return is_good;
}

static TourneyStatus status_of(const Tourney *tourney) {
    if (tourney->has_failed) {
        return TOURNEY_FAILED;
    }
    bool is_complete = tourney->is_decided || standings_is_complete(&tourney->standings) ||
                       tourney->standings.done == tourney->standings.wanted;
    return is_complete ? TOURNEY_DONE : TOURNEY_INTERRUPTED;
}

/* Draws the live view at intervals until the last game has ended. The drawing has its own thread,
 * because clocks must be updated while all engines think, and because the last of several changes
 * must be shown. */
static void *draw_live(void *context) {
    Tourney *tourney = context;
    pthread_mutex_lock(&tourney->mutex);
    while (!tourney->is_over) {
        int64_t due_ns = clock_ns() + DRAW_EVERY_NS;
        matchreport_draw(tourney->report, &tourney->settings->contest, &tourney->standings,
                         &tourney->view);
        while (!tourney->is_over && clock_ns() < due_ns) {
            condvar_wait_until(&tourney->over, &tourney->mutex, due_ns);
        }
    }
    pthread_mutex_unlock(&tourney->mutex);
    return NULL;
}

/* Plays all games, with a live view on a terminal. */
static void play_live(Tourney *tourney) {
    pthread_t drawer;
    bool is_drawn =
        tourney->report->is_live && pthread_create(&drawer, NULL, draw_live, tourney) == 0;
    if (!is_drawn) {
        matchreport_end_live(tourney->report);
    }
    parallel_run(tourney->settings->contest.concurrency, run_thread, tourney);
    if (is_drawn) {
        pthread_mutex_lock(&tourney->mutex);
        tourney->is_over = true;
        pthread_cond_signal(&tourney->over);
        pthread_mutex_unlock(&tourney->mutex);
        pthread_join(drawer, NULL);
        matchreport_end_live(tourney->report);
    }
}

static void play_all(Tourney *tourney) {
    const MatchSettings *settings = tourney->settings;
    tourney->view.done_before = tourney->standings.done;
    if (tourney->standings.done > 0) {
        matchreport_line(tourney->report, "continuing after %d game%s", tourney->standings.done,
                         str_plural((uint64_t)tourney->standings.done));
    }
    warn_of_openings(tourney);
    check_sprt(tourney);
    play_live(tourney);
    if (tourney->standings.done > 0 || !tourney->has_failed) {
        write_page(tourney,
                   status_of(tourney) == TOURNEY_INTERRUPTED ? MATCH_INTERRUPTED : MATCH_ENDED);
        matchreport_final(tourney->report, &settings->contest, &tourney->standings);
    }
}

TourneyStatus tourney_run(const MatchSettings *settings, MatchReport *report, atomic_bool *cancel) {
    Tourney tourney = {.settings = settings, .cancel = cancel, .report = report};
    tourney.warnings = (Warnings){.report = report, .log = &tourney.log, .lock = &tourney.mutex};
    tourney.watch = (PlayerWatch){warnings_tell, &tourney.warnings, NULL};
    pthread_mutex_init(&tourney.mutex, NULL);
    condvar_init(&tourney.game_ended);
    condvar_init(&tourney.over);
    standings_init(&tourney.standings, &settings->contest.schedule);
    matchpage_init(&tourney.page, settings->contest.concurrency);
    liveview_init(&tourney.view, settings->contest.concurrency);
    tourney.is_given = xmem_calloc((size_t)tourney.standings.total, sizeof(bool));
    tourney.has_spoken = xmem_calloc((size_t)settings->contest.engine_count, sizeof(atomic_bool));
    tourney.standings.wanted = 0;
    for (int i = 0; i < tourney.standings.total; i++) {
        tourney.standings.wanted += is_of_shard(settings, i);
    }
    if (open_files(&tourney)) {
        play_all(&tourney);
    } else {
        tourney.has_failed = true;
    }
    tourney.has_failed = !close_files(&tourney) || tourney.has_failed;
    TourneyStatus status = status_of(&tourney);
    standings_free(&tourney.standings);
    matchpage_free(&tourney.page);
    liveview_free(&tourney.view);
    warnings_free(&tourney.warnings);
    pthread_cond_destroy(&tourney.game_ended);
    pthread_cond_destroy(&tourney.over);
    pthread_mutex_destroy(&tourney.mutex);
    free(tourney.is_given);
    free(tourney.has_spoken);
    return status;
}

/* Warns if there are gaps before the last game, which means that files of some shards are
 * missing. */
static void warn_of_gaps(const MatchSettings *settings, const Standings *standings,
                         MatchReport *report) {
    int missing = standings->total - standings->done;
    if (missing > 0 && !schedule_is_open(&settings->contest.schedule)) {
        StrBuf line = STRBUF_INIT;
        strbuf_addf(&line, "%d game%s before the last one %s missing from these files", missing,
                    str_plural((uint64_t)missing), missing == 1 ? "is" : "are");
        matchreport_warning(report, strbuf_view(&line));
        strbuf_free(&line);
    }
}

TourneyStatus tourney_merge(MatchSettings *settings, MatchReport *report) {
    StrBuf error = STRBUF_INIT;
    Standings standings = {0};
    MatchPage page = {0};
    const ResultWatch watch = {add_known_game, &page};
    bool has_html = settings->html_path != NULL;
    bool is_good =
        resultlog_merge(&settings->merge.items[0], settings->results.path, &settings->contest,
                        &standings, has_html ? &watch : NULL, &error);
    if (!is_good) {
        matchreport_failure(report, "%s", error.ptr);
    } else if (has_html && !matchpage_write(&page, settings->html_path, &settings->contest,
                                            &standings, MATCH_MERGED)) {
        matchreport_failure(report, "%s: %s", settings->html_path, file_error_text(errno));
        is_good = false;
    } else {
        warn_of_gaps(settings, &standings, report);
        matchreport_final(report, &settings->contest, &standings);
    }
    standings_free(&standings);
    matchpage_free(&page);
    strbuf_free(&error);
    return is_good ? TOURNEY_DONE : TOURNEY_FAILED;
}
