/* jkf.c: reads objects with their keys in any order, except that the start position comes before
 * the moves, which are checked while reading; writes variations as forks. */
#include "record/jkf.h"

#include "base/json.h"
#include "base/utf8.h"
#include "record/codec.h"
#include "record/csa.h"
#include "record/handicap.h"
#include "record/notation.h"
#include "record/record.h"
#include "rules/legality.h"

/* {"header": {...}, "initial": {"preset": "HIRATE"},
 *  "moves": [{comments}, {"move": {...}, "time": {...}, "comments": [...], "forks": [[...]]}, ...]}
 *
 * moves[0] belongs to the start position. A fork is a list of moves that replaces the move whose
 * object contains the fork. */

/* The parts of the object that have been read; the JSON reader's user is the RecordReader. */
typedef struct JkfState {
    bool has_start, has_moves;
} JkfState;

/* Reads a piece by its CSA code; NO_PIECE_TYPE if the text is not such a code. */
static bool read_jkf_piece(JsonReader *json, PieceType *type) {
    StrView text;
    bool is_text = json_string(json, &text);
    *type = is_text ? csa_read_piece(text) : NO_PIECE_TYPE;
    return is_text;
}

/* ---- head ------------------------------------------------------------------------------------ */

/* Skips a value that the record cannot contain, with a note. */
static bool skip_unknown(JsonReader *json, StrView key) {
    RecordReader *reader = json->user;
    if (json_peek(json) != JSON_NULL) {
        reader->line = json->line;
        reader_skip(reader, "a key of the object is ignored", key);
    }
    return json_skip(json);
}

/* Skips the value of a key that repeats what other keys say. Any other key is skipped with a
 * note. */
static bool skip_known(JsonReader *json, StrView key, const char *const *known, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (sv_equal(key, sv_from(known[i]))) {
            return json_skip(json);
        }
    }
    return skip_unknown(json, key);
}

static bool take_header(JsonReader *json, StrView key, void *to) {
    StrView value;
    (void)to;
    if (json_peek(json) != JSON_STRING) {
        return skip_unknown(json, key);
    }
    bool is_good = json_string(json, &value);
    if (is_good && key.len > 0) {
        reader_header(json->user, key, value);
    }
    return is_good;
}

typedef struct JkfCell {
    int color;
    PieceType type;
} JkfCell;

/* Reads a key of {"color": 0, "kind": "FU"}, or of {} for an empty square. */
static bool take_cell_key(JsonReader *json, StrView key, void *to) {
    JkfCell *cell = to;
    if (sv_equal(key, SV("color"))) {
        return json_int(json, 0, 1, &cell->color);
    }
    if (!sv_equal(key, SV("kind"))) {
        return json_skip(json);
    }
    return read_jkf_piece(json, &cell->type) &&
           (cell->type != NO_PIECE_TYPE || json_fail(json, "unknown piece"));
}

/* The board as a sequence of files, and the hands as a sequence. */
typedef struct JkfSetup {
    Setup setup;
    int squares, hands; /* number of files and hands read so far */
    int color;
} JkfSetup;

static bool take_jkf_square(JsonReader *json, StrView key, void *to) {
    JkfSetup *into = to;
    JkfCell cell = {0, NO_PIECE_TYPE};
    (void)key;
    if (into->squares == SQ_NB || !json_object(json, take_cell_key, &cell)) {
        return json_fail(json, "a board of more than 81 squares");
    }
    into->setup.board[into->squares++] =
        cell.type == NO_PIECE_TYPE ? NO_PIECE : piece_make((Color)cell.color, cell.type);
    return true;
}

static bool take_file(JsonReader *json, StrView key, void *to) {
    const JkfSetup *into = to;
    (void)key;
    return json_array(json, take_jkf_square, to) &&
           (into->squares % RANK_NB == 0 ||
            json_fail(json, "a file that does not have nine squares"));
}

static bool take_jkf_hand_key(JsonReader *json, StrView key, void *to) {
    Hand *hand = to;
    PieceType type = csa_read_piece(key);
    int count;
    if (type == NO_PIECE_TYPE || type > GOLD) {
        return json_fail(json, "a hand holds something that is not a piece");
    }
    if (!json_int(json, 0, pt_total(type), &count)) {
        return false;
    }
    *hand &= ~((Hand)hand_mask(type) << hand_shift(type));
    *hand |= (Hand)count * hand_unit(type);
    return true;
}

static bool take_hand(JsonReader *json, StrView key, void *to) {
    JkfSetup *into = to;
    (void)key;
    return into->hands < COLOR_NB
               ? json_object(json, take_jkf_hand_key, &into->setup.hand[into->hands++])
               : json_fail(json, "more than two hands");
}

static bool take_setup_key(JsonReader *json, StrView key, void *to) {
    JkfSetup *into = to;
    return sv_equal(key, SV("color"))   ? json_int(json, 0, 1, &into->color)
           : sv_equal(key, SV("board")) ? json_array(json, take_file, into)
           : sv_equal(key, SV("hands")) ? json_array(json, take_hand, into)
                                        : json_skip(json);
}

typedef struct JkfStart {
    Setup setup;
    bool has_setup; /* takes precedence over a preset */
} JkfStart;

static bool take_start_key(JsonReader *json, StrView key, void *to) {
    JkfStart *start = to;
    if (sv_equal(key, SV("data"))) {
        JkfSetup into = {.setup = {.ply = 1}};
        start->has_setup = json_object(json, take_setup_key, &into);
        start->setup = into.setup;
        start->setup.side = (Color)into.color;
        return start->has_setup;
    }
    if (!sv_equal(key, SV("preset"))) {
        return json_skip(json);
    }
    StrView preset;
    if (!json_string(json, &preset)) {
        return false;
    }
    if (!start->has_setup && !sv_equal(preset, SV("OTHER"))) {
        const Handicap *handicap = handicap_by_preset(preset);
        if (handicap == NULL) {
            return json_fail(json, "unknown preset");
        }
        start->setup = handicap_setup(handicap);
    }
    return true;
}

static bool read_jkf_start(JsonReader *json) {
    JkfStart start = {.setup = setup_start()};
    return json_object(json, take_start_key, &start) && reader_start(json->user, &start.setup);
}

/* ---- moves ----------------------------------------------------------------------------------- */

typedef struct JkfMove {
    Square from, to; /* SQ_NONE if absent */
    PieceType piece;
    bool is_promotion, is_same;
} JkfMove;

static bool take_coordinate(JsonReader *json, StrView key, void *to) {
    int *xy = to;
    return sv_equal(key, SV("x"))   ? json_int(json, 1, 9, &xy[0])
           : sv_equal(key, SV("y")) ? json_int(json, 1, 9, &xy[1])
                                    : json_skip(json);
}

static bool read_jkf_square(JsonReader *json, Square *sq) {
    int xy[2] = {0, 0};
    if (!json_object(json, take_coordinate, xy)) {
        return false;
    }
    if (xy[0] == 0 || xy[1] == 0) {
        return json_fail(json, "a square without x or y");
    }
    *sq = SQ(xy[0], xy[1]);
    return true;
}

static bool take_move_key(JsonReader *json, StrView key, void *to) {
    static const char *const known[] = {"color", "relative", "capture"};
    JkfMove *move = to;
    return sv_equal(key, SV("from"))      ? read_jkf_square(json, &move->from)
           : sv_equal(key, SV("to"))      ? read_jkf_square(json, &move->to)
           : sv_equal(key, SV("promote")) ? json_bool(json, &move->is_promotion)
           : sv_equal(key, SV("same"))    ? json_bool(json, &move->is_same)
           : sv_equal(key, SV("piece"))   ? read_jkf_piece(json, &move->piece)
                                          : skip_known(json, key, known, COUNTOF(known));
}

/* True if the next ending says that the move before it was illegal. A move must not come first. */
static bool jkf_claims_foul(const JsonReader *json) {
    static const StrView word = {"\"special\"", 9};
    StrView text = sv_prefix(json->rest, 100000);
    size_t place = sv_find(text, word);
    if (place == text.len || sv_find(sv_prefix(text, place), SV("\"move\"")) < place) {
        return false;
    }
    text = sv_skip(text, place + word.len);
    StrView value = sv_skip(text, sv_find_byte(text, '"') + 1);
    value = sv_prefix(value, sv_find_byte(value, '"'));
    return sv_find(value, SV("ILLEGAL")) < value.len || sv_find(value, SV("反則")) < value.len;
}

static bool read_jkf_move(JsonReader *json) {
    RecordReader *reader = json->user;
    JkfMove fields = {.from = SQ_NONE, .to = SQ_NONE};
    reader->line = json->line;
    if (!json_object(json, take_move_key, &fields)) {
        return false;
    }
    Square to =
        fields.to == SQ_NONE && fields.is_same ? notation_last_to(&reader->cursor.pos) : fields.to;
    if (to == SQ_NONE) {
        return json_fail(json, "a move without a destination");
    }
    Move move = MOVE_NONE;
    if (fields.from != SQ_NONE) {
        move =
            fields.is_promotion ? move_make_promotion(fields.from, to) : move_make(fields.from, to);
    } else if (fields.piece != NO_PIECE_TYPE && fields.piece <= GOLD) {
        move = move_make_drop(fields.piece, to);
    }
    if (move == MOVE_NONE || !move_is_real(move)) {
        return json_fail(json, "a move without an origin and without a piece to drop");
    }
    if (reader_at_ending(reader) || legality_of(&reader->cursor.pos, move) == KMD_LEGAL ||
        !jkf_claims_foul(json)) {
        return reader_play(reader, move, (StrView){NULL, 0});
    }
    IllegalMove foul = {move, fields.piece};
    if (foul.piece == NO_PIECE_TYPE) {
        Piece piece = pos_piece(&reader->cursor.pos, fields.from);
        foul.piece = piece == NO_PIECE ? PAWN : piece_type(piece);
    }
    return reader_foul(reader, false, foul, (StrView){NULL, 0});
}

/* Reads a key of {"h": 0, "m": 1, "s": 30}. Numbers may have fractions; the sum is in seconds. */
static bool take_clock_key(JsonReader *json, StrView key, void *to) {
    double *seconds = to;
    double value;
    json_peek(json);
    StrView before = json->rest;
    double unit = sv_equal(key, SV("h")) ? 3600 : sv_equal(key, SV("m")) ? 60 : 1;
    if (!json_skip(json)) {
        return false;
    }
    if (!sv_to_double(sv_prefix(before, before.len - json->rest.len), 0, 1000000, &value)) {
        return json_fail(json, "a number expected, or it is out of range");
    }
    *seconds += value * unit;
    return true;
}

static bool take_time_key(JsonReader *json, StrView key, void *to) {
    int64_t *time_ms = to;
    double seconds = 0;
    if (!sv_equal(key, SV("now"))) {
        return json_skip(json);
    }
    bool is_good = json_object(json, take_clock_key, &seconds);
    *time_ms = (int64_t)(seconds * 1000 + 0.5);
    return is_good;
}

/* The data of a node except its move. Keys may come in any order, so all of it is collected before
 * the node is created. The forks are read afterwards. */
typedef struct JkfNode {
    bool has_move, has_special, has_comment;
    int64_t time_ms;
    StrBuf comment, special;
    StrView forks; /* text of the forks; empty if there are none */
    int forks_line;
} JkfNode;

static bool take_comment(JsonReader *json, StrView key, void *to) {
    JkfNode *node = to;
    StrView line;
    (void)key;
    if (!json_string(json, &line)) {
        return false;
    }
    strbuf_add_str(&node->comment, node->has_comment ? "\n" : "");
    strbuf_add(&node->comment, line);
    node->has_comment = true;
    return true;
}

static bool take_node_key(JsonReader *json, StrView key, void *to) {
    JkfNode *node = to;
    StrView text;
    if (sv_equal(key, SV("move"))) {
        node->has_move = true;
        return read_jkf_move(json);
    }
    if (sv_equal(key, SV("time"))) {
        return json_object(json, take_time_key, &node->time_ms);
    }
    if (sv_equal(key, SV("comments"))) {
        node->has_comment = false;
        return json_array(json, take_comment, node);
    }
    if (sv_equal(key, SV("special"))) {
        node->has_special = json_string(json, &text);
        strbuf_add(&node->special, node->has_special ? text : (StrView){NULL, 0});
        return node->has_special;
    }
    bool is_forks = sv_equal(key, SV("forks"));
    if (is_forks) {
        node->forks = json->rest;
        node->forks_line = json->line;
    }
    return is_forks ? json_skip(json) : skip_unknown(json, key);
}

static bool add_special(JsonReader *json, StrView word) {
    RecordReader *reader = json->user;
    KmdEnding ending = csa_read_ending(word, reader->cursor.pos.side);
    ending = ending == KMD_END_NONE ? ending_read(ending_japanese, word) : ending;
    reader->line = json->line;
    if (reader->record->nodes[reader->cursor.node].foul.move != MOVE_NONE) {
        return true; /* the ending of the illegal move */
    }
    return reader_end(reader, ending == KMD_END_NONE ? KMD_END_OTHER : ending, word);
}

static JsonTaker take_node;

/* Reads a fork of the moves after node *to. */
static bool take_fork(JsonReader *json, StrView key, void *to) {
    (void)key;
    cursor_go(&((RecordReader *)json->user)->cursor, *(const int *)to);
    return json_array(json, take_node, NULL);
}

/* Reads the forks of a node, now that their parent exists, and returns to the node. */
static bool read_forks(JsonReader *json, int parent, const JkfNode *fields) {
    StrView after = json->rest;
    RecordCursor *cursor = &((RecordReader *)json->user)->cursor;
    int line = json->line;
    int node = cursor->node;
    json->rest = fields->forks;
    json->line = fields->forks_line;
    bool is_good = json_array(json, take_fork, &parent);
    if (is_good) {
        cursor_go(cursor, node);
        json->rest = after;
        json->line = line;
    }
    return is_good;
}

static bool read_node(JsonReader *json, JkfNode *fields) {
    RecordReader *reader = json->user;
    int parent = reader->cursor.node;
    if (!json_object(json, take_node_key, fields) ||
        (fields->has_special && !add_special(json, strbuf_view(&fields->special)))) {
        return false;
    }
    if (fields->comment.len > 0) {
        reader_comment(reader, strbuf_view(&fields->comment));
    }
    if (fields->time_ms >= 0 && (fields->has_move || fields->has_special)) {
        reader_time(reader, fields->time_ms);
    }
    return fields->forks.len == 0 || read_forks(json, parent, fields);
}

static bool take_node(JsonReader *json, StrView key, void *to) {
    JkfNode fields = {.time_ms = -1, .comment = STRBUF_INIT, .special = STRBUF_INIT};
    (void)key;
    (void)to;
    bool is_good = read_node(json, &fields);
    strbuf_free(&fields.comment);
    strbuf_free(&fields.special);
    return is_good;
}

static bool take_top_key(JsonReader *json, StrView key, void *to) {
    JkfState *state = to;
    if (sv_equal(key, SV("header"))) {
        return json_object(json, take_header, NULL);
    }
    if (sv_equal(key, SV("initial"))) {
        state->has_start = true;
        return state->has_moves ? json_fail(json, "a start position after the moves")
                                : read_jkf_start(json);
    }
    if (sv_equal(key, SV("moves"))) {
        state->has_moves = true;
        return json_array(json, take_node, NULL);
    }
    return skip_unknown(json, key);
}

static bool read_jkf(RecordReader *reader, StrView text) {
    JkfState state = {false, false};
    JsonReader json;
    json_init(&json, text);
    json.user = reader;
    json.skips_null = true;
    bool is_good =
        json_object(&json, take_top_key, &state) &&
        (state.has_start || state.has_moves || json_fail(&json, "an object without moves")) &&
        (json_at_end(&json) || json_fail(&json, "unexpected text after the game"));
    if (!is_good) {
        reader->line = json.line;
        reader_fail(reader, json.fault, utf8_cut(json.rest, 40));
    }
    json_free(&json);
    return is_good;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_jkf_header(StrView key, StrView value, StrBuf *out) {
    strbuf_add_str(out, out->ptr[out->len - 1] == '{' ? "" : ",");
    json_append_string(key, out);
    strbuf_add_byte(out, ':');
    json_append_string(value, out);
}

static void write_jkf_headers(const Record *record, StrBuf *out) {
    strbuf_add_str(out, "{\"header\":{");
    for (int i = 0; i < record->header_count; i++) {
        StrView key = record_text(record, record->headers[i].key);
        write_jkf_header(handicap_header_key(&record->start, key),
                         record_text(record, record->headers[i].value), out);
    }
    StrBuf number = STRBUF_INIT;
    codec_append_start_number(record, &number);
    if (number.len > 0 && record_header(record, START_NUMBER).len == 0) {
        write_jkf_header(START_NUMBER, strbuf_view(&number), out);
    }
    strbuf_free(&number);
    strbuf_add_str(out, "},\"initial\":{\"preset\":");
}

static void write_jkf_hand(Hand hand, StrBuf *out) {
    strbuf_add_byte(out, '{');
    for (int type = PAWN; type <= GOLD; type++) {
        strbuf_addf(out, "%s\"%s\":%d", type > PAWN ? "," : "", csa_piece((PieceType)type),
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
                        csa_piece(piece_type(piece)));
        }
        strbuf_add_str(out, sq % RANK_NB == RANK_NB - 1 ? "]" : "");
    }
    strbuf_add_str(out, "],\"hands\":[");
    write_jkf_hand(setup->hand[BLACK], out);
    strbuf_add_byte(out, ',');
    write_jkf_hand(setup->hand[WHITE], out);
    strbuf_add_str(out, "]}}");
}

static void write_jkf_square(const char *name, Square sq, StrBuf *out) {
    strbuf_addf(out, ",\"%s\":{\"x\":%d,\"y\":%d}", name, sq_file(sq) + 1, sq_rank(sq) + 1);
}

static void write_jkf_move(const RecordCursor *cursor, Move move, StrBuf *out) {
    const Position *pos = &cursor->pos;
    PieceType type = pos_moved_type(pos, move);
    strbuf_addf(out, "\"move\":{\"color\":%d,\"piece\":\"%s\"", (int)pos->side, csa_piece(type));
    write_jkf_square("to", move_to(move), out);
    if (move_to(move) == notation_last_to(&cursor->pos)) {
        strbuf_add_str(out, ",\"same\":true");
    }
    if (!move_is_drop(move)) {
        write_jkf_square("from", move_from(move), out);
        if (notation_may_promote(pos, move)) {
            strbuf_addf(out, ",\"promote\":%s", move_is_promotion(move) ? "true" : "false");
        }
        if (pos_is_capture(pos, move)) {
            PieceType captured = piece_type(pos_piece(pos, move_to(move)));
            strbuf_addf(out, ",\"capture\":\"%s\"", csa_piece(captured));
        }
    }
    char relative[4];
    if (notation_relative(pos, move, relative)[0] != 0) {
        strbuf_addf(out, ",\"relative\":\"%s\"", relative);
    }
    strbuf_add_byte(out, '}');
}

/* Writes an illegal move, which stands in the object of its ending. */
static void write_illegal(IllegalMove illegal, Color side, StrBuf *out) {
    strbuf_addf(out, "\"move\":{\"color\":%d,\"piece\":\"%s\"", (int)side,
                csa_piece(illegal.piece));
    write_jkf_square("to", move_to(illegal.move), out);
    if (!move_is_drop(illegal.move)) {
        write_jkf_square("from", move_from(illegal.move), out);
        strbuf_add_str(out, move_is_promotion(illegal.move) ? ",\"promote\":true" : "");
    }
    strbuf_add_str(out, "},");
}

static void write_special(const Record *record, int node, StrBuf *out) {
    const RecordNode *n = &record->nodes[node];
    strbuf_add_str(out, "\"special\":");
    if (n->ending == KMD_END_OTHER) {
        json_append_string(record_text(record, n->label), out);
    } else if (ending_word(csa_endings, n->ending)[0] == 0) {
        json_append_string(sv_from(ending_name(n->ending)), out);
    } else {
        strbuf_add_byte(out, '"');
        csa_append_ending(record, node, out);
        strbuf_add_byte(out, '"');
    }
}

static void write_jkf_time(const RecordCursor *cursor, int64_t time_ms, StrBuf *out) {
    int64_t now = time_ms / 1000;
    int64_t total = (cursor->spent_ms[cursor->pos.side] + time_ms) / 1000;
    strbuf_addf(out,
                ",\"time\":{\"now\":{\"m\":%d,\"s\":%d},\"total\":{\"h\":%d,\"m\":%d,\"s\":%d}}",
                (int)(now / 60), (int)(now % 60), (int)(total / 3600), (int)(total / 60 % 60),
                (int)(total % 60));
}

/* Writes the lines of a non-empty comment. */
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

/* Writes a node's object without its forks and its closing brace. The cursor is on its parent. */
static void write_jkf_node(const RecordCursor *cursor, int node, StrBuf *out) {
    const Record *record = cursor->record;
    const RecordNode *n = &record->nodes[node];
    strbuf_add_byte(out, '{');
    if (n->foul.move != MOVE_NONE && n->ending == KMD_END_ILLEGAL_LOSS) {
        write_illegal(n->foul, cursor->pos.side, out);
    }
    if (n->ending != KMD_END_NONE) {
        write_special(record, node, out);
    } else if (node != KMD_ROOT) {
        write_jkf_move(cursor, n->move, out);
    }
    if (n->time_ms >= 0) {
        write_jkf_time(cursor, n->time_ms, out);
    }
    if (n->comment.len > 0) {
        strbuf_add_str(out, node != KMD_ROOT ? "," : "");
        write_comments(record_text(record, n->comment), out);
    }
}

/* Closes a line at its end, together with the forks and objects that end there. Returns the node at
 * which to continue, after a comma, or KMD_NODE_NONE at the end of the main line. */
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
        node = nodes[nodes[node].parent].child; /* the node whose object contains these forks */
        if (nodes[node].child != KMD_NODE_NONE) {
            strbuf_add_byte(out, ',');
            return nodes[node].child;
        }
        /* The line of that node ends here too. */
    }
}

static void write_jkf_moves(const Record *record, StrBuf *out) {
    const RecordNode *nodes = record->nodes;
    RecordCursor cursor;
    cursor_init(&cursor, record);
    strbuf_add_str(out, ",\"moves\":[");
    write_jkf_node(&cursor, KMD_ROOT, out);
    strbuf_add_byte(out, '}');
    int node = nodes[KMD_ROOT].child;
    strbuf_add_str(out, node != KMD_NODE_NONE ? "," : "");
    while (node != KMD_NODE_NONE) {
        cursor_go(&cursor, nodes[node].parent);
        write_jkf_node(&cursor, node, out);
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

static void write_jkf(const Record *record, StrBuf *out) {
    write_jkf_headers(record, out);
    write_initial(&record->start, out);
    write_jkf_moves(record, out);
}

/* Recognises an object. */
static LineLook look_like_jkf(StrView line) {
    StrView inside = sv_trim(sv_skip(line, 1));
    bool is_object =
        line.ptr[0] == '{' && (inside.len == 0 || sv_has_byte(SV("\"}"), inside.ptr[0]));
    return is_object ? LOOKS_CERTAIN : LOOKS_FOREIGN;
}

const Codec jkf_codec = {
    .format = {"jkf", "JKF", "jkf json",
               HOLDS_TREE | KMD_HOLDS_TIMES | KMD_HOLDS_ENDINGS | KMD_HOLDS_ILLEGAL, NULL},
    .usual_encoding = TEXT_UTF8,
    .read = read_jkf,
    .write = write_jkf,
    .look = look_like_jkf,
    .endings = csa_endings};
