/* regretlog.c: reads, appends and finds rows.
 *
 * The file is CSV (RFC 4180) after a first line that begins with #. A row is written when its
 * search ends, so an interrupted test loses only the searches in progress. */
#include "tools/match/regretlog.h"

#include <errno.h>
#include <stdlib.h>

#include "base/xmem.h"
#include "rules/usimove.h"

static const char columns[] = "position,engine,nodes,move,score\n";

int regretlog_engine(RegretLog *log, StrView name) {
    for (int i = 0; i < log->engine_count; i++) {
        if (sv_equal(sv_from(log->engines[i]), name)) {
            return i;
        }
    }
    log->engines =
        xmem_realloc(log->engines, (size_t)log->engine_count + 1, sizeof(log->engines[0]));
    log->engines[log->engine_count] = sv_copy(name);
    return log->engine_count++;
}

const RegretRow *regretlog_find(const RegretLog *log, const RegretRow *wanted) {
    for (int i = 0; i < log->count; i++) {
        const RegretRow *row = &log->rows[i];
        if (row->position == wanted->position && row->engine == wanted->engine &&
            (row->engine < 0 ? row->move == wanted->move : row->nodes == wanted->nodes)) {
            return row;
        }
    }
    return NULL;
}

static void keep_row(RegretLog *log, const RegretRow *row) {
    log->rows = xmem_grow(log->rows, &log->cap, (size_t)log->count + 1, sizeof(log->rows[0]));
    log->rows[log->count++] = *row;
}

/* Appends a name as CSV writes it: in quotes if it contains a comma or a quote. */
static void add_name(StrView name, StrBuf *out) {
    bool is_quoted = sv_has_byte(name, ',') || sv_has_byte(name, '"');
    strbuf_add_str(out, is_quoted ? "\"" : "");
    for (size_t i = 0; i < name.len; i++) {
        strbuf_add_str(out, name.ptr[i] == '"' ? "\"" : "");
        strbuf_add_byte(out, name.ptr[i]);
    }
    strbuf_add_str(out, is_quoted ? "\"" : "");
}

/* Takes such a name and the comma after it, and appends the name to *name. Returns false if the
 * line does not begin with one. */
static bool take_name(StrView *line, StrBuf *name) {
    StrView part;
    if (!sv_starts_with(*line, SV("\""))) {
        bool has_name = sv_next_field(line, ',', &part);
        strbuf_add(name, part);
        return has_name;
    }
    *line = sv_skip(*line, 1);
    while (sv_has_byte(*line, '"') && sv_next_field(line, '"', &part)) {
        strbuf_add(name, part);
        if (!sv_starts_with(*line, SV("\""))) {
            return sv_next_field(line, ',', &part) && part.len == 0;
        }
        strbuf_add_byte(name, '"'); /* two quotes stand for one */
        *line = sv_skip(*line, 1);
    }
    return false;
}

/* Adds the row of one line. Returns false if the line is not a row. */
static bool take_row(RegretLog *log, StrView line, int positions) {
    RegretRow row;
    StrView field;
    StrBuf name = STRBUF_INIT;
    bool is_good = sv_next_field(&line, ',', &field) &&
                   sv_to_int(field, 1, positions, &row.position) && take_name(&line, &name) &&
                   sv_next_field(&line, ',', &field) &&
                   sv_to_u64(field, 1, UINT64_MAX, &row.nodes) && sv_next_field(&line, ',', &field);
    if (is_good) {
        row.move = usimove_read(field);
        is_good = row.move != MOVE_NONE && sv_next_field(&line, ',', &field) && line.len == 0 &&
                  sv_to_int(field, INT32_MIN, INT32_MAX, &row.score);
    }
    if (is_good) {
        row.position--;
        row.engine = name.len > 0 ? regretlog_engine(log, strbuf_view(&name)) : -1;
        keep_row(log, &row);
    }
    strbuf_free(&name);
    return is_good;
}

/* The contents of the file of an earlier run. */
typedef struct Earlier {
    RegretLog *log;
    int positions;
    int bad_line; /* 0: none */
} Earlier;

static size_t take_rows(void *context, StrView text) {
    Earlier *earlier = context;
    size_t whole = journal_whole_lines(text);
    StrView rest = sv_prefix(text, whole);
    StrView line;
    for (int number = 3; earlier->bad_line == 0 && sv_next_line(&rest, &line); number++) {
        earlier->bad_line = take_row(earlier->log, line, earlier->positions) ? 0 : number;
    }
    return whole;
}

bool regretlog_open(RegretLog *log, const char *path, StrView head, int positions, StrBuf *error) {
    StrBuf text = STRBUF_INIT;
    Earlier earlier = {.log = log, .positions = positions};
    *log = (RegretLog){0};
    strbuf_add(&text, head);
    strbuf_add_byte(&text, '\n');
    strbuf_add_str(&text, columns);
    JournalPlan plan = {strbuf_view(&text), take_rows, &earlier};
    int failure = journal_open(&log->file, path, &plan);
    strbuf_free(&text);
    if (failure == EEXIST) {
        strbuf_addf(error, "%s was written for other positions or another reference", path);
    } else if (failure != 0) {
        strbuf_addf(error, "%s: %s", path, journal_error_text(failure));
    } else if (earlier.bad_line > 0) {
        strbuf_addf(error, "%s, line %d: not a row of a regret test", path, earlier.bad_line);
    }
    return failure == 0 && earlier.bad_line == 0;
}

bool regretlog_add(RegretLog *log, const RegretRow *row) {
    StrBuf text = STRBUF_INIT;
    keep_row(log, row);
    strbuf_addf(&text, "%d,", row->position + 1);
    add_name(sv_from(row->engine >= 0 ? log->engines[row->engine] : ""), &text);
    strbuf_addf(&text, ",%llu,", (unsigned long long)row->nodes);
    usimove_append(row->move, &text);
    strbuf_addf(&text, ",%d\n", row->score);
    bool is_good = journal_add(&log->file, strbuf_view(&text));
    strbuf_free(&text);
    return is_good;
}

bool regretlog_close(RegretLog *log) {
    bool is_good = journal_close(&log->file);
    for (int i = 0; i < log->engine_count; i++) {
        free(log->engines[i]);
    }
    free(log->engines);
    free(log->rows);
    *log = (RegretLog){0};
    return is_good;
}
