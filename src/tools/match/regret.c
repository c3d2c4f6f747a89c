/* regret.c: asks engines for moves, and asks the reference for judgements of these moves.
 *
 * A thread takes a whole position at a time: first each engine chooses, then the reference judges
 * the chosen moves. Every search begins with isready and usinewgame, so that no engine profits from
 * an earlier search. */
#include "tools/match/regret.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/fileio.h"
#include "base/parallel.h"
#include "base/xmem.h"
#include "rules/declare.h"
#include "rules/legality.h"
#include "rules/outcome.h"
#include "rules/usimove.h"
#include "tools/match/regretlog.h"
#include "tools/match/regretreport.h"
#include "tools/match/warnings.h"

typedef struct Regret {
    const MatchSettings *settings;
    atomic_bool *cancel;
    PlayerWatch watch;
    atomic_bool *has_spoken; /* indexed by engine; see player_new */
    pthread_mutex_t mutex;   /* guards everything below */
    MatchReport *report;
    Warnings warnings;
    RegretLog log;
    int next; /* number of the next position */
    int searches;
    bool has_failed;
} Regret;

/* The data of one thread. */
typedef struct Slot {
    Regret *regret;
    Player **players; /* indexed by engine */
    Position pos;
    PlayerAnswer answer;
} Slot;

static void give_up(Regret *regret, const char *what, const char *why) {
    pthread_mutex_lock(&regret->mutex);
    if (!regret->has_failed) {
        matchreport_failure(regret->report, "%s: %s", what, why);
    }
    regret->has_failed = true;
    pthread_mutex_unlock(&regret->mutex);
    atomic_store(regret->cancel, true);
}

/* Lets the engine search the position in *slot, whose USI text is `usi`. Returns false if there is
 * no answer. */
static bool ask(Slot *slot, int engine, StrView usi, const TimeControl *tc) {
    Player *player = slot->players[engine];
    GameClock clock = timecontrol_start(tc, tc);
    PlayerStatus status = player_prepare(player);
    if (status == PLAYER_OK) {
        status = player_think(player, usi, &clock, slot->pos.side, false, &slot->answer);
    }
    if (status != PLAYER_OK && status != PLAYER_CANCELLED) {
        give_up(slot->regret, slot->regret->settings->contest.engines[engine].name,
                player_detail(player));
    }
    return status == PLAYER_OK;
}

/* The score in an answer, for the side to move. If that side resigns or declares a win without a
 * score, this counts as a mate. */
static int score_of(const PlayerAnswer *answer) {
    Move move = usimove_read(strbuf_view(&answer->move));
    return answer->info.has_score ? answer->info.score
           : move == MOVE_RESIGN  ? -USI_SCORE_MATE
           : move == MOVE_WIN     ? USI_SCORE_MATE
                                  : 0;
}

static bool has_row(Slot *slot, const RegretRow *wanted) {
    Regret *regret = slot->regret;
    pthread_mutex_lock(&regret->mutex);
    bool is_there = regretlog_find(&regret->log, wanted) != NULL;
    pthread_mutex_unlock(&regret->mutex);
    return is_there;
}

static bool keep_row(Slot *slot, const RegretRow *row) {
    Regret *regret = slot->regret;
    const MatchSettings *settings = regret->settings;
    pthread_mutex_lock(&regret->mutex);
    bool is_good = regretlog_add(&regret->log, row);
    int error = regret->log.file.error;
    if (++regret->searches % settings->report.every == 0) {
        progress_show(&regret->report->progress, "position %d of %d, %d searches",
                      row->position + 1, settings->contest.openings.count, regret->searches);
    }
    pthread_mutex_unlock(&regret->mutex);
    if (!is_good) {
        give_up(regret, settings->regret.csv_path, file_error_text(error));
    }
    return is_good;
}

/* Lets the engine choose a move, unless the log already contains its choice. */
static bool choose(Slot *slot, int position, int engine, const TimeControl *tc) {
    const MatchSettings *settings = slot->regret->settings;
    RegretRow row = {.position = position, .nodes = tc->nodes};
    StrView usi = sv_from(openings_set(&settings->contest.openings, position, &slot->pos));
    pthread_mutex_lock(&slot->regret->mutex);
    row.engine =
        regretlog_engine(&slot->regret->log, sv_from(settings->contest.engines[engine].name));
    pthread_mutex_unlock(&slot->regret->mutex);
    if (has_row(slot, &row)) {
        return true;
    }
    if (!ask(slot, engine, usi, tc)) {
        return false;
    }
    row.move = usimove_read(strbuf_view(&slot->answer.move));
    row.score = score_of(&slot->answer);
    if (row.move != MOVE_RESIGN && row.move != MOVE_WIN && !move_is_legal(&slot->pos, row.move)) {
        give_up(slot->regret, settings->contest.engines[engine].name, "chooses an illegal move");
        return false;
    }
    return keep_row(slot, &row);
}

/* Judges a move in *slot by the rules alone. The score is for the side that moved. Returns false if
 * the game is not over. */
static bool judge_by_rules(const Slot *slot, int *score) {
    KmdOutcome outcome = outcome_of(&slot->pos, &slot->regret->settings->contest.rules);
    *score = outcome_sign(outcome.winner, color_flip(slot->pos.side)) * USI_SCORE_MATE;
    return outcome.kind != KMD_END_NONE;
}

/* Lets the reference judge a move, unless the log already contains the judgement. */
static bool judge(Slot *slot, int position, Move move) {
    const MatchSettings *settings = slot->regret->settings;
    const TimeControl *tc = &settings->contest.engines[0].tc;
    RegretRow row = {position, -1, tc->nodes, move, 0};
    if (has_row(slot, &row)) {
        return true;
    }
    const char *start = openings_set(&settings->contest.openings, position, &slot->pos);
    if (move == MOVE_RESIGN || move == MOVE_WIN) {
        bool is_win =
            move == MOVE_WIN &&
            declare_result(&slot->pos, settings->contest.rules.declare) == KMD_DECLARATION_WIN;
        row.score = is_win ? USI_SCORE_MATE : -USI_SCORE_MATE;
        return keep_row(slot, &row);
    }
    StrBuf usi = STRBUF_INIT;
    strbuf_add_str(&usi, start);
    bool has_moves = sv_find(sv_from(start), SV(" moves ")) < usi.len;
    strbuf_add_str(&usi, has_moves ? " " : " moves ");
    usimove_append(move, &usi);
    pos_do(&slot->pos, move);
    bool is_good = true;
    if (!judge_by_rules(slot, &row.score)) {
        is_good = ask(slot, 0, strbuf_view(&usi), tc);
        row.score = is_good ? -score_of(&slot->answer) : 0;
    }
    strbuf_free(&usi);
    return is_good && keep_row(slot, &row);
}

/* Lists the different moves chosen in a position. Returns their number. */
static int list_moves(Slot *slot, int position, Move list[MAX_MOVES + 2]) {
    Regret *regret = slot->regret;
    int count = 0;
    pthread_mutex_lock(&regret->mutex);
    for (int i = 0; i < regret->log.count; i++) {
        const RegretRow *row = &regret->log.rows[i];
        bool is_new = row->position == position && row->engine >= 0;
        for (int k = 0; k < count && is_new; k++) {
            is_new = list[k] != row->move;
        }
        if (is_new && count < MAX_MOVES + 2) {
            list[count++] = row->move;
        }
    }
    pthread_mutex_unlock(&regret->mutex);
    return count;
}

/* Lets the engines choose and the reference judge in one position. Returns false if the test must
 * end. */
static bool examine(Slot *slot, int position) {
    const MatchSettings *settings = slot->regret->settings;
    Move list[MAX_MOVES + 2];
    for (int engine = 1; engine < settings->contest.engine_count; engine++) {
        for (int step = 0; step < settings->regret.steps; step++) {
            TimeControl tc = {.nodes = settings->regret.nodes[step]};
            if (!choose(slot, position, engine, &tc)) {
                return false;
            }
        }
    }
    /* The reference's own choice is a candidate too, so that a good move counts even if no engine
     * found it. If all engines chose the same move, there is no loss and the move is not judged. */
    bool is_good = choose(slot, position, 0, &settings->contest.engines[0].tc);
    int count = list_moves(slot, position, list);
    for (int i = 0; i < count && count > 1 && is_good; i++) {
        is_good = judge(slot, position, list[i]);
    }
    return is_good;
}

static int take_position(Regret *regret) {
    pthread_mutex_lock(&regret->mutex);
    bool has_position =
        !atomic_load(regret->cancel) && regret->next < regret->settings->contest.openings.count;
    int position = has_position ? regret->next++ : -1;
    pthread_mutex_unlock(&regret->mutex);
    return position;
}

static void run_thread(void *context, int index) {
    Regret *regret = context;
    const MatchSettings *settings = regret->settings;
    Slot slot = {.regret = regret};
    slot.players = xmem_calloc((size_t)settings->contest.engine_count, sizeof(Player *));
    pos_init(&slot.pos);
    for (int i = 0; i < settings->contest.engine_count; i++) {
        slot.players[i] =
            player_new(&settings->contest.engines[i], &settings->player_rules, &regret->watch,
                       index + 1, &regret->has_spoken[i], regret->cancel);
    }
    int position = take_position(regret);
    while (position >= 0 && examine(&slot, position)) {
        position = take_position(regret);
    }
    for (int i = 0; i < settings->contest.engine_count; i++) {
        player_free(slot.players[i]);
    }
    player_answer_free(&slot.answer);
    free(slot.players);
    pos_free(&slot.pos);
}

/* Writes text to a file; does nothing if path is NULL. */
static void save(Regret *regret, const char *path, StrView text) {
    int error = path != NULL ? file_write(path, text.ptr, text.len) : 0;
    if (error != 0) {
        give_up(regret, path, file_error_text(error));
    }
}

static void report_all(Regret *regret) {
    const MatchSettings *settings = regret->settings;
    StrBuf table = STRBUF_INIT, svg = STRBUF_INIT;
    int complete =
        regretreport_write(&settings->regret, &settings->contest, &regret->log, &table, &svg);
    matchreport_line(regret->report, "%d of %d position%s complete", complete,
                     settings->contest.openings.count,
                     str_plural((uint64_t)settings->contest.openings.count));
    if (complete > 0) {
        matchreport_line(regret->report, "\n%s", table.ptr);
        save(regret, settings->regret.table_path, strbuf_view(&table));
        save(regret, settings->regret.svg_path, strbuf_view(&svg));
    }
    strbuf_free(&table);
    strbuf_free(&svg);
}

/* Appends the first line of the file. */
static void add_head(const MatchSettings *settings, StrBuf *out) {
    strbuf_addf(out, "# regret: %d positions %016llx, judged by %s with %s",
                settings->contest.openings.count,
                (unsigned long long)openings_hash(&settings->contest.openings),
                settings->contest.engines[0].name, settings->contest.engines[0].time_text);
}

static void run_all(Regret *regret) {
    const MatchSettings *settings = regret->settings;
    StrBuf head = STRBUF_INIT, error = STRBUF_INIT;
    add_head(settings, &head);
    if (regretlog_open(&regret->log, settings->regret.csv_path, strbuf_view(&head),
                       settings->contest.openings.count, &error)) {
        parallel_run(settings->contest.concurrency, run_thread, regret);
        report_all(regret);
    } else {
        matchreport_failure(regret->report, "%s", error.ptr);
        regret->has_failed = true;
    }
    if (!regretlog_close(&regret->log)) {
        give_up(regret, settings->regret.csv_path, "could not be written");
    }
    strbuf_free(&head);
    strbuf_free(&error);
}

TourneyStatus regret_run(const MatchSettings *settings, MatchReport *report, atomic_bool *cancel) {
    Regret regret = {.settings = settings, .cancel = cancel, .report = report};
    StrBuf error = STRBUF_INIT;
    regret.warnings = (Warnings){.report = report, .lock = &regret.mutex};
    regret.watch = (PlayerWatch){warnings_tell, &regret.warnings, NULL};
    regret.has_spoken = xmem_calloc((size_t)settings->contest.engine_count, sizeof(atomic_bool));
    pthread_mutex_init(&regret.mutex, NULL);
    const char *log_path = settings->log_path;
    regret.watch.log = log_path != NULL ? traffic_open(log_path, &error) : NULL;
    if (log_path != NULL && regret.watch.log == NULL) {
        give_up(&regret, log_path, error.ptr);
    } else {
        run_all(&regret);
    }
    if (!traffic_close(regret.watch.log)) {
        give_up(&regret, log_path, "could not be written");
    }
    TourneyStatus status = regret.has_failed     ? TOURNEY_FAILED
                           : atomic_load(cancel) ? TOURNEY_INTERRUPTED
                                                 : TOURNEY_DONE;
    pthread_mutex_destroy(&regret.mutex);
    warnings_free(&regret.warnings);
    strbuf_free(&error);
    free(regret.has_spoken);
    return status;
}
