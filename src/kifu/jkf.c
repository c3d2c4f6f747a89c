#include "base/json.h"
#include "kifu/codec.h"
#include "kifu/notation.h"
#include "kifu/words.h"

/* {"header": {...}, "initial": {"preset": "HIRATE"},
 *  "moves": [{comments}, {"move": {...}, "time": {...}, "comments": [...], "forks": [[...]]}, ...]}
 *
 * moves[0] belongs to the start. A fork is a list of moves in place of the one that holds it. */

typedef struct JkfState {
    RecordReader reader;
    JsonReader json;
    bool is_start_known; /* no fault was met in "initial" */
} JkfState;

/* Hands a fault of the text over to the record's error, unless that has one. */
static void fail(JkfState *state, const JsonReader *json) {
    state->reader.line = json->line;
    reader_fail(&state->reader, json->fault, utf8_cut(json->rest, 40));
}

/* Takes a null, which means the same as a key that is not there. */
static bool take_null(JkfState *state) {
    return json_peek(&state->json) == JSON_NULL && json_skip(&state->json);
}

/* ---- head ------------------------------------------------------------------------------------ */

static bool read_header(JkfState *state) {
    bool first = true;
    StrView key;
    if (!json_enter(&state->json, JSON_OBJECT)) {
        return false;
    }
    StrBuf name = STRBUF_INIT;
    while (json_next_key(&state->json, &first, &key)) {
        StrView value;
        strbuf_clear(&name);
        strbuf_add(&name, key);
        if (json_peek(&state->json) != JSON_STRING) {
            json_skip(&state->json);
        } else if (json_string(&state->json, &value) && name.len > 0) {
            record_set_header(state->reader.record, strbuf_view(&name), value);
        }
    }
    strbuf_free(&name);
    return state->json.fault == NULL;
}

/* {"color": 0, "kind": "FU"}, or {} for an empty square. */
static bool read_cell(JkfState *state, Piece *piece) {
    bool first = true;
    StrView key, text;
    int color = 0;
    PieceType type = NO_PIECE_TYPE;
    if (!json_enter(&state->json, JSON_OBJECT)) {
        return false;
    }
    while (json_next_key(&state->json, &first, &key)) {
        if (take_null(state)) {
            continue;
        }
        if (sv_equal(key, SV("color"))) {
            json_int(&state->json, 0, 1, &color);
        } else if (!sv_equal(key, SV("kind"))) {
            json_skip(&state->json);
        } else if (json_string(&state->json, &text)) {
            type = word_read_csa(text);
            if (type == NO_PIECE_TYPE) {
                return json_fail(&state->json, "unknown piece");
            }
        }
    }
    *piece = type == NO_PIECE_TYPE ? NO_PIECE : piece_make((Color)color, type);
    return state->json.fault == NULL;
}

/* Nine files of nine squares each. */
static bool read_board(JkfState *state, Setup *setup) {
    bool first_file = true;
    int squares = 0;
    if (!json_enter(&state->json, JSON_ARRAY)) {
        return false;
    }
    while (json_next_item(&state->json, &first_file)) {
        bool first_rank = true;
        if (!json_enter(&state->json, JSON_ARRAY)) {
            return false;
        }
        while (json_next_item(&state->json, &first_rank)) {
            if (squares == SQ_NB || !read_cell(state, &setup->board[squares])) {
                return json_fail(&state->json, "a board of more than 81 squares");
            }
            squares++;
        }
        if (squares % RANK_NB != 0) {
            return json_fail(&state->json, "a file that does not have nine squares");
        }
    }
    return state->json.fault == NULL;
}

static bool read_hands(JkfState *state, Setup *setup) {
    bool first_hand = true;
    if (!json_enter(&state->json, JSON_ARRAY)) {
        return false;
    }
    for (int color = 0; json_next_item(&state->json, &first_hand); color++) {
        bool first = true;
        StrView key;
        if (color == COLOR_NB || !json_enter(&state->json, JSON_OBJECT)) {
            return json_fail(&state->json, "more than two hands");
        }
        while (json_next_key(&state->json, &first, &key)) {
            if (take_null(state)) {
                continue;
            }
            PieceType type = word_read_csa(key);
            int count;
            if (type == NO_PIECE_TYPE || type > GOLD) {
                return json_fail(&state->json, "a hand holds something that is no piece");
            }
            if (json_int(&state->json, 0, pt_total(type), &count)) {
                Hand others = setup->hand[color] & ~((Hand)hand_mask(type) << hand_shift(type));
                setup->hand[color] = others | (Hand)count * hand_unit(type);
            }
        }
    }
    return state->json.fault == NULL;
}

static bool read_data(JkfState *state, Setup *setup) {
    bool first = true;
    StrView key;
    int color = 0;
    *setup = (Setup){.ply = 1};
    if (!json_enter(&state->json, JSON_OBJECT)) {
        return false;
    }
    while (json_next_key(&state->json, &first, &key)) {
        if (take_null(state)) {
            continue;
        }
        if (sv_equal(key, SV("color"))) {
            json_int(&state->json, 0, 1, &color);
        } else if (sv_equal(key, SV("board"))) {
            read_board(state, setup);
        } else if (sv_equal(key, SV("hands"))) {
            read_hands(state, setup);
        } else {
            json_skip(&state->json);
        }
    }
    setup->side = (Color)color;
    return state->json.fault == NULL;
}

static bool read_initial(JkfState *state) {
    bool first = true, has_setup = false;
    StrView key, preset;
    Setup setup = setup_start();
    if (!json_enter(&state->json, JSON_OBJECT)) {
        return false;
    }
    while (json_next_key(&state->json, &first, &key)) {
        if (take_null(state)) {
            continue;
        }
        if (sv_equal(key, SV("data"))) {
            has_setup = read_data(state, &setup);
        } else if (!sv_equal(key, SV("preset"))) {
            json_skip(&state->json);
        } else if (json_string(&state->json, &preset) && !has_setup &&
                   !sv_equal(preset, SV("OTHER"))) {
            const Handicap *handicap = handicap_by_preset(preset);
            if (handicap == NULL) {
                return json_fail(&state->json, "unknown preset");
            }
            setup = handicap_setup(handicap);
        }
    }
    return state->json.fault == NULL && reader_start(&state->reader, &setup);
}

/* ---- moves ----------------------------------------------------------------------------------- */

typedef struct JkfMove {
    Square from, to; /* SQ_NONE when absent */
    PieceType piece;
    bool is_promotion, is_same;
} JkfMove;

static bool read_square(JkfState *state, Square *sq) {
    bool first = true;
    StrView key;
    int x = 0, y = 0;
    if (!json_enter(&state->json, JSON_OBJECT)) {
        return false;
    }
    while (json_next_key(&state->json, &first, &key)) {
        if (sv_equal(key, SV("x"))) {
            json_int(&state->json, 1, 9, &x);
        } else if (sv_equal(key, SV("y"))) {
            json_int(&state->json, 1, 9, &y);
        } else {
            json_skip(&state->json);
        }
    }
    if (state->json.fault == NULL && (x == 0 || y == 0)) {
        return json_fail(&state->json, "a square without x or y");
    }
    *sq = state->json.fault == NULL ? SQ(x, y) : SQ_NONE;
    return state->json.fault == NULL;
}

static bool read_move_fields(JkfState *state, JkfMove *move) {
    bool first = true;
    StrView key, text;
    *move = (JkfMove){.from = SQ_NONE, .to = SQ_NONE};
    if (!json_enter(&state->json, JSON_OBJECT)) {
        return false;
    }
    while (json_next_key(&state->json, &first, &key)) {
        if (take_null(state)) {
            continue;
        }
        if (sv_equal(key, SV("from"))) {
            read_square(state, &move->from);
        } else if (sv_equal(key, SV("to"))) {
            read_square(state, &move->to);
        } else if (sv_equal(key, SV("promote"))) {
            json_bool(&state->json, &move->is_promotion);
        } else if (sv_equal(key, SV("same"))) {
            json_bool(&state->json, &move->is_same);
        } else if (!sv_equal(key, SV("piece"))) {
            json_skip(&state->json);
        } else if (json_string(&state->json, &text)) {
            move->piece = word_read_csa(text);
        }
    }
    return state->json.fault == NULL;
}

static bool read_move(JkfState *state) {
    RecordReader *reader = &state->reader;
    JkfMove fields;
    state->reader.line = state->json.line;
    if (!read_move_fields(state, &fields)) {
        return false;
    }
    Square to =
        fields.to == SQ_NONE && fields.is_same ? notation_last_to(&reader->cursor.pos) : fields.to;
    if (to == SQ_NONE) {
        return json_fail(&state->json, "a move without a destination");
    }
    Move move = MOVE_NONE;
    if (fields.from != SQ_NONE) {
        move =
            fields.is_promotion ? move_make_promotion(fields.from, to) : move_make(fields.from, to);
    } else if (fields.piece != NO_PIECE_TYPE && fields.piece <= GOLD) {
        move = move_make_drop(fields.piece, to);
    }
    if (move == MOVE_NONE || !move_is_real(move)) {
        return json_fail(&state->json, "a move without an origin and without a piece to drop");
    }
    return reader_play(reader, move, (StrView){NULL, 0});
}

/* Takes a number, which may have a fraction. */
static bool read_number(JkfState *state, double *value) {
    json_peek(&state->json);
    StrView before = state->json.rest;
    return json_skip(&state->json) &&
           (sv_to_double(sv_take(before, before.len - state->json.rest.len), 0, 1000000, value) ||
            json_fail(&state->json, "a number expected, or it is out of range"));
}

/* {"h": 0, "m": 1, "s": 30} in ms. */
static bool read_clock(JkfState *state, int64_t *time_ms) {
    bool first = true;
    StrView key;
    double h = 0, m = 0, s = 0;
    if (!json_enter(&state->json, JSON_OBJECT)) {
        return false;
    }
    while (json_next_key(&state->json, &first, &key)) {
        double *field = sv_equal(key, SV("h")) ? &h : sv_equal(key, SV("m")) ? &m : &s;
        if (!take_null(state)) {
            read_number(state, field);
        }
    }
    *time_ms = (int64_t)((h * 3600 + m * 60 + s) * 1000 + 0.5);
    return state->json.fault == NULL;
}

static bool read_time(JkfState *state, int64_t *time_ms) {
    bool first = true;
    StrView key;
    if (!json_enter(&state->json, JSON_OBJECT)) {
        return false;
    }
    while (json_next_key(&state->json, &first, &key)) {
        if (take_null(state)) {
            continue;
        }
        if (sv_equal(key, SV("now"))) {
            read_clock(state, time_ms);
        } else {
            json_skip(&state->json);
        }
    }
    return state->json.fault == NULL;
}

/* What a node says besides its move; the keys may come in any order, so all of it is gathered
 * before the node is made. Forks stand in the text until then. */
typedef struct JkfNode {
    bool has_move, has_special;
    int64_t time_ms;
    StrBuf comment, special;
    StrView forks; /* where they start in the text; empty when there are none */
    int forks_line;
} JkfNode;

static bool read_comments(JkfState *state, StrBuf *comment) {
    bool first = true, is_first_line = true;
    StrView line;
    if (!json_enter(&state->json, JSON_ARRAY)) {
        return false;
    }
    while (json_next_item(&state->json, &first) && json_string(&state->json, &line)) {
        if (!is_first_line) {
            strbuf_add_byte(comment, '\n');
        }
        is_first_line = false;
        strbuf_add(comment, line);
    }
    return state->json.fault == NULL;
}

static bool read_field(JkfState *state, StrView key, JkfNode *node) {
    StrView text;
    if (take_null(state)) {
        return true;
    }
    if (sv_equal(key, SV("move"))) {
        node->has_move = true;
        return read_move(state);
    }
    if (sv_equal(key, SV("time"))) {
        return read_time(state, &node->time_ms);
    }
    if (sv_equal(key, SV("comments"))) {
        return read_comments(state, &node->comment);
    }
    if (sv_equal(key, SV("special"))) {
        node->has_special = json_string(&state->json, &text);
        strbuf_add(&node->special, node->has_special ? text : (StrView){NULL, 0});
        return node->has_special;
    }
    if (sv_equal(key, SV("forks"))) {
        json_peek(&state->json);
        node->forks = state->json.rest;
        node->forks_line = state->json.line;
    }
    return json_skip(&state->json);
}

static bool add_special(JkfState *state, StrView word) {
    Color side = state->reader.cursor.pos.side;
    KmdEnding ending = ending_read_csa(word);
    if (ending == KMD_END_NONE && sv_ends_with(word, SV("ILLEGAL_ACTION"))) {
        ending =
            (word.ptr[0] == '+') == (side == BLACK) ? KMD_END_ILLEGAL_LOSS : KMD_END_ILLEGAL_WIN;
    }
    ending = ending == KMD_END_NONE ? ending_read_kif(word) : ending;
    state->reader.line = state->json.line;
    return reader_end(&state->reader, ending == KMD_END_NONE ? KMD_END_OTHER : ending, word);
}

static bool read_moves(JkfState *state);

/* Reads the forks of a node again, now that their parent is there, and comes back to `node`. */
static bool read_forks(JkfState *state, int parent, const JkfNode *fields) {
    StrView after = state->json.rest;
    int line = state->json.line, node = state->reader.cursor.node;
    bool first = true;
    state->json.rest = fields->forks;
    state->json.line = fields->forks_line;
    json_enter(&state->json, JSON_ARRAY);
    while (json_next_item(&state->json, &first)) {
        cursor_go(&state->reader.cursor, parent);
        if (!read_moves(state)) {
            return false;
        }
    }
    cursor_go(&state->reader.cursor, node);
    state->json.rest = after;
    state->json.line = line;
    return state->json.fault == NULL;
}

static bool read_node_fields(JkfState *state, JkfNode *fields) {
    bool first = true;
    StrView key;
    int parent = state->reader.cursor.node;
    if (!json_enter(&state->json, JSON_OBJECT)) {
        return false;
    }
    while (json_next_key(&state->json, &first, &key)) {
        if (!read_field(state, key, fields)) {
            return false;
        }
    }
    if (state->json.fault != NULL ||
        (fields->has_special && !add_special(state, strbuf_view(&fields->special)))) {
        return false;
    }
    if (fields->comment.len > 0) {
        record_set_comment(state->reader.record, state->reader.cursor.node,
                           strbuf_view(&fields->comment));
    }
    if (fields->time_ms >= 0 && (fields->has_move || fields->has_special)) {
        reader_time(&state->reader, fields->time_ms);
    }
    return fields->forks.len == 0 || read_forks(state, parent, fields);
}

static bool read_node(JkfState *state) {
    JkfNode fields = {.time_ms = -1, .comment = STRBUF_INIT, .special = STRBUF_INIT};
    bool is_good = read_node_fields(state, &fields);
    strbuf_free(&fields.comment);
    strbuf_free(&fields.special);
    return is_good;
}

static bool read_moves(JkfState *state) {
    bool first = true;
    if (!json_enter(&state->json, JSON_ARRAY)) {
        return false;
    }
    while (json_next_item(&state->json, &first)) {
        if (!read_node(state)) {
            return false;
        }
    }
    return state->json.fault == NULL;
}

/* Whether the object is a game, which has moves or a start position, and nothing stands behind it.
 */
static bool check_end(JkfState *state, bool is_game) {
    if (state->json.fault != NULL) {
        return false;
    }
    if (!is_game) {
        return json_fail(&state->json, "an object without moves");
    }
    return json_at_end(&state->json) || json_fail(&state->json, "something stands behind the game");
}

/* The moves need the start position, and JSON promises no order of keys: so the text is walked
 * twice, first for the head and then for the moves. Where the first walk meets a fault, the second
 * gives the moves before it. */
static bool read_top(JkfState *state, bool wants_moves) {
    bool first = true, is_good = true, is_game = false;
    StrView key;
    if (!json_enter(&state->json, JSON_OBJECT)) {
        return false;
    }
    while (is_good && json_next_key(&state->json, &first, &key)) {
        bool is_moves = sv_equal(key, SV("moves")), is_initial = sv_equal(key, SV("initial"));
        is_game |= is_moves || is_initial;
        if (take_null(state)) {
            continue;
        }
        if (sv_equal(key, SV("header")) && !wants_moves) {
            is_good = read_header(state);
        } else if (is_initial && !wants_moves) {
            is_good = state->is_start_known = read_initial(state);
        } else if (is_moves && wants_moves) {
            is_good = read_moves(state);
        } else {
            is_good = json_skip(&state->json);
        }
    }
    return is_good && check_end(state, is_game);
}

static bool read_record(StrView text, Record *record, KmdFault *error) {
    JkfState state = {.is_start_known = true};
    reader_init(&state.reader, record, error);
    json_init(&state.json, text);
    bool is_good = read_top(&state, false);
    JsonReader head = state.json;
    json_init(&state.json, text);
    if (state.is_start_known) {
        is_good = read_top(&state, true) && is_good;
    }
    if (!is_good) {
        fail(&state, head.fault != NULL ? &head : &state.json);
    }
    json_free(&head);
    json_free(&state.json);
    reader_free(&state.reader);
    return is_good;
}

/* ---- writing --------------------------------------------------------------------------------- */

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

static void write_record(const Record *record, TextEncoding encoding, StrBuf *out) {
    (void)encoding;
    write_header(record, out);
    write_initial(&record->start, out);
    write_moves(record, out);
}

const Codec jkf_codec = {
    {"jkf", "JKF", "jkf json", HOLDS_TREE | KMD_HOLDS_TIMES | KMD_HOLDS_ENDINGS, NULL},
    TEXT_UTF8,
    read_record,
    write_record};
