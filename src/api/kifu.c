/* kifu.c: implements the public API for records with the functions of kifu/: handles, views of
 * text, and constants that are the same on both sides. */
#include "komadori/kifu.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/handles.h"
#include "base/utf8.h"
#include "base/xmem.h"
#include "record/codec.h"
#include "record/diagram.h"
#include "record/handicap.h"
#include "record/kifuio.h"
#include "record/notation.h"
#include "record/record.h"
#include "rules/legality.h"
#include "rules/position.h"
#include "web/boardsvg.h"

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

int kmd_record_add_move(KmdRecord *record, int node, KmdMove move) {
    if (checked_node(record, node)->ending != KMD_END_NONE) {
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
    bool is_possible = checked_node(record, node)->ending == KMD_END_NONE && ending != KMD_END_NONE;
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
