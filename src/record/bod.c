/* bod.c: reads and writes a single diagram with the functions of kifhead and diagram. */
#include "record/bod.h"

#include "record/codec.h"
#include "record/cursor.h"
#include "record/diagram.h"
#include "record/kifhead.h"
#include "record/notation.h"
#include "record/reader.h"
#include "record/record.h"
#include "record/words.h"

static bool read_record(RecordReader *reader, StrView text) {
    KifHead head = KIFHEAD_INIT;
    StrView line;
    bool is_good = true;
    for (; is_good && sv_next_line(&text, &line); reader->line++) {
        bool is_head;
        is_head = true;
        is_good =
            kifhead_read_remark(reader, line) || kifhead_read_line(&head, reader, line, &is_head);
        if (is_good && !is_head) {
            reader_skip(reader, "an unknown line is ignored", line);
        }
    }
    reader->line = 0;
    if (is_good && head.diagram.rank_count == 0) {
        is_good = reader_fail(reader, "no diagram", (StrView){NULL, 0});
    }
    is_good = is_good && kifhead_finish(&head, reader);
    return is_good;
}

/* The header in which the line below the diagram is kept; empty if that key has another meaning. */
static StrView last_move(const Record *record) {
    StrView value = record_header(record, START_NUMBER);
    bool names_move;
    return codec_start_number(value, &names_move) == record->start.ply - 1 ? value
                                                                           : (StrView){NULL, 0};
}

/* Writes the line below the diagram: the number of moves and the last move. */
static void write_last_move(RecordCursor *cursor, int node, StrBuf *out) {
    const Record *record = cursor->record;
    int moves = record_main_length(record);
    StrView kept = last_move(record);
    if (moves == 0 && kept.len > 0) {
        strbuf_add_str(out, "手数＝");
        strbuf_add(out, kept);
        strbuf_add_byte(out, '\n');
        return;
    }
    strbuf_addf(out, "手数＝%d  ", record->start.ply - 1 + moves);
    if (moves > 0) {
        int last = record->nodes[node].ending != KMD_END_NONE ? record->nodes[node].parent : node;
        cursor_go(cursor, record->nodes[last].parent);
        strbuf_add_str(out, word_mark(cursor->pos.side));
        notation_append_ja(&cursor->pos, record->nodes[last].move, JA_WIDE_SAME, out);
    }
    strbuf_add_str(out, "  まで\n");
}

static void write_record(const Record *record, StrBuf *out) {
    RecordCursor cursor;
    cursor_init(&cursor, record);
    int end = record_main_end(record);
    cursor_go(&cursor, end);
    Setup setup = pos_get(&cursor.pos);
    kifhead_write_headers(record, last_move(record).len > 0 ? START_NUMBER : (StrView){NULL, 0},
                          out);
    diagram_write(&setup, out);
    write_last_move(&cursor, end, out);
    kifhead_write_remarks(record, end, out);
    cursor_free(&cursor);
}

/* A rank of a diagram is typical of BOD, because other formats with diagrams also have moves. */
static LineLook look(StrView line) {
    Diagram diagram = DIAGRAM_INIT;
    const char *reason;
    bool is_rank =
        line.ptr[0] == '|' && diagram_read_line(&diagram, line, &reason) == DIAGRAM_TAKEN;
    return is_rank ? LOOKS_TYPICAL : kifhead_look(line);
}

const Codec bod_codec = {.format = {"bod", "BOD", "bod",
                                    KMD_HOLDS_HEADERS | KMD_HOLDS_COMMENTS | KMD_HOLDS_NUMBER,
                                    NULL},
                         .usual_encoding = TEXT_UTF8,
                         .read = read_record,
                         .write = write_record,
                         .look = look};
