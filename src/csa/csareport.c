/* csareport.c: prints lines, the status and the table. */
#include "csa/csareport.h"

#include <stdlib.h>
#include <time.h>

#include "base/terminal.h"
#include "base/utf8.h"
#include "base/xmem.h"
#include "rules/outcome.h"

void csareport_init(CsaReport *report, FILE *stream, bool is_plain) {
    bool is_terminal = !is_plain && terminal_has_codes(fileno(stream), getenv("TERM"));
    *report = (CsaReport){.stream = stream};
    progress_begin(&report->status, is_terminal ? stream : NULL, is_terminal, 0, 0);
}

void csareport_free(CsaReport *report) {
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
    progress_clear(&report->status);
    StrBuf line = STRBUF_INIT;
    va_list args;
    strbuf_addf(&line, "%s ", when);
    va_start(args, format);
    strbuf_vaddf(&line, format, args);
    va_end(args);
    fprintf(report->stream, "%s\n", line.ptr);
    fflush(report->stream);
    strbuf_free(&line);
}

void csareport_status(CsaReport *report, StrView text) {
    if (report->status.file != NULL) {
        progress_show(&report->status, "%.*s", (int)text.len, text.ptr);
    }
}

void csareport_count(CsaReport *report, StrView opponent, Color us, KmdWinner winner) {
    int index = 0;
    while (index < report->count && !sv_equal(sv_from(report->opponents[index].name), opponent)) {
        index++;
    }
    if (index == report->count) {
        report->opponents = xmem_grow(report->opponents, &report->cap, (size_t)report->count + 1,
                                      sizeof(report->opponents[0]));
        report->opponents[report->count++] = (CsaOpponent){.name = sv_copy(opponent)};
    }
    CsaOpponent *row = &report->opponents[index];
    int sign = outcome_sign(winner, us);
    row->wins += sign > 0;
    row->losses += sign < 0;
    row->draws += winner == KMD_WINNER_DRAW;
    row->interrupted += winner == KMD_WINNER_NONE;
    report->games += winner != KMD_WINNER_NONE;
}

static void print_row(CsaReport *report, const CsaOpponent *row, int width) {
    int games = row->wins + row->draws + row->losses;
    fprintf(report->stream, "%s%*s %6d %6d %6d %6d %6d %8.1f\n", row->name,
            width - utf8_columns(sv_from(row->name)), "", games, row->wins, row->draws, row->losses,
            row->interrupted, row->wins + row->draws / 2.0);
}

void csareport_table(CsaReport *report) {
    char total[] = "total";
    CsaOpponent all = {.name = total};
    int width = 8;
    progress_clear(&report->status);
    for (int i = 0; i < report->count; i++) {
        const CsaOpponent *row = &report->opponents[i];
        width = int_max(width, utf8_columns(sv_from(row->name)));
        all.wins += row->wins;
        all.draws += row->draws;
        all.losses += row->losses;
        all.interrupted += row->interrupted;
    }
    if (report->count > 0) {
        fprintf(report->stream, "\n%-*s %6s %6s %6s %6s %6s %8s\n", width, "opponent", "games",
                "won", "drawn", "lost", "broken", "points");
        for (int i = 0; i < report->count; i++) {
            print_row(report, &report->opponents[i], width);
        }
        print_row(report, &all, width);
        fflush(report->stream);
    }
}
