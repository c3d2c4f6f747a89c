/* Tests the JSON of a tournament's page: it must be valid whatever the names and results are, and
 * have the numbers of standings.h. tests/clients/run_page.sh tests the page in a browser. */
#include "match/matchpage.h"

#include "base/json.h"
#include "base/xmem.h"
#include "match/settings.h"
#include "play/player.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

static void read_settings(int count, const char *const *words, MatchSettings *settings) {
    StrBuf error = STRBUF_INIT;
    CHECK_INT(settings_read(count, (char *const *)words, settings, &error), SETTINGS_OK);
    strbuf_free(&error);
}

static bool is_json(const StrBuf *text) {
    JsonReader reader;
    json_init(&reader, strbuf_view(text));
    bool is_whole = json_skip(&reader) && json_at_end(&reader);
    json_free(&reader);
    return is_whole;
}

static void check_has(const StrBuf *text, const char *part) {
    CHECK(sv_find(strbuf_view(text), sv_from(part)) < text->len);
}

/* A page that is never due, so that nothing is written. */
static void begin_page(MatchPage *page, int slots) {
    matchpage_init(page, "page.html", slots);
    page->due_ns = INT64_MAX;
}

static void add(Standings *standings, MatchPage *page, int index, KmdWinner winner) {
    GameResult result = {.winner = winner, .reason = ENDED_MATE, .plies = 10};
    strbuf_add_str(&result.start, "startpos");
    ScheduledGame game = schedule_game(&standings->contest->schedule, index);
    standings_add(standings, &game, &result);
    matchpage_add_known(page, &game, &result);
    gameresult_free(&result);
}

static void write_state(const Standings *standings, const MatchPage *page, StrBuf *out) {
    strbuf_clear(out);
    matchpage_append_json(page, standings, MATCH_RUNS, 0, out);
    CHECK(is_json(out));
}

static void test_match(void) {
    static const char *const words[] = {
        "-engine",   "cmd=./a", "name=\"<a>\"", "tc=10+0.1", "option.X=1", "-engine",
        "cmd=./b",   "name=b",  "tc=10+0.1",    "-rounds",   "3",          "-event",
        "</script>", "-sprt",   "elo0=0",       "elo1=10"};
    MatchSettings settings;
    Standings standings;
    MatchPage page;
    StrBuf json = STRBUF_INIT;
    read_settings(COUNTOF(words), words, &settings);
    standings_init(&standings, &settings.contest);
    begin_page(&page, 1);
    write_state(&standings, &page, &json);
    check_has(&json, "\"state\":\"running\"");
    check_has(&json, "\"event\":\"</script>\"");
    check_has(&json, "\"name\":\"\\\"<a>\\\"\"");
    check_has(&json, "\"command\":[\"-engine\",\"cmd=./a\",");
    add(&standings, &page, 0, KMD_WINNER_BLACK); /* the first engine wins both */
    add(&standings, &page, 1, KMD_WINNER_WHITE);
    write_state(&standings, &page, &json);
    check_has(&json, "\"points\":2.0,\"score\":[2,0,0],\"elo\":null");
    check_has(&json, "\"wanted\":6");
    add(&standings, &page, 2, KMD_WINNER_DRAW);
    add(&standings, &page, 3, KMD_WINNER_BLACK);
    write_state(&standings, &page, &json);
    check_has(&json, "\"points\":2.5,\"score\":[2,1,1],\"elo\":88.74");
    check_has(&json, "\"pairs\":[0,1,0,0,1]");
    check_has(&json,
              "\"encounters\":[{\"first\":0,\"second\":1,\"black\":[1,1,0],\"white\":[1,0,1]}]");
    check_has(&json, "\"ends\":{\"mate\":4},\"blackWins\":2,\"whiteWins\":1,\"length\":10.0");
    CHECK_INT(page.count, 4);
    matchpage_free(&page);
    standings_free(&standings);
    settings_free(&settings);
    strbuf_free(&json);
}

/* An engine without games has no statistics. */
static void test_open(void) {
    static const char *const words[] = {"-engine", "cmd=./a", "-engine", "cmd=./b",
                                        "-engine", "cmd=./c", "-each",   "nodes=1"};
    MatchSettings settings;
    Standings standings;
    MatchPage page;
    StrBuf json = STRBUF_INIT;
    read_settings(COUNTOF(words), words, &settings);
    standings_init(&standings, &settings.contest);
    begin_page(&page, 1);
    add(&standings, &page, 0, KMD_WINNER_BLACK);
    add(&standings, &page, 1, KMD_WINNER_WHITE);
    write_state(&standings, &page, &json);
    check_has(&json, "\"wanted\":6");
    check_has(&json, "{\"first\":0,\"second\":1,\"black\":[1,0,0],\"white\":[1,0,0]}");
    check_has(&json, "{\"first\":1,\"second\":2,\"black\":[0,0,0],\"white\":[0,0,0]}");
    matchpage_free(&page);
    standings_free(&standings);
    settings_free(&settings);
    strbuf_free(&json);
}

/* Plays a move with a reported score and a line after it, of which only the legal part is shown. */
static void play(Position *pos, const char *move, const char *line, int score, GameResult *result) {
    size_t at = result->pvs.len;
    strbuf_add_str(&result->pvs, line);
    strbuf_addf(&result->moves, "%s%s", result->plies > 0 ? " " : "", move);
    pos_do(pos, usimove_read(sv_from(move)));
    result->notes = xmem_grow(result->notes, &result->note_cap, (size_t)result->plies + 1,
                              sizeof(result->notes[0]));
    result->notes[result->plies++] = (MoveNote){.time_ns = 1500000000,
                                                .has_score = line[0] != '\0',
                                                .score = score,
                                                .depth = 7,
                                                .left_ns = 2000000000,
                                                .pv = at,
                                                .pv_len = result->pvs.len - at};
}

static void test_moves(void) {
    MatchPage page;
    GameResult result = {.winner = KMD_WINNER_BLACK, .reason = ENDED_RESIGN};
    ScheduledGame game = {.index = 4, .first = 0, .second = 1, .is_first_black = true};
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, SV(SFEN_START), NULL), KMD_OK);
    begin_page(&page, 2);
    matchpage_begin_game(&page, 1, &game);
    const PageLive *live = &page.live[1];
    CHECK(live->is_on && !page.live[0].is_on);
    strbuf_add_str(&result.start, "startpos");
    play(&pos, "7g7f", "7g7f 3c3d 2g2f 9a9i 8h2b+", 30, &result);
    matchpage_add_move(&page, 1, &pos, &result);
    play(&pos, "3c3d", "8c8d 2g2f", -USI_SCORE_MATE - 9,
         &result); /* the line does not start with this move */
    matchpage_add_move(&page, 1, &pos, &result);
    play(&pos, "2g2f", "", 0, &result);
    matchpage_add_move(&page, 1, &pos, &result);
    CHECK_INT(pos_moves_done(&pos), 3);
    CHECK_STR(live->notes.ptr,
              "[30,1500,7,\"3c3d 2g2f\"],[-100009,1500,7,\"\"],[null,1500,7,\"\"]");
    CHECK_STR(live->moves.ptr, "7g7f 3c3d 2g2f");
    CHECK_INT(live->left_ms[BLACK], 2000);
    matchpage_end_game(&page, 1, &result);
    matchpage_free_slot(&page, 1);
    CHECK(!live->is_on);
    CHECK_INT(page.count, 1);
    StrBuf text = STRBUF_INIT;
    strbuf_addf(&text, "%s%s}", page.games[0].head, page.games[0].body);
    CHECK(is_json(&text));
    check_has(&text, "{\"game\":4,\"round\":0,\"black\":0,\"white\":1,\"winner\":\"black\",");
    check_has(&text, "\"start\":\"startpos\",\"moves\":\"7g7f 3c3d 2g2f\",\"notes\":[[30,");
    strbuf_free(&text);
    gameresult_free(&result);
    matchpage_free(&page);
    pos_free(&pos);
}

/* When there are too many games, the moves of old ones are dropped; the games are still listed. */
static void test_many(void) {
    enum { GAMES = 20 };
    MatchPage page;
    GameResult result = {.winner = KMD_WINNER_DRAW, .reason = ENDED_MAX_PLIES};
    begin_page(&page, 1);
    while (result.moves.len < 1 << 20) {
        strbuf_add_str(&result.moves, "7g7f ");
    }
    for (int i = 0; i < GAMES; i++) {
        ScheduledGame game = {.index = i, .second = 1};
        matchpage_add_known(&page, &game, &result);
    }
    CHECK_INT(page.count, GAMES);
    CHECK(page.dropped >= 4 && page.dropped <= 5);
    CHECK(page.games[page.dropped - 1].body == NULL && page.games[page.dropped].body != NULL);
    CHECK(page.games[0].head != NULL);
    CHECK(page.body_bytes <= 1 << 24);
    gameresult_free(&result);
    matchpage_free(&page);
}

UNIT_MAIN({"a match", test_match}, {"two of three encounters", test_open},
          {"moves of a game", test_moves}, {"games that are too many", test_many})
