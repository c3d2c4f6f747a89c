/* Tests the live view of a tournament: its exact lines for a known state, and whether they fit any
 * terminal. tests/match/run_live.sh tests how the lines are drawn. */
#include "match/matchreport.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "match/settings.h"
#include "play/usiline.h"
#include "rules/position.h"
#include "rules/usimove.h"
#include "unit.h"

enum { WORDS_MAX = 64 };

/* The terminal and the time. */
typedef struct LiveFrame {
    int columns, rows;
    bool has_styles;
    int64_t elapsed_ms;
} LiveFrame;

/* A tournament in which no game has been played. */
typedef struct Trial {
    MatchSettings settings;
    Standings standings;
    MatchReport report;
    StrBuf text; /* the view as last drawn */
    char *words[WORDS_MAX];
    int count;
} Trial;

static void begin(Trial *trial, const char *words, int slots) {
    Tokenizer tok = {sv_from(words)};
    StrView word;
    StrBuf error = STRBUF_INIT;
    *trial = (Trial){.text = STRBUF_INIT};
    while (tok_next(&tok, &word) && trial->count < WORDS_MAX) {
        trial->words[trial->count++] = sv_copy(word);
    }
    CHECK_INT(settings_read(trial->count, trial->words, &trial->settings, &error), SETTINGS_OK);
    standings_init(&trial->standings, &trial->settings.contest);
    matchreport_init(&trial->report, stdout, &trial->settings.report, slots);
    trial->report.options.is_quiet = true;
    strbuf_free(&error);
}

static void end(Trial *trial) {
    livelines_end(&trial->report.lines);
    matchreport_free(&trial->report);
    standings_free(&trial->standings);
    settings_free(&trial->settings);
    strbuf_free(&trial->text);
    for (int i = 0; i < trial->count; i++) {
        free(trial->words[i]);
    }
}

static void finish_game(Trial *trial, int index, KmdWinner winner) {
    GameResult result = {.winner = winner, .reason = ENDED_MATE, .plies = 10};
    ScheduledGame game = schedule_game(&trial->settings.contest.schedule, index);
    standings_add(&trial->standings, &game, &result);
    gameresult_free(&result);
}

static const char *draw(Trial *trial, LiveFrame frame) {
    LiveScreen screen = livelines_screen(frame.columns, frame.rows, frame.has_styles);
    matchreport_append_view(&trial->report, &trial->standings, frame.elapsed_ms, &screen);
    strbuf_clear(&trial->text);
    strbuf_add(&trial->text, strbuf_view(&screen.text));
    livelines_free_screen(&screen);
    return trial->text.ptr;
}

static void begin_game(Trial *trial, int slot, int index) {
    ScheduledGame game = schedule_game(&trial->settings.contest.schedule, index);
    matchreport_begin_game(&trial->report, &trial->standings, slot, &game);
}

/* Plays one move in the slot's game: 7g7f, with this note. */
static void play_move(Trial *trial, int slot, MoveNote note) {
    Position pos;
    UsiFault fault;
    GameResult result = {.plies = 1, .notes = &note};
    pos_init(&pos);
    CHECK(usimove_position(SV("startpos moves 7g7f"), &pos, &fault));
    matchreport_add_move(&trial->report, slot, &pos, &result);
    pos_free(&pos);
}

static void test_match(void) {
    Trial trial;
    begin(&trial,
          "-engine cmd=./a name=new tc=10+0.1 -engine cmd=./b name=old-version tc=10+0.1 "
          "-rounds 50 -event Trial -sprt elo0=0 elo1=200",
          2);
    const LiveFrame frame = {.columns = 80, .rows = 24, .elapsed_ms = 3661000};
    CHECK_STR(draw(&trial, frame),
              "Trial: 0 of 100 games, 1:01:01 elapsed\n"
              "H0 |               :               | H1  LLR 0.00 (-2.94, 2.94), 0 % to H1\n"
              "  #  engine       points  games   won drawn  lost  Elo\n"
              "  1  new             0.0      0     0     0     0  -\n"
              "  2  old-version     0.0      0     0     0     0  -\n");
    finish_game(&trial, 0, KMD_WINNER_BLACK); /* the first engine has black */
    finish_game(&trial, 1, KMD_WINNER_DRAW);
    finish_game(&trial, 2, KMD_WINNER_DRAW);
    finish_game(&trial, 3, KMD_WINNER_WHITE);
    trial.standings.done_before = 2;
    begin_game(&trial, 0, 4);
    begin_game(&trial, 1, 5);
    play_move(&trial, 0, (MoveNote){.has_score = true, .score = -123, .left_ns = 61999000000});
    play_move(&trial, 1,
              (MoveNote){.has_score = true, .score = 2 * USI_SCORE_MATE - 7, .left_ns = -1});
    CHECK_STR(draw(&trial, frame),
              "Trial: 4 of 100 games, 1:01:01 elapsed, about 48:48:48 to go\n"
              "H0 |               :===            | H1  LLR 0.61 (-2.94, 2.94), 21 % to H1\n"
              "  #  engine       points  games   won drawn  lost  Elo\n"
              "  1  new             3.0      4     2     2     0  +190.8 +/- 451.3\n"
              "  2  old-version     1.0      4     0     2     2  -190.8 +/- 451.3\n"
              "  game  black       white       move  scores for black     time left\n"
              "     5  new         old-version    1     -123        -    1:01       -\n"
              "     6  old-version new            1  +mate 7        -       -       -\n");
    /* A mate of unknown length. */
    play_move(&trial, 1, (MoveNote){.has_score = true, .score = -2 * USI_SCORE_MATE});
    CHECK(sv_find(sv_from(draw(&trial, frame)), SV("    -mate        -")) < trial.text.len);
    matchreport_free_slot(&trial.report, 0);
    matchreport_free_slot(&trial.report, 1);
    CHECK(sv_find(sv_from(draw(&trial, frame)), SV("black")) == trial.text.len);
    end(&trial);
}

/* If no score is reported, the previous one stays. */
static void test_scores(void) {
    Trial trial;
    begin(&trial, "-engine cmd=./a -engine cmd=./b -each nodes=1", 1);
    begin_game(&trial, 0, 0);
    play_move(&trial, 0, (MoveNote){.has_score = true, .score = 45, .left_ns = -1});
    play_move(&trial, 0, (MoveNote){.has_score = false, .score = 9999, .left_ns = -1});
    CHECK(trial.report.live[0].has_score[BLACK]);
    CHECK_INT(trial.report.live[0].score[BLACK], 45);
    CHECK(!trial.report.live[0].has_score[WHITE]);
    begin_game(&trial, 0, 1);
    CHECK(!trial.report.live[0].has_score[BLACK]);
    end(&trial);
}

/* Checks that every line fits, and returns their number. */
static int count_lines(const Trial *trial, const LiveFrame *frame) {
    StrView rest = strbuf_view(&trial->text), line;
    int lines = 0;
    CHECK(trial->text.len > 0 && trial->text.ptr[trial->text.len - 1] == '\n');
    while (rest.len > 0 && sv_next_field(&rest, '\n', &line)) {
        CHECK(utf8_columns(line) < frame->columns);
        lines++;
    }
    CHECK(lines < frame->rows);
    return lines;
}

/* Tests more engines and games than lines, and names wider than the terminal. */
static void test_small(void) {
    enum { ENGINES = 14, SLOTS = 20 };
    Trial trial;
    StrBuf words = STRBUF_INIT;
    for (int i = 0; i < ENGINES; i++) {
        strbuf_addf(&words, "-engine cmd=./a name=%02d-小駒小駒小駒小駒小駒小駒小駒小駒 ", i);
    }
    strbuf_add_str(&words, "-each tc=1+1 -concurrency 20");
    begin(&trial, words.ptr, SLOTS);
    for (int i = 0; i < SLOTS; i++) {
        begin_game(&trial, i, i);
        play_move(&trial, i, (MoveNote){.left_ns = 1});
    }
    for (int columns = LIVE_COLUMNS_MIN; columns < 140; columns += 7) {
        for (int rows = LIVE_ROWS_MIN; rows < 60; rows += 3) {
            const LiveFrame frame = {.columns = columns, .rows = rows};
            draw(&trial, frame);
            int lines = count_lines(&trial, &frame);
            CHECK_INT(lines, int_min(rows - 1, 1 + 1 + 10 + 1 + 1 + SLOTS));
        }
    }
    draw(&trial, (LiveFrame){.columns = 100, .rows = 24});
    CHECK(sv_find(strbuf_view(&trial.text), SV("\n     and 4 more\n")) < trial.text.len);
    CHECK(sv_find(strbuf_view(&trial.text), SV("\n        and 12 more\n")) < trial.text.len);
    end(&trial);
    strbuf_free(&words);
}

static void test_styles(void) {
    Trial trial;
    begin(&trial, "-engine cmd=./a -engine cmd=./b -each nodes=1", 1);
    LiveFrame frame = {.columns = 80, .rows = 24, .has_styles = true};
    draw(&trial, frame);
    CHECK(sv_starts_with(strbuf_view(&trial.text), SV("\033[1m0 of 2 games")));
    frame.has_styles = false;
    draw(&trial, frame);
    CHECK(sv_find_byte(strbuf_view(&trial.text), '\033') == trial.text.len);
    end(&trial);
}

UNIT_MAIN({"a match", test_match}, {"scores", test_scores}, {"a small terminal", test_small},
          {"styles", test_styles})
