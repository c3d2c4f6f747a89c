#include "tools/match/gamerecord.h"

#include <stdlib.h>

#include "kifu/words.h"
#include "tools/match/usiline.h"

/* What records hold of a mate: this less its plies, as in those that `komadori analyze` writes. */
#define RECORD_MATE 32000

/* The record's word for the end of the game, with `side` to move. */
static KmdEnding ending_of(const GameResult *result, Color side) {
    bool mover_lost = result->winner == winner_of(color_flip(side));
    switch (result->reason) {
    case ENDED_MATE:
    case ENDED_NO_MOVES:
        return KMD_END_MATE;
    case ENDED_RESIGN:
        return KMD_END_RESIGN;
    case ENDED_DECLARATION:
        return result->winner == KMD_WINNER_DRAW ? KMD_END_IMPASSE : KMD_END_DECLARATION;
    case ENDED_TRY:
        return KMD_END_TRY;
    case ENDED_REPETITION:
        return KMD_END_SENNICHITE;
    case ENDED_PERPETUAL_CHECK:
    case ENDED_CRASH:
    case ENDED_NOT_READY:
    case ENDED_PROTOCOL:
        return mover_lost ? KMD_END_ILLEGAL_LOSS : KMD_END_ILLEGAL_WIN;
    case ENDED_MAX_PLIES:
        return KMD_END_MAX_MOVES;
    case ENDED_ADJUDGED_DRAW:
        return KMD_END_DRAW;
    case ENDED_ILLEGAL:
    case ENDED_FALSE_WIN:
        return KMD_END_ILLEGAL_LOSS;
    case ENDED_TIME:
    case ENDED_HANG:
        return KMD_END_TIMEOUT;
    case ENDED_ADJUDGED_WIN: /* no format has a word for the win of the side to move */
        return mover_lost ? KMD_END_RESIGN : KMD_END_INTERRUPT;
    case ENDED_NB:
        break;
    }
    return KMD_END_INTERRUPT;
}

/* "評価値=123 深さ=14", in CSA "* 123" as floodgate's programs write it. */
static void add_score(const MoveNote *note, bool is_csa, Record *record, int node) {
    StrBuf text = STRBUF_INIT;
    int plies = 2 * USI_SCORE_MATE - abs(note->score);
    bool is_mate = abs(note->score) > USI_SCORE_MATE;
    int mate = note->score > 0 ? RECORD_MATE - plies : plies - RECORD_MATE;
    strbuf_addf(&text, "%s%d", is_csa ? "* " : "評価値=", is_mate ? mate : note->score);
    if (is_mate && !is_csa) {
        strbuf_addf(&text, " (%sの%d手詰)", word_side(note->score > 0 ? BLACK : WHITE), plies);
    }
    if (note->depth > 0 && !is_csa) {
        strbuf_addf(&text, " 深さ=%d", note->depth);
    }
    record_add_comment(record, node, strbuf_view(&text));
    strbuf_free(&text);
}

/* Adds all moves, with time and score of those that the players made. Returns the last node. */
static int add_moves(const GameSheet *sheet, bool is_csa, Record *record) {
    int count = pos_moves_done(sheet->pos);
    int opening = count - sheet->result->plies;
    int node = KMD_ROOT;
    for (int i = 0; i < count; i++) {
        node = record_add_move(record, node, sheet->pos->states[i + 1].move);
        if (i >= opening) {
            const MoveNote *note = &sheet->result->notes[i - opening];
            record_set_time(record, node, note->time_ns / 1000000);
            if (note->has_score) {
                add_score(note, is_csa, record, node);
            }
        }
    }
    return node;
}

/* What the ending does not say. */
static void add_comment(const GameResult *result, Record *record, int node) {
    StrBuf text = STRBUF_INIT;
    bool is_adjudged =
        result->reason == ENDED_ADJUDGED_WIN || result->reason == ENDED_ADJUDGED_DRAW;
    if (!is_adjudged && !end_reason_is_fault(result->reason)) {
        return;
    }
    strbuf_addf(&text, "%s, winner: %s", end_reason_name(result->reason),
                winner_name(result->winner));
    if (result->detail.len > 0) {
        strbuf_addf(&text, " (%s)", result->detail.ptr);
    }
    record_add_comment(record, node, strbuf_view(&text));
    strbuf_free(&text);
}

void gamerecord_write(const GameSheet *sheet, const KifuForm *form, StrBuf *out) {
    Position pos;
    Record record;
    pos_init(&pos);
    pos_copy(&pos, sheet->pos);
    while (pos_moves_done(&pos) > 0) {
        pos_undo(&pos);
    }
    record_init(&record);
    record.start = pos_get(&pos);
    if (sheet->event != NULL) {
        record_set_header(&record, SV("棋戦"), sv_from(sheet->event));
    }
    if (sheet->site != NULL) {
        record_set_header(&record, SV("場所"), sv_from(sheet->site));
    }
    record_set_header(&record, SV("先手"), sv_from(sheet->black));
    record_set_header(&record, SV("後手"), sv_from(sheet->white));
    bool is_csa = sv_starts_with(sv_from(form->codec->format.name), SV("csa"));
    int node = add_moves(sheet, is_csa, &record);
    add_comment(sheet->result, &record, node);
    record_add_ending(&record, node, ending_of(sheet->result, sheet->pos->side));
    (void)kifu_write(&record, form, out);
    record_free(&record);
    pos_free(&pos);
}
