/* csareport.c: prints lines, the live view and the table. */
#include "csa/csareport.h"

#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/terminal.h"
#include "base/utf8.h"
#include "base/xmem.h"
#include "play/usiline.h"
#include "record/diagram.h"
#include "rules/outcome.h"
#include "rules/position.h"

/* The live view is redrawn at most four times a second. */
#define DRAW_EVERY_NS INT64_C(250000000)

void csareport_init(CsaReport *report, FILE *stream) {
    *report = (CsaReport){.stream = stream, .start_ns = clock_ns()};
    livelines_begin(&report->lines, stream, getenv("TERM"), getenv("NO_COLOR"));
}

void csareport_free(CsaReport *report) {
    livelines_end(&report->lines);
    for (int i = 0; i < report->count; i++) {
        free(report->opponents[i].name);
    }
    free(report->opponents);
    *report = (CsaReport){0};
}

void csareport_line(CsaReport *report, const char *format, ...) {
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
    livelines_print(&report->lines, report->stream, strbuf_view(&line));
    strbuf_free(&line);
}

/* ---- The results. ---- */

static CsaOpponent *find_opponent(CsaReport *report, StrView name) {
    int index = 0;
    while (index < report->count && !sv_equal(sv_from(report->opponents[index].name), name)) {
        index++;
    }
    if (index == report->count) {
        report->opponents = xmem_grow(report->opponents, &report->cap, (size_t)report->count + 1,
                                      sizeof(report->opponents[0]));
        report->opponents[report->count++] = (CsaOpponent){.name = sv_copy(name)};
    }
    return &report->opponents[index];
}

void csareport_count(CsaReport *report, StrView opponent, Color us, KmdWinner winner) {
    CsaOpponent *row = find_opponent(report, opponent);
    int sign = outcome_sign(winner, us);
    row->wins += sign > 0;
    row->losses += sign < 0;
    row->draws += winner == KMD_WINNER_DRAW;
    row->interrupted += winner == KMD_WINNER_NONE;
    report->games += winner != KMD_WINNER_NONE;
}

void csareport_resume(CsaReport *report, StrView opponent) {
    CsaOpponent *row = find_opponent(report, opponent);
    row->interrupted = int_max(row->interrupted - 1, 0);
}

static CsaOpponent sum_of(const CsaReport *report) {
    static char total[] = "total";
    CsaOpponent all = {.name = total};
    for (int i = 0; i < report->count; i++) {
        const CsaOpponent *row = &report->opponents[i];
        all.wins += row->wins;
        all.draws += row->draws;
        all.losses += row->losses;
        all.interrupted += row->interrupted;
    }
    return all;
}

static void print_opponent(CsaReport *report, const CsaOpponent *row, int width) {
    int games = row->wins + row->draws + row->losses;
    fprintf(report->stream, "%s%*s %6d %6d %6d %6d %6d %8.1f\n", row->name,
            width - utf8_columns(sv_from(row->name)), "", games, row->wins, row->draws, row->losses,
            row->interrupted, row->wins + row->draws / 2.0);
}

void csareport_table(CsaReport *report) {
    CsaOpponent all = sum_of(report);
    int width = 8;
    livelines_end(&report->lines);
    for (int i = 0; i < report->count; i++) {
        width = int_max(width, utf8_columns(sv_from(report->opponents[i].name)));
    }
    if (report->count > 0) {
        fprintf(report->stream, "\n%-*s %6s %6s %6s %6s %6s %8s\n", width, "opponent", "games",
                "won", "drawn", "lost", "broken", "points");
        for (int i = 0; i < report->count; i++) {
            print_opponent(report, &report->opponents[i], width);
        }
        print_opponent(report, &all, width);
        fflush(report->stream);
    }
}

/* ---- The live view. ---- */

/* Adds "> black name   4:31", with the mark for the side to move. */
static void add_clock(LiveScreen *screen, const CsaView *view, Color side, int width) {
    StrBuf *line = &screen->line;
    strbuf_addf(line, "%s %s ", view->pos->side == side ? ">" : " ",
                side == BLACK ? "black" : "white");
    livelines_append_padded(sv_from(side == BLACK ? view->black : view->white), width, line);
    if (view->left_ms[side] >= 0) {
        strbuf_add_str(line, "  ");
        livelines_append_span(view->left_ms[side] / 1000, line);
    }
    livelines_end_line(screen, LIVE_PLAIN);
}

/* Adds the number of the last move, and the latest score, depth and line that the engine
 * reported. */
static void add_last_move(LiveScreen *screen, const CsaView *view) {
    const GameResult *result = view->result;
    int last = result->plies - 1;
    while (last >= 0 && !result->notes[last].has_score) {
        last--;
    }
    strbuf_addf(&screen->line, "  move %d", view->pos->ply - 1);
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

bool csareport_is_due(const CsaReport *report) {
    return report->lines.is_live && clock_ns() >= report->due_ns;
}

void csareport_hurry(CsaReport *report) {
    report->due_ns = 0;
}

void csareport_draw(CsaReport *report, const CsaView *view) {
    enum { BOARD_ROWS = 15 };
    int columns, rows;
    terminal_size(fileno(report->stream), &columns, &rows);
    LiveScreen screen = livelines_screen(columns, rows, report->lines.has_styles);
    CsaOpponent all = sum_of(report);
    strbuf_addf(&screen.line, "%s on %s: %d game%s, +%d =%d -%d, ", view->name, view->host,
                report->games, str_plural((uint64_t)report->games), all.wins, all.draws,
                all.losses);
    livelines_append_span((clock_ns() - report->start_ns) / 1000000000, &screen.line);
    strbuf_add_str(&screen.line, " elapsed");
    livelines_end_line(&screen, LIVE_BOLD);
    if (view->black == NULL) {
        strbuf_addf(&screen.line, "  %s", view->state);
        livelines_end_line(&screen, LIVE_PLAIN);
    } else {
        int width = int_max(utf8_columns(sv_from(view->black)), utf8_columns(sv_from(view->white)));
        width = int_min(width, screen.columns - LIVE_COLUMNS_MIN / 2);
        add_clock(&screen, view, BLACK, width);
        add_clock(&screen, view, WHITE, width);
        add_last_move(&screen, view);
        if (screen.room >= BOARD_ROWS) {
            Setup setup = pos_get(view->pos);
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
    livelines_draw(&report->lines, &screen);
    livelines_free_screen(&screen);
    report->due_ns = clock_ns() + DRAW_EVERY_NS;
}
