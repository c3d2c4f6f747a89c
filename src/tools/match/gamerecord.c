#include "tools/match/gamerecord.h"

/* The record's word for the end of the game, with `side` to move. */
static Ending ending_of(const GameResult *result, Color side) {
    bool mover_lost = result->winner == winner_of(color_flip(side));
    switch (result->reason) {
    case ENDED_MATE:
    case ENDED_NO_MOVES:
        return END_MATE;
    case ENDED_RESIGN:
        return END_RESIGN;
    case ENDED_DECLARATION:
        return result->winner == WINNER_DRAW ? END_IMPASSE : END_DECLARATION;
    case ENDED_TRY:
        return END_TRY;
    case ENDED_REPETITION:
        return END_SENNICHITE;
    case ENDED_PERPETUAL_CHECK:
        return mover_lost ? END_ILLEGAL_LOSS : END_ILLEGAL_WIN;
    case ENDED_MAX_PLIES:
        return END_MAX_MOVES;
    case ENDED_ADJUDGED_DRAW:
        return END_DRAW;
    case ENDED_ILLEGAL:
    case ENDED_FALSE_WIN:
        return END_ILLEGAL_LOSS;
    case ENDED_TIME:
        return END_TIMEOUT;
    case ENDED_HANG:
    case ENDED_CRASH:
    case ENDED_NOT_READY:
    case ENDED_PROTOCOL:
        return mover_lost ? END_FORFEIT_LOSS : END_FORFEIT_WIN;
    case ENDED_ADJUDGED_WIN:
    case ENDED_NB:
        break;
    }
    return END_INTERRUPT;
}

/* Adds all moves and the time of those that the players made. Returns the last node. */
static int add_moves(const GameSheet *sheet, Record *record) {
    int count = pos_moves_done(sheet->pos);
    int opening = count - sheet->result->plies;
    int node = RECORD_ROOT;
    for (int i = 0; i < count; i++) {
        node = record_add_move(record, node, sheet->pos->states[i + 1].move);
        if (i >= opening) {
            record_set_time(record, node, sheet->result->move_ns[i - opening] / 1000000);
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
    record_set_header(&record, SV("先手"), sv_from(sheet->black));
    record_set_header(&record, SV("後手"), sv_from(sheet->white));
    int node = add_moves(sheet, &record);
    add_comment(sheet->result, &record, node);
    record_add_ending(&record, node, ending_of(sheet->result, sheet->pos->side));
    (void)kifu_write(&record, form, out);
    record_free(&record);
    pos_free(&pos);
}
