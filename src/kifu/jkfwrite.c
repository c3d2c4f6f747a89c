#include "kifu/jkfwrite.h"

#include "base/json.h"
#include "kifu/notation.h"
#include "kifu/words.h"

static void write_header(const Record *record, StrBuf *out) {
    strbuf_add_str(out, "{\"header\":{");
    for (int i = 0; i < record->header_count; i++) {
        StrView key = record_text(record, record->headers[i].key);
        strbuf_add_str(out, i > 0 ? "," : "");
        json_append_string(handicap_header_key(&record->start, key), out);
        strbuf_add_byte(out, ':');
        json_append_string(record_text(record, record->headers[i].value), out);
    }
    strbuf_add_str(out, "},\"initial\":{\"preset\":");
}

static void write_hand(Hand hand, StrBuf *out) {
    strbuf_add_byte(out, '{');
    for (int type = PAWN; type <= GOLD; type++) {
        strbuf_addf(out, "%s\"%s\":%d", type > PAWN ? "," : "", word_csa((PieceType)type),
                    hand_count(hand, (PieceType)type));
    }
    strbuf_add_byte(out, '}');
}

static void write_initial(const Setup *setup, StrBuf *out) {
    const Handicap *handicap = handicap_by_setup(setup);
    if (handicap != NULL && handicap->is_plain) {
        strbuf_addf(out, "\"%s\"}", handicap->preset);
        return;
    }
    strbuf_addf(out, "\"OTHER\",\"data\":{\"color\":%d,\"board\":[", (int)setup->side);
    for (Square sq = 0; sq < SQ_NB; sq++) {
        Piece piece = setup->board[sq];
        strbuf_add_str(out, sq % RANK_NB != 0 ? "," : sq > 0 ? ",[" : "[");
        if (piece == NO_PIECE) {
            strbuf_add_str(out, "{}");
        } else {
            strbuf_addf(out, "{\"color\":%d,\"kind\":\"%s\"}", (int)piece_color(piece),
                        word_csa(piece_type(piece)));
        }
        strbuf_add_str(out, sq % RANK_NB == RANK_NB - 1 ? "]" : "");
    }
    strbuf_add_str(out, "],\"hands\":[");
    write_hand(setup->hand[BLACK], out);
    strbuf_add_byte(out, ',');
    write_hand(setup->hand[WHITE], out);
    strbuf_add_str(out, "]}}");
}

static void write_square(const char *name, Square sq, StrBuf *out) {
    strbuf_addf(out, ",\"%s\":{\"x\":%d,\"y\":%d}", name, sq_file(sq) + 1, sq_rank(sq) + 1);
}

static void write_move(const RecordCursor *cursor, Move move, StrBuf *out) {
    const Position *pos = &cursor->pos;
    PieceType type = pos_moved_type(pos, move);
    strbuf_addf(out, "\"move\":{\"color\":%d,\"piece\":\"%s\"", (int)pos->side, word_csa(type));
    write_square("to", move_to(move), out);
    if (move_to(move) == notation_last_to(&cursor->pos)) {
        strbuf_add_str(out, ",\"same\":true");
    }
    if (!move_is_drop(move)) {
        write_square("from", move_from(move), out);
        if (notation_has_choice(pos, move)) {
            strbuf_addf(out, ",\"promote\":%s", move_is_promotion(move) ? "true" : "false");
        }
        if (pos_is_capture(pos, move)) {
            PieceType captured = piece_type(pos_piece(pos, move_to(move)));
            strbuf_addf(out, ",\"capture\":\"%s\"", word_csa(captured));
        }
    }
    char relative[4];
    if (notation_relative(pos, move, relative)[0] != 0) {
        strbuf_addf(out, ",\"relative\":\"%s\"", relative);
    }
    strbuf_add_byte(out, '}');
}

static void write_special(const Record *record, int node, StrBuf *out) {
    const RecordNode *n = &record->nodes[node];
    const char *word = ending_words(n->ending)->csa;
    strbuf_add_str(out, "\"special\":");
    if (n->ending == KMD_END_ILLEGAL_WIN) {
        strbuf_addf(out, "\"%c%s\"", record_side(record, node) == BLACK ? '-' : '+', word);
    } else if (n->ending == KMD_END_OTHER) {
        json_append_string(record_text(record, n->label), out);
    } else {
        json_append_string(sv_from(word[0] != 0 ? word : ending_words(n->ending)->kif), out);
    }
}

static void write_time(const RecordCursor *cursor, int64_t time_ms, StrBuf *out) {
    int64_t now = time_ms / 1000;
    int64_t total = (cursor->spent_ms[cursor->pos.side] + time_ms) / 1000;
    strbuf_addf(out,
                ",\"time\":{\"now\":{\"m\":%d,\"s\":%d},\"total\":{\"h\":%d,\"m\":%d,\"s\":%d}}",
                (int)(now / 60), (int)(now % 60), (int)(total / 3600), (int)(total / 60 % 60),
                (int)(total % 60));
}

/* Writes the lines of a comment that is not empty. */
static void write_comments(StrView text, StrBuf *out) {
    StrView line;
    const char *separator = "\"comments\":[";
    while (sv_next_field(&text, '\n', &line)) {
        strbuf_add_str(out, separator);
        json_append_string(line, out);
        separator = ",";
    }
    strbuf_add_byte(out, ']');
}

/* A node's object without its forks and its closing brace; the cursor stands on its parent. */
static void write_node(const RecordCursor *cursor, int node, StrBuf *out) {
    const Record *record = cursor->record;
    const RecordNode *n = &record->nodes[node];
    strbuf_add_byte(out, '{');
    if (n->ending != KMD_END_NONE) {
        write_special(record, node, out);
    } else if (node != KMD_ROOT) {
        write_move(cursor, n->move, out);
    }
    if (n->time_ms >= 0) {
        write_time(cursor, n->time_ms, out);
    }
    if (n->comment.len > 0) {
        strbuf_add_str(out, node != KMD_ROOT ? "," : "");
        write_comments(record_text(record, n->comment), out);
    }
}

/* From the end of a line: closes it, and the forks and objects it is the last of. Returns the node
 * to go on with, behind a comma, or KMD_NODE_NONE at the end of the main line. */
static int close_line(const Record *record, int leaf, StrBuf *out) {
    const RecordNode *nodes = record->nodes;
    int node = leaf;
    for (;;) {
        while (node != KMD_ROOT && !record_is_variation(record, node)) {
            node = nodes[node].parent;
        }
        if (node == KMD_ROOT) {
            return KMD_NODE_NONE;
        }
        strbuf_add_byte(out, ']');
        if (nodes[node].sibling != KMD_NODE_NONE) {
            strbuf_add_str(out, ",[");
            return nodes[node].sibling;
        }
        strbuf_add_str(out, "]}");
        node = nodes[nodes[node].parent].child; /* the node that holds these forks */
        if (nodes[node].child != KMD_NODE_NONE) {
            strbuf_add_byte(out, ',');
            return nodes[node].child;
        }
        /* It ends its own line too. */
    }
}

static void write_moves(const Record *record, StrBuf *out) {
    const RecordNode *nodes = record->nodes;
    RecordCursor cursor;
    cursor_init(&cursor, record);
    strbuf_add_str(out, ",\"moves\":[");
    write_node(&cursor, KMD_ROOT, out);
    strbuf_add_byte(out, '}');
    int node = nodes[KMD_ROOT].child;
    strbuf_add_str(out, node != KMD_NODE_NONE ? "," : "");
    while (node != KMD_NODE_NONE) {
        cursor_go(&cursor, nodes[node].parent);
        write_node(&cursor, node, out);
        if (!record_is_variation(record, node) && nodes[node].sibling != KMD_NODE_NONE) {
            strbuf_add_str(out, ",\"forks\":[[");
            node = nodes[node].sibling;
            continue;
        }
        strbuf_add_byte(out, '}');
        if (nodes[node].child != KMD_NODE_NONE) {
            strbuf_add_byte(out, ',');
            node = nodes[node].child;
        } else {
            node = close_line(record, node, out);
        }
    }
    strbuf_add_str(out, "]}\n");
    cursor_free(&cursor);
}

void jkf_write(const Record *record, TextEncoding encoding, StrBuf *out) {
    (void)encoding;
    write_header(record, out);
    write_initial(&record->start, out);
    write_moves(record, out);
}
