/* usi_format.c: composes each line from the fields of SearchInfo in the order of the protocol. */
#include "usi/usi_format.h"

#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"

void usi_format_score(Score score, StrBuf *out) {
    if (score == score_mated_in(0)) {
        strbuf_add_str(out, "mate -0");
    } else if (score_is_mate(score)) {
        strbuf_addf(out, "mate %d", score_mate_plies(score));
    } else {
        strbuf_addf(out, "cp %d", score);
    }
}

static uint64_t per_second(uint64_t nodes, int64_t ms) {
    return nodes * 1000 / (uint64_t)i64_max(ms, 1);
}

/* nodes N nps R hashfull H time T */
static void add_effort(uint64_t nodes, int hashfull, int64_t time_ms, StrBuf *out) {
    strbuf_add_str(out, " nodes ");
    strbuf_add_u64(out, nodes);
    strbuf_add_str(out, " nps ");
    strbuf_add_u64(out, per_second(nodes, time_ms));
    strbuf_addf(out, " hashfull %d time ", hashfull);
    strbuf_add_i64(out, time_ms);
}

static void add_line(const Move *line, int len, StrBuf *out) {
    strbuf_add_str(out, len > 0 ? " pv" : "");
    usimove_append_line(line, len, out);
}

void usi_format_info(const SearchInfo *info, StrBuf *out) {
    strbuf_addf(out, "info depth %d seldepth %d", info->depth,
                int_max(info->seldepth, info->depth));
    if (info->line_count > 1) {
        strbuf_addf(out, " multipv %d", info->rank);
    }
    if (info->score != SCORE_NONE) {
        strbuf_add_str(out, " score ");
        usi_format_score(info->score, out);
    }
    if (info->bound == BOUND_LOWER || info->bound == BOUND_UPPER) {
        strbuf_add_str(out, info->bound == BOUND_LOWER ? " lowerbound" : " upperbound");
    }
    add_effort(info->nodes, info->hashfull, info->time_ms, out);
    add_line(info->pv, info->pv_len, out);
    if (info->remark != NULL) {
        strbuf_addf(out, " string %s", info->remark);
    }
}

void usi_format_progress(const SearchProgress *progress, StrBuf *out) {
    strbuf_addf(out, "info depth %d", progress->depth);
    add_effort(progress->nodes, progress->hashfull, progress->time_ms, out);
}

void usi_format_mate_info(const MateInfo *info, StrBuf *out) {
    strbuf_addf(out, "info depth %d", info->depth);
    if (info->rank > 0) {
        strbuf_addf(out, " multipv %d", info->rank);
    }
    if (info->mate > 0) {
        strbuf_addf(out, " score mate %d", info->mate);
    }
    add_effort(info->nodes, info->hash_permille, info->time_ms, out);
    add_line(info->line, info->line_len, out);
}

void usi_format_checkmate(const MateAnswer *answer, StrBuf *out) {
    strbuf_add_str(out, "checkmate");
    if (answer->verdict != MATE_FOUND) {
        strbuf_add_str(out, answer->verdict == MATE_NONE ? " nomate" : " timeout");
        return;
    }
    usimove_append_line(answer->line, answer->line_len, out);
}

void usi_format_bestmove(const SearchResult *result, StrBuf *out) {
    strbuf_add_str(out, "bestmove ");
    usimove_append(result->best, out);
    if (move_is_real(result->best) && result->ponder != MOVE_NONE) {
        strbuf_add_str(out, " ponder ");
        usimove_append(result->ponder, out);
    }
}

void usi_format_option(const ArgOption *option, StrBuf *out) {
    static const char *const types[] = {
        [ARG_BOOL] = "check",   [ARG_INT] = "spin",      [ARG_U64] = "spin",
        [ARG_CHOICE] = "combo", [ARG_STRING] = "string", [ARG_FILE] = "filename"};
    strbuf_addf(out, "option name %s type %s default ", option->name, types[option->kind]);
    size_t begin = out->len;
    cmdline_add_default(option, out);
    if (out->len == begin) {
        strbuf_add_str(out, "<empty>");
    }
    if (option->low < option->high) {
        strbuf_addf(out, " min %.0f max %.0f", option->low, option->high);
    }
    for (int i = 0; option->kind == ARG_CHOICE && cmdline_choice(option, i).len > 0; i++) {
        strbuf_add_str(out, " var ");
        strbuf_add(out, cmdline_choice(option, i));
    }
}

static void add_hand(Hand hand, StrBuf *out) {
    static const PieceType order[] = {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN};
    for (size_t i = 0; i < COUNTOF(order); i++) {
        int count = hand_count(hand, order[i]);
        if (count > 0) {
            strbuf_addf(out, " %c", sfen_letter(order[i]));
            if (count > 1) {
                strbuf_add_i64(out, count);
            }
        }
    }
    strbuf_add_byte(out, '\n');
}

static void add_square(Piece piece, StrBuf *out) {
    if (piece == NO_PIECE) {
        strbuf_add_str(out, "  .");
        return;
    }
    PieceType type = piece_type(piece);
    char letter = sfen_letter(type);
    bool is_black = piece_color(piece) == BLACK;
    strbuf_addf(out, " %c%c", pt_is_promoted(type) ? '+' : ' ',
                is_black ? letter : letter - 'A' + 'a');
}

void usi_format_board(const Position *pos, StrBuf *out) {
    strbuf_add_str(out, "  9  8  7  6  5  4  3  2  1\n");
    for (int rank = 0; rank < RANK_NB; rank++) {
        for (int file = FILE_NB - 1; file >= 0; file--) {
            add_square(pos_piece(pos, sq_make(file, rank)), out);
        }
        strbuf_addf(out, "  %c\n", 'a' + rank);
    }
    strbuf_add_str(out, "black in hand:");
    add_hand(pos->hand[BLACK], out);
    strbuf_add_str(out, "white in hand:");
    add_hand(pos->hand[WHITE], out);
    strbuf_addf(out, "to move: %s\nsfen ", pos->side == BLACK ? "black" : "white");
    pos_get_sfen(pos, out);
    strbuf_addf(out, "\nkey %016llx", (unsigned long long)pos_key(pos));
}
