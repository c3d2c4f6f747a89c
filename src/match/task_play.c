/* task_play.c: plays the games of a tournament, and merges the results of its parts.
 *
 * The road of a game: the schedule gives its players and opening, the referee plays it, the
 * standings count its result, and the file of results, the records, the page and the report get
 * what happens in it. Each concurrent game has a thread, which keeps its engines from game to game
 * and takes the next game that no thread has taken. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "base/outguard.h"
#include "base/parallel.h"
#include "base/xmem.h"
#include "match/matchpage.h"
#include "match/resultlog.h"
#include "match/task.h"
#include "play/referee.h"

/* The live view is redrawn at most four times a second. */
#define DRAW_EVERY_NS INT64_C(250000000)

#define RECORD_START  "game-"

/* The number in the file name of a record has at least this many digits, so that the names sort in
 * the order of the games. */
enum { RECORD_DIGITS = 6 };

/* A tournament while it is played. The mutex of the report guards everything after it. */
typedef struct Tourney {
    const MatchSettings *settings;
    const Contest *contest; /* the settings' contest */
    atomic_bool *cancel;
    PlayerSink sink;         /* shared by all players */
    atomic_bool *has_spoken; /* indexed by engine; see player_new */
    MatchReport *report;
    Standings standings;
    ResultLog log;
    MatchPage page;      /* used with settings->html_path only */
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

/* ---- The records. ---- */

/* Creates the folder if necessary, and checks before the first game that no record in it would be
 * replaced, unless the tournament is continued. Other parts of the tournament may write their
 * records to the same folder. On failure *error contains the reason. */
static bool check_records(const MatchSettings *settings, int games, StrBuf *error) {
    const GameRecordOptions *options = &settings->records;
    const char *path = options->dir;
    StrBuf names = STRBUF_INIT;
    if (path == NULL) {
        return true;
    }
    int failure = file_list(path, &names);
    failure = failure == ENOENT ? file_make_folder(path) : failure;
    if (failure == 0 && access(path, W_OK) != 0) {
        failure = errno;
    }
    if (failure != 0) {
        strbuf_addf(error, "-records: %s: %s", path, file_error_text(failure));
    }
    StrView rest = strbuf_view(&names), name;
    while (failure == 0 && !settings->results.resumes && error->len == 0 &&
           sv_next_line(&rest, &name)) {
        StrView number = sv_skip(name, SV(RECORD_START).len);
        size_t dot = sv_find_byte(number, '.');
        int game;
        if (sv_starts_with(name, SV(RECORD_START)) && dot >= RECORD_DIGITS &&
            sv_to_int(sv_prefix(number, dot), 1, games, &game) &&
            schedule_is_in_shard(&settings->contest.schedule, game - 1) &&
            sv_equal(sv_skip(number, dot + 1), options->extension)) {
            StrBuf file = STRBUF_INIT;
            strbuf_addf(&file, "%s/%.*s", path, (int)name.len, name.ptr);
            (void)outguard_keep_old(file.ptr, "name another folder", error);
            strbuf_free(&file);
        }
    }
    strbuf_free(&names);
    return error->len == 0;
}

/* Writes the record of a game that has ended. Returns false with the reason in errno. */
static bool write_record(const Tourney *tourney, const ScheduledGame *scheduled,
                         const Position *pos, const GameResult *result) {
    const GameRecordOptions *options = &tourney->settings->records;
    const Contest *contest = tourney->contest;
    if (options->dir == NULL) {
        return true;
    }
    StrBuf path = STRBUF_INIT, text = STRBUF_INIT;
    strbuf_addf(&path, "%s/" RECORD_START "%0*d.", options->dir, RECORD_DIGITS,
                scheduled->index + 1);
    strbuf_add(&path, options->extension);
    const EngineSpec *black = &contest->engines[schedule_black(scheduled)];
    const EngineSpec *white = &contest->engines[schedule_white(scheduled)];
    const PlayedGame game = {.event = contest->event,
                             .site = contest->site,
                             .name = {black->name, white->name},
                             .tc = {&black->tc, &white->tc},
                             .pos = pos,
                             .result = result};
    gamerecord_append(options, &game, &text);
    int failure = file_write(path.ptr, text.ptr, text.len);
    strbuf_free(&path);
    strbuf_free(&text);
    errno = failure;
    return failure == 0;
}

/* ---- A game. The functions below hold the mutex while they change or report anything. ---- */

/* Takes the next game to play. Returns false if none is left. */
static bool take_scheduled_game(Tourney *tourney, ScheduledGame *game) {
    const Standings *standings = &tourney->standings;
    pthread_mutex_lock(&tourney->report->mutex);
    const Schedule *schedule = &tourney->contest->schedule;
    while (tourney->next < standings->total && (standings_has(standings, tourney->next) ||
                                                !schedule_is_in_shard(schedule, tourney->next))) {
        tourney->next++;
    }
    bool has_game = tourney->next < standings->total && !atomic_load(tourney->cancel);
    if (has_game) {
        *game = schedule_game(schedule, tourney->next++);
    }
    pthread_mutex_unlock(&tourney->report->mutex);
    return has_game;
}

/* Ends the tournament early; the first reason is reported. */
static void fail_tourney(Tourney *tourney, const char *reason) {
    if (!tourney->has_failed) {
        matchreport_failure(tourney->report, "%s", reason);
    }
    tourney->has_failed = true;
    atomic_store(tourney->cancel, true);
}

/* Ends the tournament if something could not be written; errno says why. */
static void require_written(Tourney *tourney, bool is_written, const char *path) {
    if (!is_written) {
        StrBuf reason = STRBUF_INIT;
        strbuf_addf(&reason, "cannot write to %s: %s", path, file_error_text(errno));
        fail_tourney(tourney, reason.ptr);
        strbuf_free(&reason);
    }
}

static void on_begin(void *context) {
    const ActiveGame *active = context;
    Tourney *tourney = active->tourney;
    pthread_mutex_lock(&tourney->report->mutex);
    matchpage_begin_game(&tourney->page, active->slot, active->game);
    matchreport_begin_game(tourney->report, &tourney->standings, active->slot, active->game);
    require_written(tourney, matchpage_write_if_due(&tourney->page, &tourney->standings),
                    tourney->page.path);
    pthread_mutex_unlock(&tourney->report->mutex);
}

static void on_move(void *context, Position *pos, const GameResult *result) {
    const ActiveGame *active = context;
    Tourney *tourney = active->tourney;
    pthread_mutex_lock(&tourney->report->mutex);
    matchpage_add_move(&tourney->page, active->slot, pos, result);
    matchreport_add_move(tourney->report, active->slot, pos, result);
    require_written(tourney, matchpage_write_if_due(&tourney->page, &tourney->standings),
                    tourney->page.path);
    pthread_mutex_unlock(&tourney->report->mutex);
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
    Standings *standings = &tourney->standings;
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
     * treated as if it had not ended. The results are written first. */
    pthread_mutex_lock(&tourney->report->mutex);
    if (status == REFEREE_NO_EXEC) {
        fail_tourney(tourney, result.detail.ptr);
    } else if (status == REFEREE_DONE && !tourney->is_decided && !tourney->has_failed) {
        standings_add(standings, game, &result);
        require_written(tourney, resultlog_add_game(&tourney->log, contest, game, &result),
                        tourney->settings->results.path);
        require_written(tourney, write_record(tourney, game, pos, &result),
                        tourney->settings->records.dir);
        matchpage_end_game(&tourney->page, slot, &result);
        matchreport_end_game(tourney->report, standings, game, &result);
        check_sprt(tourney);
    }
    matchpage_free_slot(&tourney->page, slot);
    matchreport_free_slot(tourney->report, slot);
    require_written(tourney, matchpage_write_if_due(&tourney->page, standings), tourney->page.path);
    pthread_mutex_unlock(&tourney->report->mutex);
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
    int wanted = tourney->standings.total / (schedule_is_paired(&contest->schedule) ? 2 : 1);
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
    pthread_mutex_lock(&tourney->report->mutex);
    while (!tourney->is_over) {
        int64_t due_ns = clock_ns() + DRAW_EVERY_NS;
        matchreport_draw(tourney->report, &tourney->standings);
        while (!tourney->is_over && clock_ns() < due_ns) {
            clock_wait_until(&tourney->over, &tourney->report->mutex, due_ns);
        }
    }
    pthread_mutex_unlock(&tourney->report->mutex);
    return NULL;
}

/* Plays all games with the outputs open, and reports. */
static void play_all(Tourney *tourney) {
    pthread_t drawer;
    Standings *standings = &tourney->standings;
    LiveLines *lines = &tourney->report->lines;
    int done = standings->done;
    standings->done_before = done;
    if (done > 0) {
        matchreport_line(tourney->report, "continuing after %d game%s", done,
                         str_plural((uint64_t)done));
    }
    warn_of_openings(tourney);
    check_sprt(tourney);
    bool is_drawn = lines->is_live && pthread_create(&drawer, NULL, draw_live, tourney) == 0;
    if (!is_drawn) {
        livelines_end(lines);
    }
    parallel_run(tourney->contest->concurrency, play_in_slot, tourney);
    if (is_drawn) {
        pthread_mutex_lock(&tourney->report->mutex);
        tourney->is_over = true;
        pthread_cond_signal(&tourney->over);
        pthread_mutex_unlock(&tourney->report->mutex);
        pthread_join(drawer, NULL);
        livelines_end(lines);
    }
    if (!tourney->has_failed) {
        bool is_complete = tourney->is_decided || standings->done == standings->wanted;
        require_written(tourney,
                        matchpage_write(&tourney->page, standings,
                                        is_complete ? MATCH_ENDED : MATCH_INTERRUPTED),
                        tourney->page.path);
    }
    if (standings->done > 0 || !tourney->has_failed) {
        matchreport_final(tourney->report, standings);
    }
}

TaskStatus task_play(const MatchSettings *settings, MatchReport *report, atomic_bool *cancel) {
    const Contest *contest = &settings->contest;
    Tourney tourney = {
        .settings = settings, .contest = contest, .cancel = cancel, .report = report};
    StrBuf error = STRBUF_INIT;
    report->log = &tourney.log;
    tourney.sink = (PlayerSink){matchreport_warn_of_engine, report, NULL};
    clock_init_cond(&tourney.over);
    standings_init(&tourney.standings, contest);
    matchpage_init(&tourney.page, settings->html_path, contest->concurrency);
    tourney.has_spoken = xmem_calloc((size_t)contest->engine_count, sizeof(atomic_bool));

    /* Open the outputs. The file of results comes last, so that it is not created if another one
     * fails; an existing one is read, and the page lists the games in it. */
    bool is_good = check_records(settings, tourney.standings.total, &error);
    if (is_good && settings->log_path != NULL) {
        tourney.sink.log = player_log_open(settings->log_path, &error);
        is_good = tourney.sink.log != NULL;
    }
    if (is_good && resultlog_open(&tourney.log, &settings->results, &tourney.standings,
                                  &tourney.page, &error)) {
        play_all(&tourney);
    } else {
        fail_tourney(&tourney, error.ptr);
    }
    bool is_written = player_log_close(tourney.sink.log);
    is_written = resultlog_close(&tourney.log) && is_written;
    bool is_complete = tourney.is_decided || tourney.standings.done == tourney.standings.wanted;
    TaskStatus status = tourney.has_failed || !is_written ? TASK_FAILED
                        : is_complete                     ? TASK_DONE
                                                          : TASK_INTERRUPTED;
    report->log = NULL;
    standings_free(&tourney.standings);
    matchpage_free(&tourney.page);
    pthread_cond_destroy(&tourney.over);
    strbuf_free(&error);
    free(tourney.has_spoken);
    return status;
}

TaskStatus task_merge(const MatchSettings *settings, MatchReport *report, atomic_bool *cancel) {
    const ResultLogOptions *options = &settings->results;
    Contest contest = settings->contest; /* the files say who plays */
    Standings standings = {0};
    MatchPage page = {.path = settings->html_path};
    StrBuf line = STRBUF_INIT;
    (void)cancel; /* nothing here takes long */
    contest.engines = NULL;
    bool is_good = resultlog_merge(&settings->merge.items[0], options->path, &contest, &standings,
                                   &page, &line);
    if (is_good && !matchpage_write(&page, &standings, MATCH_MERGED)) {
        strbuf_addf(&line, "cannot write to %s: %s", page.path, file_error_text(errno));
        is_good = false;
    }
    if (!is_good) {
        matchreport_failure(report, "%s", line.ptr);
    } else {
        /* Files of some parts are missing, or were not played to their end. */
        int missing = standings.total - standings.done;
        if (missing > 0) {
            strbuf_addf(&line, "%d of %d games are missing from these files", missing,
                        standings.total);
            matchreport_warning(report, strbuf_view(&line));
        }
        matchreport_final(report, &standings);
    }
    for (int i = 0; contest.engines != NULL && i < contest.engine_count; i++) {
        enginespec_free(&contest.engines[i]);
    }
    free(contest.engines);
    standings_free(&standings);
    matchpage_free(&page);
    strbuf_free(&line);
    return is_good ? TASK_DONE : TASK_FAILED;
}
