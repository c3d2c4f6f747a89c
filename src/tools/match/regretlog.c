/* The file is CSV under a line that begins with #. A row is written when its search ends, so that a
 * test that is cut off loses only the searches under way. */
#include "tools/match/regretlog.h"

#include <errno.h>
#include <stdlib.h>

#include "base/fileio.h"
#include "base/xmem.h"
#include "rules/usimove.h"
#include "tools/match/newfile.h"

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

/* Takes one line over. False when it is no row. */
static bool take_row(RegretLog *log, StrView line, int positions) {
    RegretRow row;
    StrView name, field;
    bool is_good = sv_next_field(&line, ',', &field) &&
                   sv_to_int(field, 1, positions, &row.position) &&
                   sv_next_field(&line, ',', &name) && sv_next_field(&line, ',', &field) &&
                   sv_to_u64(field, 1, UINT64_MAX, &row.nodes) && sv_next_field(&line, ',', &field);
    if (is_good) {
        row.move = usimove_read(field);
        is_good = row.move != MOVE_NONE && sv_next_field(&line, ',', &field) && line.len == 0 &&
                  sv_to_int(field, INT32_MIN, INT32_MAX, &row.score);
    }
    if (is_good) {
        row.position--;
        row.engine = name.len > 0 ? regretlog_engine(log, name) : -1;
        keep_row(log, &row);
    }
    return is_good;
}

static bool take_over(RegretLog *log, StrView text, StrView head, int positions, StrBuf *error) {
    StrView line;
    if (!sv_next_line(&text, &line) || !sv_equal(line, head) || !sv_next_line(&text, &line)) {
        strbuf_add_str(error, " is of other positions or another reference");
        return false;
    }
    for (int number = 3; sv_next_line(&text, &line); number++) {
        if (!take_row(log, line, positions)) {
            strbuf_addf(error, ", line %d: no row of a regret test", number);
            return false;
        }
    }
    return true;
}

bool regretlog_open(RegretLog *log, const char *path, StrView head, int positions, StrBuf *error) {
    StrBuf text = STRBUF_INIT;
    *log = (RegretLog){0};
    log->stream = newfile_open(path, true, "", error);
    if (log->stream == NULL) {
        return false;
    }
    bool is_good = true;
    if (newfile_is_empty(log->stream)) {
        strbuf_add(&text, head);
        strbuf_add_byte(&text, '\n');
        strbuf_add_str(&text, columns);
        is_good = newfile_add(log->stream, strbuf_view(&text));
        if (!is_good) {
            strbuf_addf(error, "%s: %s", path, file_error_text(errno));
        }
    } else {
        fclose(log->stream);
        log->stream = NULL;
        is_good = newfile_read(path, &text, error);
        if (is_good) {
            strbuf_add_str(error, path);
            is_good = take_over(log, strbuf_view(&text), head, positions, error);
        }
        if (is_good) {
            strbuf_clear(error);
            log->stream = newfile_open(path, true, "", error);
        }
    }
    strbuf_free(&text);
    return is_good && log->stream != NULL;
}

bool regretlog_add(RegretLog *log, const RegretRow *row) {
    StrBuf text = STRBUF_INIT;
    keep_row(log, row);
    strbuf_addf(&text, "%d,%s,%llu,", row->position + 1,
                row->engine >= 0 ? log->engines[row->engine] : "", (unsigned long long)row->nodes);
    usimove_append(row->move, &text);
    strbuf_addf(&text, ",%d\n", row->score);
    bool is_good = newfile_add(log->stream, strbuf_view(&text));
    strbuf_free(&text);
    return is_good;
}

bool regretlog_close(RegretLog *log) {
    bool is_good = log->stream == NULL || fclose(log->stream) == 0;
    for (int i = 0; i < log->engine_count; i++) {
        free(log->engines[i]);
    }
    free(log->engines);
    free(log->rows);
    *log = (RegretLog){0};
    return is_good;
}
