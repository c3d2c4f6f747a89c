/* matchpage.c: keeps the moves of games and fills in the page template at intervals. */
#include "match/matchpage.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "base/base.h"
#include "base/clock.h"
#include "base/fileio.h"
#include "base/json.h"
#include "base/xmem.h"
#include "play/player.h"
#include "rules/legality.h"
#include "rules/position.h"
#include "rules/usimove.h"
#include "web/page.h"

enum {
    LINE_MAX = 8,         /* maximum number of moves per line */
    GAMES_MAX = 20000,    /* maximum number of games that are listed */
    BODIES_MAX = 1 << 24, /* bytes of moves in the page */
    PART_MAX = 50         /* writing the page takes at most this fraction of the time */
};
#define MIN_NS INT64_C(5000000000)

/* ---- Games in progress ---- */

void matchpage_init(MatchPage *page, const char *path, int slots) {
    *page = (MatchPage){.path = path, .start = (int64_t)time(NULL), .slots = slots};
    page->live = xmem_calloc((size_t)slots, sizeof(page->live[0]));
}

static void notes_free(PageNotes *notes) {
    strbuf_free(&notes->scores);
    strbuf_free(&notes->times);
    strbuf_free(&notes->depths);
    strbuf_free(&notes->lines);
    notes->plies = 0;
}

static void stop_game(PageLive *live) {
    live->is_on = false;
    strbuf_free(&live->opening);
    strbuf_free(&live->moves);
    notes_free(&live->notes);
}

void matchpage_free(MatchPage *page) {
    for (int i = 0; i < page->slots; i++) {
        stop_game(&page->live[i]);
    }
    for (int i = 0; i < page->count; i++) {
        free(page->games[i].head);
        free(page->games[i].body);
    }
    free(page->live);
    free(page->games);
    *page = (MatchPage){0};
}

/* Appends the line that follows the move just played, as far as it is legal. */
static void append_line(Position *pos, StrView words, StrBuf *out) {
    Tokenizer tok = {words};
    StrView word;
    int count = 0;
    if (!tok_next(&tok, &word) || usimove_read(word) != pos->now->move) {
        return;
    }
    while (count < LINE_MAX && tok_next(&tok, &word)) {
        Move move = usimove_read(word);
        if (!move_is_legal(pos, move)) {
            break;
        }
        strbuf_add_str(out, count > 0 ? " " : "");
        usimove_append(move, out);
        pos_do(pos, move);
        count++;
    }
    for (; count > 0; count--) {
        pos_undo(pos);
    }
}

static void add_note(PageNotes *notes, Position *pos, const GameResult *result) {
    const MoveNote *note = &result->notes[notes->plies];
    bool is_last = notes->plies == result->plies - 1;
    const char *comma = notes->plies > 0 ? "," : "";
    strbuf_addf(&notes->times, "%s%lld", comma, (long long)(note->time_ns / 1000000));
    strbuf_addf(&notes->depths, "%s%d", comma, note->depth);
    strbuf_add_str(&notes->scores, comma);
    if (note->has_score) {
        strbuf_add_i64(&notes->scores, note->score);
    } else {
        strbuf_add_str(&notes->scores, "null");
    }
    strbuf_addf(&notes->lines, "%s\"", comma);
    if (is_last) {
        append_line(pos, sv_prefix(sv_skip(strbuf_view(&result->pvs), note->pv), note->pv_len),
                    &notes->lines);
    }
    strbuf_add_byte(&notes->lines, '"');
    notes->plies++;
}

/* Adds the moves that are new in the result. */
static void add_new_moves(PageLive *live, Position *pos, const GameResult *result) {
    while (live->notes.plies < result->plies) {
        add_note(&live->notes, pos, result);
    }
    if (result->plies > 0) {
        int64_t left_ns = result->notes[result->plies - 1].left_ns;
        live->left_ms[color_flip(pos->side)] = left_ns < 0 ? -1 : left_ns / 1000000;
    }
    strbuf_clear(&live->opening);
    strbuf_clear(&live->moves);
    strbuf_add(&live->opening, strbuf_view(&result->start));
    strbuf_add(&live->moves, strbuf_view(&result->moves));
    live->last = (int64_t)time(NULL);
}

/* ---- Games as JSON ---- */

static void add_game(const ScheduledGame *game, StrBuf *out) {
    json_add_i64("game", game->index, out);
    json_add_i64("round", game->round, out);
    json_add_i64("black", schedule_black(game), out);
    json_add_i64("white", schedule_white(game), out);
}

static void add_items(const char *key, const StrBuf *items, StrBuf *out) {
    strbuf_addf(out, ",\"%s\":[", key);
    strbuf_add(out, strbuf_view(items));
    strbuf_add_byte(out, ']');
}

static void add_notes(const PageNotes *notes, StrBuf *out) {
    add_items("scores", &notes->scores, out);
    add_items("times", &notes->times, out);
    add_items("depths", &notes->depths, out);
    add_items("lines", &notes->lines, out);
}

static void add_moves(const StrBuf *opening, const StrBuf *moves, StrBuf *out) {
    json_add_text("start", strbuf_view(opening), out);
    json_add_text("moves", strbuf_view(moves), out);
}

/* Appends a pair of numbers, black's and white's. */
static void add_both(const char *key, int64_t black, int64_t white, StrBuf *out) {
    strbuf_addf(out, ",\"%s\":[%lld,%lld]", key, (long long)black, (long long)white);
}

static void append_live(const PageLive *live, StrBuf *out) {
    strbuf_add_str(out, "\n{");
    add_game(&live->game, out);
    json_add_i64("since", live->start, out);
    json_add_i64("last", live->last, out);
    add_both("left", live->left_ms[BLACK], live->left_ms[WHITE], out);
    add_moves(&live->opening, &live->moves, out);
    add_notes(&live->notes, out);
    strbuf_add_byte(out, '}');
}

static void add_result(const GameResult *result, StrBuf *out) {
    const PlayerStats *black = &result->stats[BLACK], *white = &result->stats[WHITE];
    json_add_text("winner", sv_from(gameresult_winner_name(result->winner)), out);
    json_add_text("end", sv_from(gameresult_end_name(result->reason)), out);
    if (result->detail.len > 0) {
        json_add_text("detail", strbuf_view(&result->detail), out);
    }
    json_add_i64("plies", result->plies, out);
    if (result->end_time > 0) {
        json_add_i64("since", result->start_time, out);
        json_add_i64("last", result->end_time, out);
    }
    add_both("ms", black->time_ns / 1000000, white->time_ns / 1000000, out);
    add_both("count", black->moves, white->moves, out);
    add_both("nodes", (int64_t)black->nodes, (int64_t)white->nodes, out);
}

static void drop_oldest(MatchPage *page) {
    if (page->count > GAMES_MAX) {
        PageGame *oldest = &page->games[page->count - 1 - GAMES_MAX];
        free(oldest->head);
        oldest->head = NULL;
    }
    while ((page->body_bytes > BODIES_MAX && page->dropped < page->count - 1) ||
           page->dropped < page->count - GAMES_MAX) {
        PageGame *oldest = &page->games[page->dropped++];
        page->body_bytes -= sv_from(oldest->body).len;
        free(oldest->body);
        oldest->body = NULL;
    }
}

/* Adds a finished game. `live` has what was reported during the game; NULL: only its result is
 * known. */
static void add_finished(MatchPage *page, const PageLive *live, const ScheduledGame *game,
                         const GameResult *result) {
    StrBuf head = STRBUF_INIT, body = STRBUF_INIT;
    strbuf_add_byte(&head, '{');
    add_game(game, &head);
    add_result(result, &head);
    strbuf_add_byte(&body, ' '); /* not empty, so that a comma precedes the moves */
    add_moves(&result->start, &result->moves, &body);
    if (live != NULL) {
        add_notes(&live->notes, &body);
    }
    page->games =
        xmem_grow(page->games, &page->cap, (size_t)page->count + 1, sizeof(page->games[0]));
    page->games[page->count++] =
        (PageGame){sv_copy(strbuf_view(&head)), sv_copy(strbuf_view(&body))};
    page->done_before += live == NULL;
    page->body_bytes += body.len;
    drop_oldest(page);
    strbuf_free(&head);
    strbuf_free(&body);
}

/* ---- The page ---- */

static void append_games(const MatchPage *page, StrBuf *games, StrBuf *playing) {
    for (int i = 0; i < page->count; i++) {
        const PageGame *game = &page->games[i];
        if (game->head == NULL) {
            continue;
        }
        strbuf_add_str(games, games->len > 0 ? ",\n" : "\n");
        strbuf_add_str(games, game->head);
        strbuf_add_str(games, game->body != NULL ? game->body : "");
        strbuf_add_byte(games, '}');
    }
    for (int i = 0; i < page->slots; i++) {
        if (page->live[i].is_on) {
            strbuf_add_str(playing, playing->len > 0 ? "," : "");
            append_live(&page->live[i], playing);
        }
    }
}

bool matchpage_write(MatchPage *page, const Contest *contest, const Standings *standings,
                     MatchState state) {
    if (page->path == NULL) {
        return true;
    }
    StrBuf games = STRBUF_INIT, playing = STRBUF_INIT, json = STRBUF_INIT, text = STRBUF_INIT;
    int64_t begin_ns = clock_ns();
    append_games(page, &games, &playing);
    MatchMoment moment = {.state = state,
                          .start = page->start,
                          .now = (int64_t)time(NULL),
                          .done_before = page->done_before,
                          .games = strbuf_view(&games),
                          .playing = strbuf_view(&playing)};
    matchjson_write(contest, standings, &moment, &json);
    page_write(PAGE_MATCH, strbuf_view(&json), (StrView){NULL, 0}, &text);
    int fault = file_write(page->path, text.ptr, text.len);
    int64_t now_ns = clock_ns();
    page->due_ns = now_ns + i64_max(MIN_NS, (now_ns - begin_ns) * PART_MAX);
    strbuf_free(&games);
    strbuf_free(&playing);
    strbuf_free(&json);
    strbuf_free(&text);
    errno = fault;
    return fault == 0;
}

bool matchpage_hear(void *self, const MatchEvent *event) {
    MatchPage *page = self;
    if (page->path == NULL) {
        return true;
    }
    if (event->kind == EVENT_KNOWN) {
        add_finished(page, NULL, event->game, event->result);
        return true;
    }
    PageLive *live = &page->live[event->slot];
    if (event->kind == EVENT_BEGIN) {
        stop_game(live);
        *live = (PageLive){.is_on = true, .game = *event->game, .left_ms = {-1, -1}};
        live->start = live->last = (int64_t)time(NULL);
    } else if (event->kind == EVENT_MOVE) {
        add_new_moves(live, event->pos, event->result);
    } else if (event->kind == EVENT_END) {
        add_finished(page, live, event->game, event->result);
        return true; /* EVENT_STOP follows at once */
    } else {
        stop_game(live);
    }
    return clock_ns() < page->due_ns ||
           matchpage_write(page, event->contest, event->standings, MATCH_RUNS);
}
