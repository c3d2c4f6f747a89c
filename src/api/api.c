/* api.c: implements the public API for rules and records with the functions of rules/ and record/:
 * handles, views of text, and constants that are the same on both sides. */
#include "komadori/kifu.h"
#include "komadori/shogi.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/utf8.h"
#include "base/xmem.h"
#include "komadori/version.h"
#include "mate/matesolver.h"
#include "record/codec.h"
#include "record/diagram.h"
#include "record/handicap.h"
#include "record/kifuio.h"
#include "record/notation.h"
#include "record/record.h"
#include "rules/declare.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/outcome.h"
#include "rules/perft.h"
#include "rules/position.h"
#include "rules/repetition.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "web/boardsvg.h"

struct KmdPosition {
    Position inner;
};

/* ---- errors ---------------------------------------------------------------------------------- */

static const char *const error_names[] = {
    [KMD_OK] = "KMD_OK",
    [KMD_ERROR_SFEN_EMPTY] = "KMD_ERROR_SFEN_EMPTY",
    [KMD_ERROR_SFEN_PIECE] = "KMD_ERROR_SFEN_PIECE",
    [KMD_ERROR_SFEN_RANK] = "KMD_ERROR_SFEN_RANK",
    [KMD_ERROR_SFEN_RANK_COUNT] = "KMD_ERROR_SFEN_RANK_COUNT",
    [KMD_ERROR_SFEN_SIDE] = "KMD_ERROR_SFEN_SIDE",
    [KMD_ERROR_SFEN_HAND] = "KMD_ERROR_SFEN_HAND",
    [KMD_ERROR_SFEN_PLY] = "KMD_ERROR_SFEN_PLY",
    [KMD_ERROR_SFEN_TRAILING] = "KMD_ERROR_SFEN_TRAILING",
    [KMD_ERROR_SFEN_TOO_MANY] = "KMD_ERROR_SFEN_TOO_MANY",
    [KMD_ERROR_SFEN_TWO_KINGS] = "KMD_ERROR_SFEN_TWO_KINGS",
    [KMD_ERROR_SFEN_NIFU] = "KMD_ERROR_SFEN_NIFU",
    [KMD_ERROR_SFEN_DEAD_PIECE] = "KMD_ERROR_SFEN_DEAD_PIECE",
    [KMD_ERROR_SFEN_OPPONENT_IN_CHECK] = "KMD_ERROR_SFEN_OPPONENT_IN_CHECK",
    [KMD_ERROR_MOVE_TEXT] = "KMD_ERROR_MOVE_TEXT",
    [KMD_ERROR_ILLEGAL_MOVE] = "KMD_ERROR_ILLEGAL_MOVE",
    [KMD_ERROR_NO_MOVE] = "KMD_ERROR_NO_MOVE",
    [KMD_ERROR_RANGE] = "KMD_ERROR_RANGE",
    [KMD_ERROR_MEMORY] = "KMD_ERROR_MEMORY",
};

/* Descriptions of the errors that sfen_error_text does not cover. */
static const char *const error_texts[] = {
    [KMD_ERROR_MOVE_TEXT] = "not the text of a move",
    [KMD_ERROR_ILLEGAL_MOVE] = "illegal move",
    [KMD_ERROR_NO_MOVE] = "no move to take back",
    [KMD_ERROR_RANGE] = "a number outside its range",
    [KMD_ERROR_MEMORY] = "not enough memory for the table",
};

const char *kmd_error_name(KmdError error) {
    return (size_t)error < COUNTOF(error_names) ? error_names[error] : "KMD_ERROR_UNKNOWN";
}

const char *kmd_error_text(KmdError error) {
    if ((size_t)error >= COUNTOF(error_texts)) {
        return "unknown error";
    }
    return error < KMD_ERROR_MOVE_TEXT ? sfen_error_text(error) : error_texts[error];
}

void kmd_on_memory_shortage(KmdMemoryHandler *handler, void *context) {
    xmem_on_shortage(handler, context);
}

const char *kmd_version(void) {
    return KMD_VERSION;
}

const char *kmd_build(void) {
    return base_build_text();
}

/* ---- moves ----------------------------------------------------------------------------------- */

KmdMove kmd_move_make(KmdSquare from, KmdSquare to, bool promotes) {
    return promotes ? move_make_promotion(from, to) : move_make(from, to);
}

KmdMove kmd_move_make_drop(KmdPieceType type, KmdSquare to) {
    return move_make_drop((PieceType)type, to);
}

/* True for a drop; any 16 bits are allowed. */
static bool is_drop(KmdMove move) {
    return move_origin(move) > SQ_NB && move_origin(move) <= SQ_NB + GOLD;
}

KmdSquare kmd_move_from(KmdMove move) {
    bool has_origin = move_is_real(move) && move_origin(move) < SQ_NB;
    return has_origin ? move_origin(move) : KMD_SQUARE_NONE;
}

KmdSquare kmd_move_to(KmdMove move) {
    return move_is_real(move) && move_to(move) < SQ_NB ? move_to(move) : KMD_SQUARE_NONE;
}

KmdPieceType kmd_move_drop_type(KmdMove move) {
    return is_drop(move) ? (KmdPieceType)move_drop_type(move) : KMD_NO_PIECE_TYPE;
}

bool kmd_move_promotes(KmdMove move) {
    return move_is_promotion(move);
}

KmdMove kmd_move_read(const char *text) {
    return usimove_read(sv_from(text));
}

const char *kmd_move_write(KmdMove move, char out[KMD_MOVE_TEXT_SIZE]) {
    bool has_squares =
        kmd_move_to(move) != KMD_SQUARE_NONE && (is_drop(move) || move_origin(move) < SQ_NB);
    return usimove_write(has_squares || !move_is_real(move) ? move : MOVE_NONE, out);
}

/* ---- positions ------------------------------------------------------------------------------- */

/* Every position is created here, so the tables are filled before any position is used. */
static KmdPosition *new_position(void) {
    pos_init_tables();
    KmdPosition *pos = xmem_calloc(1, sizeof(*pos));
    pos_init(&pos->inner);
    return pos;
}

KmdPosition *kmd_position_new(void) {
    KmdPosition *pos = new_position();
    Setup start = setup_start();
    pos_set(&pos->inner, &start);
    return pos;
}

KmdPosition *kmd_position_copy(const KmdPosition *pos) {
    KmdPosition *copy = new_position();
    pos_copy(&copy->inner, &pos->inner);
    return copy;
}

void kmd_position_free(KmdPosition *pos) {
    if (pos != NULL) {
        pos_free(&pos->inner);
        free(pos);
    }
}

KmdError kmd_position_set_sfen(KmdPosition *pos, const char *sfen, int *column) {
    return pos_set_sfen(&pos->inner, sv_from(sfen), column);
}

/* The first pass among the words of a text. */
static StrView find_pass(StrView text) {
    Tokenizer tok = {text};
    StrView word = {NULL, 0};
    while (tok_next(&tok, &word) && usimove_read(word) != MOVE_NULL) {
    }
    return word;
}

KmdError kmd_position_set_usi(KmdPosition *pos, const char *text, int *column) {
    UsiFault fault;
    Position next;
    pos_init(&next);
    if (usimove_position(sv_trim(sv_from(text)), &next, &fault) && pos_has_passed(&next)) {
        fault.error = KMD_ERROR_ILLEGAL_MOVE;
        fault.word = find_pass(sv_from(text));
    }
    if (fault.error == KMD_OK) {
        Position old = pos->inner;
        pos->inner = next;
        next = old;
    } else if (column != NULL) {
        int within = fault.error < KMD_ERROR_MOVE_TEXT ? fault.place : 1;
        *column = (int)(fault.word.ptr - text) + within;
    }
    pos_free(&next);
    return fault.error;
}

size_t kmd_position_sfen(const KmdPosition *pos, char *out, size_t size) {
    StrBuf text = STRBUF_INIT;
    pos_get_sfen(&pos->inner, &text);
    size_t len = text.len;
    if (size > 0) {
        size_t kept = len < size ? len : size - 1;
        memcpy(out, text.ptr, kept);
        out[kept] = '\0';
    }
    strbuf_free(&text);
    return len;
}

KmdColor kmd_side_to_move(const KmdPosition *pos) {
    return (KmdColor)pos->inner.side;
}

int kmd_ply(const KmdPosition *pos) {
    return pos->inner.ply;
}

KmdPiece kmd_piece_on(const KmdPosition *pos, KmdSquare square) {
    Piece piece = pos_piece(&pos->inner, square);
    return (KmdPiece){(KmdPieceType)piece_type(piece), (KmdColor)piece_color(piece)};
}

int kmd_hand_count(const KmdPosition *pos, KmdColor color, KmdPieceType type) {
    return hand_count(pos->inner.hand[color], (PieceType)type);
}

uint64_t kmd_position_key(const KmdPosition *pos) {
    return pos_key(&pos->inner);
}

/* ---- playing --------------------------------------------------------------------------------- */

int kmd_legal_moves(const KmdPosition *pos, KmdMove list[KMD_MAX_MOVES]) {
    return gen_moves(&pos->inner, GEN_LEGAL, list);
}

int kmd_legal_count(const KmdPosition *pos) {
    return gen_count(&pos->inner);
}

KmdLegality kmd_legality(const KmdPosition *pos, KmdMove move) {
    return legality_of(&pos->inner, move);
}

const char *kmd_legality_text(KmdLegality reason) {
    return legality_text(reason);
}

KmdError kmd_do(KmdPosition *pos, KmdMove move) {
    if (!move_is_legal(&pos->inner, move)) {
        return KMD_ERROR_ILLEGAL_MOVE;
    }
    pos_do(&pos->inner, move);
    return KMD_OK;
}

KmdError kmd_undo(KmdPosition *pos) {
    if (pos_moves_done(&pos->inner) == 0) {
        return KMD_ERROR_NO_MOVE;
    }
    pos_undo(&pos->inner);
    return KMD_OK;
}

int kmd_moves_played(const KmdPosition *pos) {
    return pos_moves_done(&pos->inner);
}

KmdMove kmd_move_played(const KmdPosition *pos, int index) {
    bool is_there = index >= 0 && index < pos_moves_done(&pos->inner);
    return is_there ? pos->inner.states[index + 1].move : (KmdMove)KMD_MOVE_NONE;
}

/* ---- the end of a game ----------------------------------------------------------------------- */

bool kmd_is_check(const KmdPosition *pos) {
    return pos_in_check(&pos->inner);
}

bool kmd_is_mate(const KmdPosition *pos) {
    return pos_in_check(&pos->inner) && !gen_has_move(&pos->inner);
}

bool kmd_gives_check(const KmdPosition *pos, KmdMove move) {
    return move_is_legal(&pos->inner, move) && pos_gives_check(&pos->inner, move);
}

int kmd_repetition_count(const KmdPosition *pos) {
    return repetition_count(&pos->inner);
}

KmdRepetition kmd_repetition(const KmdPosition *pos) {
    return (KmdRepetition)repetition_in_game(&pos->inner);
}

KmdDeclaration kmd_declaration(const KmdPosition *pos, KmdDeclareRule rule) {
    return declare_result(&pos->inner, rule);
}

KmdDeclareCount kmd_declare_count(const KmdPosition *pos, KmdColor side) {
    return declare_count(&pos->inner, (Color)side);
}

KmdOutcome kmd_outcome(const KmdPosition *pos, KmdDeclareRule rule, int max_plies) {
    OutcomeRules rules = {rule, max_plies};
    return outcome_of(&pos->inner, &rules);
}

const char *kmd_ending_text(KmdEnding ending) {
    return outcome_ending_text(ending);
}

/* ---- mate ------------------------------------------------------------------------------------ */

KmdError kmd_mate(const KmdPosition *pos, uint64_t nodes, size_t hash_mb, KmdMate *verdict,
                  KmdMove line[KMD_MATE_LINE_MAX], int *length) {
    if (hash_mb < 1 || hash_mb > KMD_MATE_MAX_HASH_MB) {
        return KMD_ERROR_RANGE;
    }
    bool is_defence = matesolver_can_only_defend(&pos->inner);
    if (pos->inner.king[color_flip(pos->inner.side)] == SQ_NONE && !is_defence) {
        return KMD_ERROR_NO_MOVE;
    }
    MateSolver *solver = matesolver_new(hash_mb << 20, 1);
    if (solver == NULL) {
        return KMD_ERROR_MEMORY;
    }
    MateAnswer *answer = xmem_try_calloc(1, sizeof(*answer));
    if (answer == NULL) {
        matesolver_free(solver);
        return KMD_ERROR_MEMORY;
    }
    MateSolverOptions options = {.is_defence = is_defence, .nodes = nodes};
    matesolver_solve(solver, &pos->inner, &options, answer);
    *verdict = (KmdMate)answer->verdict;
    *length = answer->verdict == MATE_FOUND ? answer->line_len : 0;
    memcpy(line, answer->line, (size_t)*length * sizeof(*line));
    free(answer);
    matesolver_free(solver);
    return KMD_OK;
}

/* ---- counting -------------------------------------------------------------------------------- */

KmdError kmd_perft(const KmdPosition *pos, int depth, int threads, size_t hash_mb, uint64_t *total,
                   KmdPerftLine lines[KMD_MAX_MOVES]) {
    if (depth < 0 || depth > PERFT_MAX_DEPTH || threads < 1 || threads > KMD_PERFT_MAX_THREADS) {
        return KMD_ERROR_RANGE;
    }
    PerftOptions options = {depth, threads, hash_mb};
    PerftResult *result = xmem_try_calloc(1, sizeof(*result));
    bool is_done = result != NULL && perft_run(&pos->inner, &options, NULL, result);
    if (is_done) {
        *total = result->total;
        for (int i = 0; i < result->line_count && lines != NULL; i++) {
            lines[i] = (KmdPerftLine){result->line[i].move, result->line[i].count};
        }
    }
    free(result);
    return is_done ? KMD_OK : KMD_ERROR_MEMORY;
}

/* ---- records ------------------------------------------------------------------------------- */

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #ours)

SAME(KMD_UTF8, TEXT_UTF8);
SAME(KMD_SHIFT_JIS, TEXT_CP932);
SAME(KMD_EUC_JP, TEXT_EUC_JP);
struct KmdRecord {
    Record inner;
};

struct KmdRecordStream {
    KifuStream inner;
};

static KmdText kmd_text(StrView view) {
    return (KmdText){view.ptr != NULL ? view.ptr : "", view.len};
}

/* ---- formats --------------------------------------------------------------------------------- */

/* A format is the first member of its codec. */
static const KmdFormat *format_of(const Codec *codec) {
    return codec != NULL ? &codec->format : NULL;
}

static const Codec *codec_of(const KmdFormat *format) {
    return (const Codec *)format;
}

const KmdFormat *kmd_format(int index) {
    return format_of(kifu_codec(index));
}

const KmdFormat *kmd_format_by_name(const char *name) {
    return format_of(kifu_codec_by_name(sv_from(name)));
}

const KmdFormat *kmd_format_by_path(const char *path) {
    return format_of(kifu_codec_by_path(sv_from(path)));
}

bool kmd_encoding_read(const char *name, KmdEncoding *encoding) {
    TextEncoding found;
    if (!textenc_read_name(sv_from(name), &found)) {
        return false;
    }
    *encoding = (KmdEncoding)found;
    return true;
}

int kmd_text_columns(const char *text, size_t len) {
    return utf8_columns((StrView){text, len});
}

static KmdForm form_out(const KifuForm *form) {
    return (KmdForm){format_of(form->codec), (KmdEncoding)form->encoding, form->has_bom,
                     form->has_crlf};
}

KmdForm kmd_form(const KmdFormat *format) {
    KifuForm form = kifu_form(codec_of(format));
    return form_out(&form);
}

KmdForm kmd_form_by_path(const KmdFormat *format, const char *path) {
    KifuForm form = kifu_form_by_path(codec_of(format), sv_from(path));
    return form_out(&form);
}

/* ---- reading and writing --------------------------------------------------------------------- */

KmdRecord *kmd_record_new(void) {
    pos_init_tables();
    KmdRecord *record = xmem_calloc(1, sizeof(*record));
    record_init(&record->inner);
    return record;
}

void kmd_record_free(KmdRecord *record) {
    if (record != NULL) {
        record_free(&record->inner);
        free(record);
    }
}

bool kmd_record_read(KmdRecord *record, const void *bytes, size_t len, KmdForm *form,
                     KmdFault *fault) {
    KifuForm found = {.codec = codec_of(form->format)};
    bool is_good = kifu_read((StrView){bytes, len}, &found, &record->inner, fault);
    *form = form_out(&found);
    return is_good;
}

KmdBytes kmd_record_write(const KmdRecord *record, const KmdForm *form) {
    KifuForm how = {.codec = codec_of(form->format),
                    .encoding = (TextEncoding)form->encoding,
                    .has_bom = form->bom,
                    .has_crlf = form->crlf};
    StrBuf out = STRBUF_INIT;
    size_t lacking = kifu_write(&record->inner, &how, &out);
    return (KmdBytes){out.ptr, out.len, lacking};
}

void kmd_bytes_free(KmdBytes *bytes) {
    free(bytes->data);
    *bytes = (KmdBytes){NULL, 0, 0};
}

KmdRecordStream *kmd_stream_open(const char *path, const KmdFormat *format) {
    pos_init_tables();
    KmdRecordStream *stream = xmem_calloc(1, sizeof(*stream));
    int error = kifu_stream_open(&stream->inner, path, codec_of(format));
    if (error != 0) {
        free(stream);
        errno = error;
        return NULL;
    }
    return stream;
}

void kmd_stream_close(KmdRecordStream *stream) {
    if (stream != NULL) {
        kifu_stream_free(&stream->inner);
        free(stream);
    }
}

KmdNext kmd_stream_next(KmdRecordStream *stream, KmdRecord *record, KmdFault *fault) {
    *fault = (KmdFault){.reason = NULL};
    KmdNext next = kifu_stream_next(&stream->inner, &record->inner, fault);
    if (next == KMD_NEXT_FAILED) {
        errno = stream->inner.file_error;
    }
    return next;
}

KmdForm kmd_stream_form(const KmdRecordStream *stream) {
    return form_out(&stream->inner.form);
}

size_t kmd_stream_unreadable(const KmdRecordStream *stream) {
    return stream->inner.form.unreadable;
}

int kmd_record_skipped(const KmdRecord *record) {
    return record->inner.skipped;
}

/* ---- looking into a record ------------------------------------------------------------------- */

int kmd_header_count(const KmdRecord *record) {
    return record->inner.header_count;
}

KmdText kmd_header_key(const KmdRecord *record, int index) {
    ASSERT(index >= 0 && index < record->inner.header_count);
    return kmd_text(record_text(&record->inner, record->inner.headers[index].key));
}

KmdText kmd_header_value(const KmdRecord *record, int index) {
    ASSERT(index >= 0 && index < record->inner.header_count);
    return kmd_text(record_text(&record->inner, record->inner.headers[index].value));
}

KmdText kmd_header(const KmdRecord *record, const char *key) {
    return kmd_text(record_header(&record->inner, sv_from(key)));
}

KmdText kmd_player(const KmdRecord *record, KmdColor color) {
    return kmd_text(record_player(&record->inner, (Color)color));
}

const char *kmd_handicap(const KmdRecord *record) {
    const Handicap *handicap = handicap_by_setup(&record->inner.start);
    return handicap != NULL ? handicap->name : "";
}

static const RecordNode *checked_node(const KmdRecord *record, int node) {
    ASSERT(node >= 0 && node < record->inner.node_count);
    return &record->inner.nodes[node];
}

int kmd_node_parent(const KmdRecord *record, int node) {
    return checked_node(record, node)->parent;
}

int kmd_node_child(const KmdRecord *record, int node) {
    return checked_node(record, node)->child;
}

int kmd_node_sibling(const KmdRecord *record, int node) {
    return checked_node(record, node)->sibling;
}

int kmd_node_depth(const KmdRecord *record, int node) {
    const RecordNode *n = checked_node(record, node);
    return n->depth - (n->ending != KMD_END_NONE);
}

KmdMove kmd_node_move(const KmdRecord *record, int node) {
    return checked_node(record, node)->move;
}

KmdEnding kmd_node_ending(const KmdRecord *record, int node) {
    return checked_node(record, node)->ending;
}

int64_t kmd_node_time(const KmdRecord *record, int node) {
    return checked_node(record, node)->time_ms;
}

KmdText kmd_node_comment(const KmdRecord *record, int node) {
    return kmd_text(record_text(&record->inner, checked_node(record, node)->comment));
}

KmdMove kmd_node_illegal_move(const KmdRecord *record, int node) {
    return checked_node(record, node)->foul.move;
}

KmdText kmd_node_label(const KmdRecord *record, int node) {
    return kmd_text(record_text(&record->inner, checked_node(record, node)->label));
}

const char *kmd_ending_word(KmdEnding ending) {
    return ending_name(ending);
}

int kmd_main_length(const KmdRecord *record) {
    return record_main_length(&record->inner);
}

int kmd_main_end(const KmdRecord *record) {
    return record_main_end(&record->inner);
}

int kmd_variation_count(const KmdRecord *record) {
    return record_variation_count(&record->inner);
}

KmdWinner kmd_record_winner(const KmdRecord *record) {
    return record_result(&record->inner);
}

void kmd_record_position(const KmdRecord *record, int node, KmdPosition *pos) {
    const RecordNode *nodes = record->inner.nodes;
    int length = 0;
    int *path = xmem_alloc((size_t)nodes[node].depth + 1, sizeof(int));
    for (; node != KMD_ROOT; node = nodes[node].parent) {
        path[length++] = node;
    }
    pos_set(&pos->inner, &record->inner.start);
    while (length > 0) {
        Move move = nodes[path[--length]].move;
        if (move != MOVE_NONE) {
            pos_do(&pos->inner, move);
        }
    }
    free(path);
}

/* ---- making a record ------------------------------------------------------------------------- */

void kmd_record_start(KmdRecord *record, const KmdPosition *pos) {
    record_clear(&record->inner);
    record->inner.start = pos_get(&pos->inner);
}

/* True for a node of the tree that is not an ending. */
static bool can_continue(const KmdRecord *record, int node) {
    const RecordNode *n = checked_node(record, node);
    return n->ending == KMD_END_NONE && (node == KMD_ROOT || n->parent != KMD_NODE_NONE);
}

int kmd_record_add_move(KmdRecord *record, int node, KmdMove move) {
    if (!can_continue(record, node)) {
        return KMD_NODE_NONE;
    }
    RecordCursor cursor;
    cursor_init(&cursor, &record->inner);
    cursor_go(&cursor, node);
    bool is_legal = move_is_legal(&cursor.pos, move);
    cursor_free(&cursor);
    return is_legal ? record_add_move(&record->inner, node, move) : KMD_NODE_NONE;
}

int kmd_record_add_ending(KmdRecord *record, int node, KmdEnding ending) {
    bool is_possible = can_continue(record, node) && ending != KMD_END_NONE;
    return is_possible ? record_add_ending(&record->inner, node, ending) : KMD_NODE_NONE;
}

void kmd_record_remove(KmdRecord *record, int node) {
    ASSERT(node >= 0 && node < record->inner.node_count);
    record_remove(&record->inner, node);
}

void kmd_record_set_order(KmdRecord *record, int node, int index) {
    ASSERT(node >= 0 && node < record->inner.node_count);
    record_set_order(&record->inner, node, index);
}

void kmd_record_set_time(KmdRecord *record, int node, int64_t time_ms) {
    ASSERT(node >= 0 && node < record->inner.node_count);
    record_set_time(&record->inner, node, time_ms);
}

void kmd_record_set_label(KmdRecord *record, int node, const char *label) {
    ASSERT(node >= 0 && node < record->inner.node_count);
    record_set_label(&record->inner, node, sv_from(label));
}

void kmd_record_set_comment(KmdRecord *record, int node, const char *comment) {
    ASSERT(node >= 0 && node < record->inner.node_count);
    record_set_comment(&record->inner, node, sv_from(comment));
}

void kmd_record_set_header(KmdRecord *record, const char *key, const char *value) {
    record_set_header(&record->inner, sv_from(key), sv_from(value));
}

/* ---- diagrams -------------------------------------------------------------------------------- */

KmdBytes kmd_diagram_text(const KmdPosition *pos) {
    StrBuf out = STRBUF_INIT;
    Setup setup = pos_get(&pos->inner);
    diagram_write(&setup, &out);
    return (KmdBytes){out.ptr, out.len, 0};
}

KmdBytes kmd_diagram_svg(const KmdPosition *pos, const KmdDiagramLook *look) {
    static const KmdDiagramLook plain = {.note = NULL};
    look = look != NULL ? look : &plain;
    StrBuf out = STRBUF_INIT;
    Move *arrows = xmem_alloc((size_t)look->arrow_count, sizeof(Move));
    BoardLook inner = {.is_flipped = look->flip,
                       .has_letters = look->letters,
                       .names = {sv_from(look->names[0]), sv_from(look->names[1])},
                       .note = sv_from(look->note),
                       .arrows = arrows};
    for (int i = 0; i < look->arrow_count; i++) {
        if (move_is_legal(&pos->inner, look->arrows[i])) {
            arrows[inner.arrow_count++] = look->arrows[i];
        }
    }
    boardsvg_write(&pos->inner, &inner, &out);
    free(arrows);
    return (KmdBytes){out.ptr, out.len, 0};
}

/* ---- notations ------------------------------------------------------------------------------- */

const char *kmd_notation_name(int notation) {
    return notation_name(notation);
}

const char *kmd_notation_write(const KmdPosition *pos, KmdMove move, KmdNotation notation,
                               char out[KMD_NOTATION_SIZE]) {
    StrBuf text = STRBUF_INIT;
    if (!move_is_legal(&pos->inner, move)) {
        strbuf_add_str(&text, "none");
    } else {
        notation_append(&pos->inner, move, notation, &text);
    }
    ASSERT(text.len < KMD_NOTATION_SIZE);
    memcpy(out, text.ptr, text.len + 1);
    strbuf_free(&text);
    return out;
}

KmdMove kmd_notation_read(const KmdPosition *pos, const char *text, KmdNotation notation,
                          const char **reason) {
    const char *why = NULL;
    Move move = notation_read(&pos->inner, sv_from(text), notation, &why);
    if (reason != NULL && move == MOVE_NONE) {
        *reason = why;
    }
    return move;
}
