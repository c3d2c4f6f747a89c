/* matchreport_live.c: composes the live view from top to bottom, line by line, and cuts lines at
 * the edge of the terminal. */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/terminal.h"
#include "base/utf8.h"
#include "base/xmem.h"
#include "match/matchreport.h"
#include "play/usiline.h"
#include "rules/position.h"

enum {
    NAME_MIN = 6,
    NAME_MAX = 24,
    ENGINES_MAX = 10, /* that are listed */
    ENGINES_MIN = 2,  /* engines listed even if no room is left for games */
    BAR_MIN = 11,     /* width of the bar of an SPRT */
    BAR_MAX = 41,
    BAR_REST = 48,  /* columns of the SPRT's line besides the bar */
    GAME_REST = 33, /* columns of a game's line besides names and remaining times */
    TIMES_WIDTH = 16,
    GAMES_AND_HEAD = 3 /* lines that the standings leave free for games */
};

void matchreport_add_move(MatchReport *report, int slot, const Position *pos,
                          const GameResult *result) {
    LiveGame *live = &report->live[slot];
    const MoveNote *note = &result->notes[result->plies - 1];
    Color mover = color_flip(pos->side);
    live->move = pos->ply - 1;
    live->left_ns[mover] = note->left_ns;
    if (note->has_score) {
        live->has_score[mover] = true;
        live->score[mover] = note->score;
    }
}

void matchreport_free_slot(MatchReport *report, int slot) {
    report->live[slot].is_on = false;
}

/* ---- Progress ---- */

/* Adds the number of finished games, and the remaining time under the assumption that all games
 * take equally long. */
static void add_progress_line(const Standings *standings, int64_t elapsed_ms, LiveScreen *screen) {
    const Contest *contest = standings->contest;
    int played = standings->done - standings->done_before;
    int left = standings->wanted - standings->done;
    bool has_end = !contest->has_no_end;
    if (contest->event != NULL) {
        strbuf_addf(&screen->line, "%s: ", contest->event);
    }
    strbuf_addf(&screen->line, "%d", standings->done);
    if (has_end) {
        strbuf_addf(&screen->line, " of %d", standings->wanted);
    }
    strbuf_addf(&screen->line, " game%s", !has_end && standings->done == 1 ? "" : "s");
    strbuf_add_str(&screen->line, ", ");
    livelines_append_span(elapsed_ms / 1000, &screen->line);
    strbuf_add_str(&screen->line, " elapsed");
    if (has_end && played > 0 && left > 0) {
        strbuf_add_str(&screen->line, ", about ");
        livelines_append_span((int64_t)((double)elapsed_ms / 1000.0 * left / played),
                              &screen->line);
        strbuf_add_str(&screen->line, " to go");
    }
    livelines_end_line(screen, LIVE_BOLD);
}

/* Adds "H0 | :==== | H1 LLR 0.72 (-2.94, 2.94), 24 % to H1". The bar starts at the colon, the place
 * of a ratio of 0. */
static void add_sprt_bar(const Standings *standings, LiveScreen *screen) {
    const SprtTest *test = &standings->contest->sprt;
    ScoreSample sample = standings_encounter_sample(standings, 0);
    double llr = elo_sprt_llr(test, &sample), low = elo_sprt_lower(test),
           high = elo_sprt_upper(test);
    int width = (int_max(BAR_MIN, int_min(BAR_MAX, screen->columns - BAR_REST)) - 1) | 1;
    int zero = (int)lround(-low / (high - low) * (width - 1));
    int at = (int)lround((fmax(low, fmin(high, llr)) - low) / (high - low) * (width - 1));
    strbuf_add_str(&screen->line, "H0 |");
    for (int i = 0; i < width; i++) {
        bool is_filled = (i > zero && i <= at) || (i < zero && i >= at);
        strbuf_add_byte(&screen->line, i == zero ? ':' : is_filled ? '=' : ' ');
    }
    strbuf_addf(&screen->line, "| H1  LLR %.2f (%.2f, %.2f), %.0f %% to %s", llr, low, high,
                100.0 * fmin(llr / (llr < 0 ? low : high), 1.0), llr < 0 ? "H0" : "H1");
    livelines_end_line(screen, LIVE_PLAIN);
}

/* ---- Standings ---- */

static int name_width(const Contest *contest, int most) {
    int width = NAME_MIN;
    for (int i = 0; i < contest->engine_count; i++) {
        width = int_max(width, utf8_columns(sv_from(contest->engines[i].name)));
    }
    return int_min(width, int_max(most, NAME_MIN));
}

/* Adds the best engines. The heading and the number of the other engines need two more lines. */
static void add_standings(const Standings *standings, int games, LiveScreen *screen) {
    const Contest *contest = standings->contest;
    int count = contest->engine_count;
    int width = name_width(contest, NAME_MAX);
    int room = screen->room - 2 - int_min(games + 1, GAMES_AND_HEAD);
    int shown = int_min(count, int_max(ENGINES_MIN, int_min(room, ENGINES_MAX)));
    int *order = xmem_alloc((size_t)count, sizeof(int));
    standings_table(standings, order);
    strbuf_add_str(&screen->line, "  #  ");
    livelines_append_padded(SV("engine"), width, &screen->line);
    strbuf_add_str(&screen->line, "  points  games   won drawn  lost  Elo");
    livelines_end_line(screen, LIVE_FAINT);
    for (int i = 0; i < shown; i++) {
        WinDrawLoss score = standings_engine(standings, order[i], -1);
        EloEstimate estimate = standings_engine_elo(standings, order[i]);
        strbuf_addf(&screen->line, "%3d  ", i + 1);
        livelines_append_padded(sv_from(contest->engines[order[i]].name), width, &screen->line);
        strbuf_addf(&screen->line, " %7.1f %6d %5d %5d %5d  ", wdl_points(&score),
                    wdl_games(&score), score.wins, score.draws, score.losses);
        if (wdl_games(&score) > 0) {
            elo_append(&estimate, 1, &screen->line);
        } else {
            strbuf_add_byte(&screen->line, '-');
        }
        livelines_end_line(screen, LIVE_PLAIN);
    }
    if (shown < count) {
        strbuf_addf(&screen->line, "     and %d more", count - shown);
        livelines_end_line(screen, LIVE_FAINT);
    }
    free(order);
}

/* ---- Games in progress ---- */

/* Appends a score as "+123", "-mate 5" or, for a mate of unknown length, "-mate", or "-" if the
 * engine has reported none. */
static void append_live_score(const LiveGame *live, int side, StrBuf *out) {
    StrBuf text = STRBUF_INIT;
    int score = live->score[side], plies = 2 * USI_SCORE_MATE - abs(score);
    if (!live->has_score[side]) {
        strbuf_add_byte(&text, '-');
    } else if (abs(score) <= USI_SCORE_MATE) {
        strbuf_addf(&text, "%+d", score);
    } else {
        strbuf_addf(&text, plies > 0 ? "%cmate %d" : "%cmate", score > 0 ? '+' : '-', plies);
    }
    strbuf_addf(out, " %8s", text.ptr);
    strbuf_free(&text);
}

static void add_game_line(const Contest *contest, const LiveGame *live, int width, bool has_times,
                          LiveScreen *screen) {
    const EngineSpec *engines = contest->engines;
    strbuf_addf(&screen->line, "%6d  ", live->game.index + 1);
    livelines_append_padded(sv_from(engines[schedule_black(&live->game)].name), width,
                            &screen->line);
    strbuf_add_byte(&screen->line, ' ');
    livelines_append_padded(sv_from(engines[schedule_white(&live->game)].name), width,
                            &screen->line);
    strbuf_addf(&screen->line, " %4d", live->move);
    for (int side = BLACK; side <= WHITE; side++) {
        append_live_score(live, side, &screen->line);
    }
    for (int side = BLACK; side <= WHITE && has_times; side++) {
        StrBuf text = STRBUF_INIT;
        if (live->left_ns[side] >= 0) {
            livelines_append_span(live->left_ns[side] / 1000000000, &text);
        } else {
            strbuf_add_byte(&text, '-');
        }
        strbuf_addf(&screen->line, " %7s", text.ptr);
        strbuf_free(&text);
    }
    livelines_end_line(screen, LIVE_PLAIN);
}

void matchreport_append_view(const MatchReport *report, const Standings *standings,
                             int64_t elapsed_ms, LiveScreen *screen) {
    const Contest *contest = standings->contest;
    bool has_times = false;
    int games = 0;
    for (int i = 0; i < report->slots; i++) {
        const LiveGame *live = &report->live[i];
        games += live->is_on;
        has_times |= live->is_on && (live->left_ns[BLACK] >= 0 || live->left_ns[WHITE] >= 0);
    }
    add_progress_line(standings, elapsed_ms, screen);
    if (contest->sprt.alpha > 0) {
        add_sprt_bar(standings, screen);
    }
    add_standings(standings, games, screen);
    if (games == 0) {
        return;
    }
    int rest = GAME_REST + (has_times ? TIMES_WIDTH : 0);
    int width = name_width(contest, int_min(NAME_MAX, (screen->columns - rest) / 2));
    strbuf_add_str(&screen->line, "  game  ");
    livelines_append_padded(SV("black"), width, &screen->line);
    strbuf_add_byte(&screen->line, ' ');
    livelines_append_padded(SV("white"), width, &screen->line);
    strbuf_addf(&screen->line, " move  scores for black%s", has_times ? "     time left" : "");
    livelines_end_line(screen, LIVE_FAINT);
    for (int i = 0; i < report->slots && screen->room > (games > 1 ? 1 : 0); i++) {
        if (report->live[i].is_on) {
            add_game_line(contest, &report->live[i], width, has_times, screen);
            games--;
        }
    }
    if (games > 0) {
        strbuf_addf(&screen->line, "        and %d more", games);
        livelines_end_line(screen, LIVE_FAINT);
    }
}

void matchreport_draw(MatchReport *report, const Standings *standings) {
    int columns, rows;
    terminal_size(fileno(report->stream), &columns, &rows);
    LiveScreen screen = livelines_screen(columns, rows, report->lines.has_styles);
    matchreport_append_view(report, standings, progress_elapsed_ms(&report->progress), &screen);
    livelines_draw(&report->lines, &screen);
    livelines_free_screen(&screen);
}
