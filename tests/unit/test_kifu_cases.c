/* Tests game records of other programs in eleven formats. What we read must match the manifest and
 * the list of moves, what we write must match what those programs wrote, and everything must
 * survive a round trip through every format that can hold it. tests/data/kifu is a selection of the
 * folder kifu of the cases; the whole folder is tested if KOMADORI_CASES is set. */
#include <stdlib.h>
#include <string.h>

#include "base/fileio.h"
#include "base/json.h"
#include "base/xmem.h"
#include "record/codec.h"
#include "record/csa.h"
#include "record/kifuio.h"
#include "record/words.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

/* ---- the folder ------------------------------------------------------------------------------ */

typedef struct Folder {
    const char *path;
    StrBuf manifest, moves;
} Folder;

static bool load(const Folder *folder, StrView name, StrBuf *out) {
    StrBuf path = STRBUF_INIT;
    strbuf_addf(&path, "%s/", folder->path);
    strbuf_add(&path, name);
    bool is_good = file_read(path.ptr, out) == 0;
    if (!is_good) {
        unit_check_str(path.ptr, "a file", "cannot read", __FILE__, __LINE__);
    }
    strbuf_free(&path);
    return is_good;
}

static bool open_folder(Folder *folder, const char *path) {
    *folder = (Folder){.path = path};
    return load(folder, SV("manifest.tsv"), &folder->manifest) &&
           load(folder, SV("moves.tsv"), &folder->moves);
}

static void close_folder(Folder *folder) {
    strbuf_free(&folder->manifest);
    strbuf_free(&folder->moves);
}

enum {
    COL_FILE,
    COL_FORMAT,
    COL_ENCODING,
    COL_NEWLINE,
    COL_KIND,
    COL_START,
    COL_HANDICAP,
    COL_MOVES,
    COL_FIRST,
    COL_LAST,
    COL_ENDING,
    COL_VARIATIONS,
    COL_TIMES,
    COL_COMMENTS,
    COL_NB
};

static void split(StrView row, StrView *columns, int count) {
    for (int i = 0; i < count; i++) {
        if (!sv_next_field(&row, '\t', &columns[i])) {
            columns[i] = (StrView){NULL, 0};
        }
    }
}

/* The rows of moves.tsv for a game. */
static StrView moves_of(const Folder *folder, StrView game) {
    StrBuf key = STRBUF_INIT;
    strbuf_addf(&key, "\n%.*s\t", (int)game.len, game.ptr);
    StrView all = strbuf_view(&folder->moves), rest, row;
    size_t start = sv_find(all, strbuf_view(&key));
    strbuf_free(&key);
    rest = all = sv_skip(all, start + 1);
    while (sv_starts_with(rest, game) && sv_next_line(&rest, &row)) {
    }
    return sv_prefix(all, all.len - rest.len);
}

static StrView game_of(StrView file) {
    return sv_prefix(file, sv_find_byte(file, '.'));
}

/* ---- reading --------------------------------------------------------------------------------- */

static void say(StrView file, const char *what) {
    StrBuf text = STRBUF_INIT;
    strbuf_add(&text, file);
    unit_check_str(text.ptr, "right", what, __FILE__, __LINE__);
    strbuf_free(&text);
}

static void expect(bool condition, StrView file, const char *what) {
    if (!CHECK(condition)) {
        say(file, what);
    }
}

static KmdEnding ending_of_manifest(StrView word) {
    static const struct {
        const char *word;
        KmdEnding ending;
    } endings[] = {{"resign", KMD_END_RESIGN},
                   {"interrupt", KMD_END_INTERRUPT},
                   {"repetitionDraw", KMD_END_SENNICHITE},
                   {"impass", KMD_END_IMPASSE},
                   {"draw", KMD_END_DRAW},
                   {"maxMoves", KMD_END_MAX_MOVES},
                   {"mate", KMD_END_MATE},
                   {"noMate", KMD_END_NO_MATE},
                   {"timeout", KMD_END_TIMEOUT},
                   {"foulLose", KMD_END_ILLEGAL_LOSS},
                   {"foulWin", KMD_END_ILLEGAL_WIN},
                   {"enteringOfKing", KMD_END_DECLARATION},
                   {"winByDefault", KMD_END_FORFEIT_WIN},
                   {"loseByDefault", KMD_END_FORFEIT_LOSS},
                   {"try", KMD_END_TRY}};
    for (size_t i = 0; i < COUNTOF(endings); i++) {
        if (sv_equal(word, sv_from(endings[i].word))) {
            return endings[i].ending;
        }
    }
    return KMD_END_NONE;
}

/* Whether the endings in files of a format can be compared. CSA lacks words for a few endings;
 * same_ending handles these. */
static bool has_endings(const Codec *codec) {
    return (codec->format.holds & KMD_HOLDS_ENDINGS) != 0 ||
           sv_equal(sv_from(codec->format.separator), SV("/\n"));
}

/* Whether two endings are the same in a format: KIF has one word for all draws, and CSA has no word
 * for a forfeit. */
static bool same_ending(const Codec *codec, KmdEnding a, KmdEnding b) {
    return sv_equal(sv_from(ending_word(codec->endings, a)),
                    sv_from(ending_word(codec->endings, b)));
}

static KmdEnding main_ending(const Record *record) {
    return record->nodes[record_main_end(record)].ending;
}

static void check_main_line(const Record *record, StrView rows, StrView file) {
    StrView row, columns[9];
    int node = KMD_ROOT, wrong = 0;
    while (sv_next_line(&rows, &row)) {
        split(row, columns, 9);
        node = record->nodes[node].child;
        if (node == KMD_NODE_NONE) {
            expect(false, file, "fewer moves");
            return;
        }
        wrong += record->nodes[node].move != usimove_read(columns[4]);
    }
    expect(wrong == 0, file, "moves");
    int next = record->nodes[node].child;
    expect(next == KMD_NODE_NONE || record->nodes[next].ending != KMD_END_NONE, file, "more moves");
}

/* Checks the times and comments: either all nodes of the main line have a time, or all times are
 * zero. */
static void check_extras(const Record *record, const StrView *row, int holds) {
    int64_t total = 0;
    int without_time = 0, comments = 0;
    int node = KMD_ROOT;
    for (; node != KMD_NODE_NONE; node = record->nodes[node].child) {
        comments += record->nodes[node].comment.len > 0;
        if (node != KMD_ROOT) {
            total += i64_max(record->nodes[node].time_ms, 0);
            without_time += record->nodes[node].time_ms < 0;
        }
    }
    if ((holds & KMD_HOLDS_TIMES) != 0) {
        expect((total > 0) == sv_equal(row[COL_TIMES], SV("times")), row[COL_FILE], "times");
        /* In KIF an ending by forfeit has a time; JKF and CSA have no word for it. */
        expect(without_time == 0, row[COL_FILE], "a move without a time");
    }
    if ((holds & KMD_HOLDS_COMMENTS) != 0) {
        expect((comments > 0) == sv_equal(row[COL_COMMENTS], SV("comments")), row[COL_FILE],
               "comments");
    }
    if ((holds & KMD_HOLDS_VARIATIONS) != 0) {
        int64_t variations = -1;
        expect(sv_to_i64(row[COL_VARIATIONS], 0, 99, &variations) &&
                   variations == record_variation_count(record),
               row[COL_FILE], "variations");
    }
}

static void check_start(const Record *record, const StrView *row) {
    StrBuf sfen = STRBUF_INIT;
    sfen_write(&record->start, &sfen);
    expect(sv_equal(strbuf_view(&sfen), row[COL_START]), row[COL_FILE], "start position");
    strbuf_free(&sfen);
}

static void check_form(const KifuForm *form, const StrView *row) {
    expect(form->codec == kifu_codec_by_path(row[COL_FILE]) ||
               sv_ends_with(row[COL_FILE], SV(".csa3")),
           row[COL_FILE], "format");
    expect((form->encoding == TEXT_CP932) == sv_equal(row[COL_ENCODING], SV("Shift_JIS")),
           row[COL_FILE], "encoding");
    expect(form->has_crlf == sv_equal(row[COL_NEWLINE], SV("CRLF")), row[COL_FILE], "line ends");
}

/* Checks a file with a game, which is read with automatic detection. */
static void check_game_file(const Folder *folder, const StrView *row, StrView bytes) {
    Record record;
    KmdFault error;
    KifuForm form = {.codec = NULL};
    record_init(&record);
    bool is_good = kifu_read(bytes, &form, &record, &error);
    expect(is_good, row[COL_FILE], error.reason != NULL ? error.reason : "reads");
    if (is_good) {
        check_form(&form, row);
        check_start(&record, row);
        check_main_line(&record, moves_of(folder, game_of(row[COL_FILE])), row[COL_FILE]);
        check_extras(&record, row, form.codec->format.holds);
        if (has_endings(form.codec)) {
            expect(
                same_ending(form.codec, main_ending(&record), ending_of_manifest(row[COL_ENDING])),
                row[COL_FILE], "ending");
        }
    }
    record_free(&record);
}

/* Checks a diagram of the final position: its board and hands must be those of the last SFEN. */
static void check_diagram_file(const Folder *folder, const StrView *row, StrView bytes) {
    Record record;
    KmdFault error;
    KifuForm form = {.codec = NULL};
    Position pos;
    StrView rows = moves_of(folder, game_of(row[COL_FILE])), line, columns[9];
    record_init(&record);
    pos_init(&pos);
    expect(kifu_read(bytes, &form, &record, &error), row[COL_FILE], "reads");
    expect(sv_equal(sv_from(form.codec->format.name), SV("bod")), row[COL_FILE], "format");
    if (CHECK(pos_set_sfen(&pos, row[COL_START], NULL) == KMD_OK)) {
        while (sv_next_line(&rows, &line)) {
            split(line, columns, 9);
            pos_do(&pos, usimove_read(columns[4]));
        }
        Setup setup = pos_get(&pos);
        StrBuf want = STRBUF_INIT, got = STRBUF_INIT;
        setup.ply = record.start.ply;
        sfen_write(&setup, &want);
        sfen_write(&record.start, &got);
        CHECK_STR(got.ptr, want.ptr);
        strbuf_free(&want);
        strbuf_free(&got);
    }
    pos_free(&pos);
    record_free(&record);
}

/* Checks a file that contains the position before each move, one SFEN per line. */
static void check_positions_file(const Folder *folder, const StrView *row, StrView bytes) {
    Record record;
    KmdFault error;
    StrView rows = moves_of(folder, game_of(row[COL_FILE])), line, move, columns[9];
    StrBuf sfen = STRBUF_INIT;
    int wrong = 0;
    record_init(&record);
    while (sv_next_line(&bytes, &line) && sv_next_line(&rows, &move)) {
        KifuForm form = {.codec = NULL};
        split(move, columns, 9);
        wrong += !kifu_read(line, &form, &record, &error);
        strbuf_clear(&sfen);
        sfen_write(&record.start, &sfen);
        wrong += !sv_equal(strbuf_view(&sfen), columns[2]);
    }
    expect(wrong == 0, row[COL_FILE], "positions");
    strbuf_free(&sfen);
    record_free(&record);
}

static void check_file(Folder *folder, const StrView *row) {
    StrBuf bytes = STRBUF_INIT;
    if (load(folder, row[COL_FILE], &bytes)) {
        StrView view = strbuf_view(&bytes);
        if (sv_starts_with(row[COL_FORMAT], SV("BOD"))) {
            check_diagram_file(folder, row, view);
        } else if (sv_starts_with(row[COL_FORMAT], SV("SFEN"))) {
            check_positions_file(folder, row, view);
        } else {
            check_game_file(folder, row, view);
        }
    }
    strbuf_free(&bytes);
}

typedef void RowCheck(Folder *folder, const StrView *row);

static void for_each_row(const char *path, int least, RowCheck *check) {
    Folder folder;
    if (CHECK(open_folder(&folder, path))) {
        StrView rest = strbuf_view(&folder.manifest), row, columns[COL_NB];
        int rows = 0;
        sv_next_line(&rest, &row);
        for (; sv_next_line(&rest, &row); rows++) {
            split(row, columns, COL_NB);
            check(&folder, columns);
        }
        CHECK(rows >= least);
    }
    close_folder(&folder);
}

static void for_selection(RowCheck *check) {
    for_each_row("tests/data/kifu", 44, check);
}

static void for_cases(RowCheck *check) {
    const char *cases = unit_cases_dir();
    if (cases == NULL) {
        unit_skip("KOMADORI_CASES is not set");
        return;
    }
    StrBuf path = STRBUF_INIT;
    strbuf_addf(&path, "%s/kifu", cases);
    for_each_row(path.ptr, 650, check);
    strbuf_free(&path);
}

static void test_reading(void) {
    for_selection(check_file);
}

static void test_reading_all(void) {
    for_cases(check_file);
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool read_file(const Folder *folder, StrView file, Record *record) {
    StrBuf bytes = STRBUF_INIT;
    KmdFault error;
    KifuForm form = {.codec = NULL};
    bool is_good =
        load(folder, file, &bytes) && kifu_read(strbuf_view(&bytes), &form, record, &error);
    strbuf_free(&bytes);
    return is_good;
}

static void write_utf8(const Record *record, const char *format, StrBuf *out) {
    KifuForm form = kifu_form(kifu_codec_by_name(sv_from(format)));
    form.encoding = TEXT_UTF8;
    kifu_write(record, &form, out);
}

/* Finds `want` after *place as a separate word, that is, followed by a space, a line end or the
 * mark of a move. */
static bool find_next(StrView *text, StrView want) {
    size_t place = sv_find(*text, want);
    *text = sv_skip(*text, place + want.len);
    return text->len > 0 && (text->ptr[0] == ' ' || text->ptr[0] == '\n' ||
                             sv_starts_with(*text, SV("▲")) || sv_starts_with(*text, SV("△")));
}

/* Checks that the texts of all moves in KIF, KI2 and CSA occur in the order of the game. */
static void check_move_texts(Folder *folder, const Record *record, StrView file) {
    StrBuf kif = STRBUF_INIT, ki2 = STRBUF_INIT, csa = STRBUF_INIT, want = STRBUF_INIT;
    write_utf8(record, "kif", &kif);
    write_utf8(record, "ki2", &ki2);
    write_utf8(record, "csa", &csa);
    StrView kif_text = strbuf_view(&kif), ki2_text = strbuf_view(&ki2);
    StrView csa_text = strbuf_view(&csa), columns[9];
    StrView rows = moves_of(folder, game_of(file)), row;
    int wrong = 0, ply = 0;
    while (sv_next_line(&rows, &row)) {
        split(row, columns, 9);
        strbuf_clear(&want);
        strbuf_addf(&want, "\n%4d %.*s", ++ply, (int)columns[7].len, columns[7].ptr);
        wrong += !find_next(&kif_text, strbuf_view(&want));
        wrong += !find_next(&ki2_text, columns[5]);
        wrong += !find_next(&csa_text, columns[8]);
    }
    expect(ply > 0 && wrong == 0, file, "text of moves");
    strbuf_free(&kif);
    strbuf_free(&ki2);
    strbuf_free(&csa);
    strbuf_free(&want);
}

/* True for the lines that must be equal. The exceptions are CSA headers, in which the oracle's
 * program drops the date of a time; headers and comments in BOD, which it does not write; 手数＝
 * and the order of pieces in hand in diagrams; and the last line of KIF's main line, which that
 * program writes only in KI2. */
static bool is_compared(StrView line, StrView format) {
    bool is_closing = sv_starts_with(line, SV("まで")) && sv_equal(format, SV("kif"));
    bool is_wide_header = sv_find(line, SV("：")) < line.len;
    if (sv_equal(format, SV("bod")) ? is_wide_header || line.ptr == NULL || line.len == 0 ||
                                          sv_has_byte(SV("*&#"), line.ptr[0])
                                    : is_wide_header && sv_starts_with(line, SV("'"))) {
        return false;
    }
    return line.len > 0 && line.ptr[0] != '$' && !sv_starts_with(line, SV("手数＝")) &&
           !sv_starts_with(line, SV("#KIF version")) && !is_closing &&
           sv_find(line, SV("の持駒：")) == line.len;
}

/* the length of "/hh:mm:ss)" */
enum { TOTAL_LEN = 10 };

/* The offset of the total time in a KIF row; line.len in other lines. */
static size_t find_total(StrView line) {
    size_t place = sv_find_byte(line, '/');
    StrView total = sv_prefix(sv_skip(line, place), TOTAL_LEN);
    bool is_row =
        sv_starts_with(line, SV(" ")) && total.len == TOTAL_LEN && sv_ends_with(total, SV(")"));
    return is_row ? place : line.len;
}

/* Appends a line in which the sides are named as in even games, as the oracle's program does. */
static void add_plain_sides(StrView line, StrBuf *out) {
    while (line.len > 0) {
        if (word_take(&line, SV("下手"))) {
            strbuf_add_str(out, "先手");
        } else if (word_take(&line, SV("上手"))) {
            strbuf_add_str(out, "後手");
        } else {
            strbuf_add_byte(out, line.ptr[0]);
            line = sv_skip(line, 1);
        }
    }
}

static bool same_closing(StrView a, StrView b) {
    StrBuf x = STRBUF_INIT, y = STRBUF_INIT;
    add_plain_sides(a, &x);
    add_plain_sides(b, &y);
    bool is_same = sv_starts_with(a, SV("まで")) && sv_equal(strbuf_view(&x), strbuf_view(&y));
    strbuf_free(&x);
    strbuf_free(&y);
    return is_same;
}

/* Compares two lines without their total times, which include fractions of seconds that KIF does
 * not contain; check_kif_times checks the totals. */
static bool same_line(StrView a, StrView b) {
    size_t total_a = find_total(a), total_b = find_total(b);
    return same_closing(a, b) ||
           (sv_equal(sv_prefix(a, total_a), sv_prefix(b, total_b)) &&
            sv_equal(sv_skip(a, total_a + TOTAL_LEN), sv_skip(b, total_b + TOTAL_LEN)));
}

static bool next_compared(StrView *text, StrView format, StrView *line) {
    while (sv_next_line(text, line)) {
        if (is_compared(*line, format)) {
            return true;
        }
    }
    *line = (StrView){NULL, 0};
    return false;
}

/* Compares two texts line by line. */
static void compare_texts(StrView want_text, StrView got_text, const char *format, StrView file) {
    StrView want_line, got_line;
    bool is_equal = true, more = true;
    while (is_equal && more) {
        more = next_compared(&want_text, sv_from(format), &want_line);
        next_compared(&got_text, sv_from(format), &got_line);
        is_equal = same_line(want_line, got_line);
    }
    expect(is_equal, file, "text");
    if (!is_equal) {
        say(got_line, "a line of it");
    }
}

static void check_same_text(const Folder *folder, const Record *record, StrView file,
                            const char *format) {
    StrBuf want = STRBUF_INIT, got = STRBUF_INIT;
    if (load(folder, file, &want)) {
        write_utf8(record, format, &got);
        compare_texts(strbuf_view(&want), strbuf_view(&got), format, file);
    }
    strbuf_free(&want);
    strbuf_free(&got);
}

/* ---- the values of a JSON text, whatever the order of its keys ------------------------------- */

typedef struct JsonValues {
    StrBuf text;
    StrView *lines; /* lines of text, such as "/path/0/key=value", sorted */
    int count;
} JsonValues;

static void flatten_value(JsonReader *json, StrBuf *path, StrBuf *out);

/* Appends the members of the object, or the items of the array, that comes next. */
static void flatten_members(JsonReader *json, JsonKind kind, StrBuf *path, StrBuf *out) {
    size_t len = path->len;
    bool is_first = true;
    StrView key;
    json_enter(json, kind);
    for (int i = 0; kind == JSON_OBJECT ? json_next_key(json, &is_first, &key)
                                        : json_next_item(json, &is_first);
         i++) {
        strbuf_add_byte(path, '/');
        if (kind == JSON_OBJECT) {
            strbuf_add(path, key);
        } else {
            strbuf_add_i64(path, i);
        }
        flatten_value(json, path, out);
        path->len = len;
    }
}

static void flatten_value(JsonReader *json, StrBuf *path, StrBuf *out) {
    JsonKind kind = json_peek(json);
    if (kind == JSON_OBJECT || kind == JSON_ARRAY) {
        flatten_members(json, kind, path, out);
        return;
    }
    StrView rest = json->rest;
    json_skip(json);
    strbuf_add(out, strbuf_view(path));
    strbuf_add_byte(out, '=');
    strbuf_add(out, sv_trim(sv_prefix(rest, rest.len - json->rest.len)));
    strbuf_add_byte(out, '\n');
}

static int compare_lines(const void *a, const void *b) {
    const StrView *x = a, *y = b;
    int order = memcmp(x->ptr, y->ptr, x->len < y->len ? x->len : y->len);
    return order != 0 ? order : (x->len > y->len) - (x->len < y->len);
}

/* Returns the values for which `wants` is true. Free with values_free. */
static JsonValues values_of(StrView text, bool (*wants)(StrView value)) {
    JsonValues values = {.text = STRBUF_INIT};
    JsonReader json;
    StrBuf path = STRBUF_INIT;
    size_t cap = 0;
    json_init(&json, text);
    flatten_value(&json, &path, &values.text);
    CHECK(json_at_end(&json));
    json_free(&json);
    strbuf_free(&path);
    StrView rest = strbuf_view(&values.text), line;
    while (sv_next_line(&rest, &line)) {
        if (wants(line)) {
            values.lines = xmem_grow(values.lines, &cap, (size_t)values.count + 1, sizeof(StrView));
            values.lines[values.count++] = line;
        }
    }
    if (values.count > 0) {
        qsort(values.lines, (size_t)values.count, sizeof(StrView), compare_lines);
    }
    return values;
}

static void values_free(JsonValues *values) {
    free(values->lines);
    strbuf_free(&values->text);
}

/* The number of values that are not among the others. Prints the first such value. */
static int count_missing(const JsonValues *values, const JsonValues *others) {
    int missing = 0;
    for (int i = 0; i < values->count; i++) {
        const StrView *value = &values->lines[i];
        if (others->count == 0 || bsearch(value, others->lines, (size_t)others->count,
                                          sizeof(*value), compare_lines) == NULL) {
            if (missing++ == 0) {
                say(*value, "a value of one text alone");
            }
        }
    }
    return missing;
}

/* True for the values that can be compared. The exceptions are total times, which include fractions
 * of seconds that KIF does not contain, and endings, because KIF has one word for all draws;
 * check_jkf_times checks both. Only we write "same". */
static bool is_shared(StrView value) {
    return sv_find(value, SV("/time/total/")) == value.len &&
           sv_find(value, SV("/special=")) == value.len &&
           sv_find(value, SV("/move/same=")) == value.len;
}

static void compare_values(StrView want, StrView got, StrView file) {
    JsonValues wanted = values_of(want, is_shared);
    JsonValues found = values_of(got, is_shared);
    expect(wanted.count > 0 && count_missing(&found, &wanted) == 0 &&
               count_missing(&wanted, &found) == 0,
           file, "values");
    values_free(&wanted);
    values_free(&found);
}

static void check_same_values(const Folder *folder, const Record *record, StrView file) {
    StrBuf want = STRBUF_INIT, got = STRBUF_INIT;
    if (load(folder, file, &want)) {
        write_utf8(record, "jkf", &got);
        compare_values(strbuf_view(&want), strbuf_view(&got), file);
    }
    strbuf_free(&want);
    strbuf_free(&got);
}

/* Converts the record of one file to the texts of all files of that game. */
static void check_writers(Folder *folder, const StrView *row) {
    static const struct {
        const char *ending, *format;
    } texts[] = {
        {".kifu", "kif"}, {".ki2u", "ki2"}, {".usi", "usi"}, {".usen", "usen"}, {".bod", "bod"}};
    StrView file = row[COL_FILE], game = game_of(file);
    Record record;
    record_init(&record);
    if (sv_ends_with(file, SV(".kifu")) && CHECK(read_file(folder, file, &record))) {
        StrBuf name = STRBUF_INIT;
        check_move_texts(folder, &record, file);
        for (size_t i = 0; i < COUNTOF(texts); i++) {
            /* In the oracle's USEN, every variation has the ending of the main line. */
            bool has_own_endings = sv_equal(row[COL_VARIATIONS], SV("0")) ||
                                   !sv_equal(sv_from(texts[i].format), SV("usen"));
            strbuf_clear(&name);
            strbuf_add(&name, game);
            strbuf_add_str(&name, texts[i].ending);
            if (has_own_endings) {
                check_same_text(folder, &record, strbuf_view(&name), texts[i].format);
            }
        }
        /* The oracle's JKF has no ending if CSA has no word for it. */
        KmdEnding ending = main_ending(&record);
        if (ending == KMD_END_NONE || ending_word(csa_endings, ending)[0] != 0) {
            strbuf_clear(&name);
            strbuf_add(&name, game);
            strbuf_add_str(&name, ".jkf");
            check_same_values(folder, &record, strbuf_view(&name));
        }
        strbuf_free(&name);
    } else if (sv_ends_with(file, SV(".csa")) && CHECK(read_file(folder, file, &record))) {
        check_same_text(folder, &record, file, "csa");
    } else if (sv_ends_with(file, SV(".csa3")) && CHECK(read_file(folder, file, &record))) {
        check_same_text(folder, &record, file, "csa3");
    }
    record_free(&record);
}

static void test_writing(void) {
    for_selection(check_writers);
}

static void test_writing_all(void) {
    for_cases(check_writers);
}

/* ---- times ----------------------------------------------------------------------------------- */

/* The next row of the main line in a KIF text, without the mark after its time. */
static bool next_row(StrView *text, StrView *row) {
    while (sv_next_line(text, row) && !sv_starts_with(*row, SV("変化："))) {
        size_t total = find_total(*row);
        if (total < row->len) {
            *row = sv_prefix(*row, total + TOTAL_LEN);
            return true;
        }
    }
    return false;
}

/* Compares the rows with both times. The record that is written has the fractions of seconds that
 * the totals include. */
static void check_kif_times(const Folder *folder, const Record *record, StrView file) {
    StrBuf want = STRBUF_INIT, got = STRBUF_INIT;
    if (load(folder, file, &want)) {
        write_utf8(record, "kif", &got);
        StrView want_text = strbuf_view(&want), got_text = strbuf_view(&got), want_row, got_row;
        int rows = 0, wrong = 0;
        for (; next_row(&got_text, &got_row); rows++) {
            wrong += !next_row(&want_text, &want_row) || !sv_equal(got_row, want_row);
        }
        expect(rows >= record_main_length(record) && wrong == 0, file, "rows with times");
    }
    strbuf_free(&want);
    strbuf_free(&got);
}

static bool is_time_or_ending(StrView value) {
    bool is_time = sv_find(value, SV("/time/")) < value.len;
    bool is_ending = sv_find(value, SV("/special=")) < value.len;
    return (is_time || is_ending) && sv_find(value, SV("/forks/")) == value.len;
}

/* Compares times like check_kif_times, and also the ending, if CSA has a word for it. */
static void check_jkf_times(const Folder *folder, const Record *record, StrView file) {
    StrBuf want = STRBUF_INIT, got = STRBUF_INIT;
    if (load(folder, file, &want)) {
        write_utf8(record, "jkf", &got);
        JsonValues wanted = values_of(strbuf_view(&want), is_time_or_ending);
        JsonValues found = values_of(strbuf_view(&got), is_time_or_ending);
        /* Minutes and seconds; total hours, minutes and seconds. */
        expect(found.count >= 5 * record_main_length(record), file, "a time for each move");
        expect(count_missing(&found, &wanted) == 0, file, "times");
        values_free(&wanted);
        values_free(&found);
    }
    strbuf_free(&want);
    strbuf_free(&got);
}

/* The seconds and comments of the main line, and the time of its ending, if any. */
static bool same_main_line(const Record *a, const Record *b) {
    int x = KMD_ROOT, y = KMD_ROOT;
    for (; x != KMD_NODE_NONE && y != KMD_NODE_NONE; x = a->nodes[x].child, y = b->nodes[y].child) {
        const RecordNode *n = &a->nodes[x], *m = &b->nodes[y];
        if (n->move != m->move || (n->time_ms < 0) != (m->time_ms < 0) ||
            n->time_ms / 1000 != m->time_ms / 1000 ||
            !sv_equal(record_text(a, n->comment), record_text(b, m->comment))) {
            return false;
        }
    }
    return record_main_length(a) == record_main_length(b);
}

static void check_times(Folder *folder, const StrView *row) {
    static const char *const others[] = {".kifu", ".kif", ".jkf", ".csa"};
    StrView file = row[COL_FILE], game = game_of(file);
    Record record, other;
    StrBuf name = STRBUF_INIT;
    record_init(&record);
    record_init(&other);
    if (sv_ends_with(file, SV(".csa3")) && CHECK(read_file(folder, file, &record))) {
        for (size_t i = 0; i < COUNTOF(others); i++) {
            strbuf_clear(&name);
            strbuf_add(&name, game);
            strbuf_add_str(&name, others[i]);
            CHECK(read_file(folder, strbuf_view(&name), &other));
            expect(same_main_line(&record, &other), strbuf_view(&name), "times and comments");
            if (sv_equal(sv_from(others[i]), SV(".kifu"))) {
                check_kif_times(folder, &record, strbuf_view(&name));
            } else if (sv_equal(sv_from(others[i]), SV(".jkf"))) {
                check_jkf_times(folder, &record, strbuf_view(&name));
            }
        }
    }
    strbuf_free(&name);
    record_free(&other);
    record_free(&record);
}

static void test_times(void) {
    for_selection(check_times);
}

static void test_times_all(void) {
    for_cases(check_times);
}

/* ---- round trips ----------------------------------------------------------------------------- */

typedef struct Pair {
    const Record *a, *b;
    const Codec *codec;
} Pair;

static bool same_node(const Pair *pair, int a, int b) {
    const RecordNode *x = &pair->a->nodes[a], *y = &pair->b->nodes[b];
    int holds = pair->codec->format.holds;
    bool has_times = (holds & KMD_HOLDS_TIMES) != 0,
         has_comments = (holds & KMD_HOLDS_COMMENTS) != 0;
    bool has_fractions = sv_equal(sv_from(pair->codec->format.name), SV("csa3"));
    int64_t unit = has_fractions ? 1 : 1000;
    bool same_times = x->time_ms < 0 || y->time_ms < 0 ? x->time_ms == y->time_ms
                                                       : x->time_ms / unit == y->time_ms / unit;
    return x->move == y->move && same_ending(pair->codec, x->ending, y->ending) &&
           (!has_times || same_times) &&
           (!has_comments ||
            sv_equal(record_text(pair->a, x->comment), record_text(pair->b, y->comment))) &&
           ((holds & KMD_HOLDS_BOOKMARKS) == 0 || x->ending == KMD_END_OTHER ||
            sv_equal(record_text(pair->a, x->label), record_text(pair->b, y->label)));
}

/* True for an ending for which the format has no word or no place. */
static bool is_lost(const Pair *pair, int node) {
    KmdEnding ending = node == KMD_NODE_NONE ? KMD_END_NONE : pair->a->nodes[node].ending;
    return ending != KMD_END_NONE &&
           (!has_endings(pair->codec) || same_ending(pair->codec, ending, KMD_END_NONE));
}

static bool same_tree(const Pair *pair, int a, int b) {
    if (!same_node(pair, a, b)) {
        return false;
    }
    int x = pair->a->nodes[a].child, y = pair->b->nodes[b].child;
    if ((pair->codec->format.holds & KMD_HOLDS_VARIATIONS) == 0) {
        return is_lost(pair, x)                           ? true
               : x == KMD_NODE_NONE || y == KMD_NODE_NONE ? x == y
                                                          : same_tree(pair, x, y);
    }
    while (x != KMD_NODE_NONE && y != KMD_NODE_NONE) {
        if (!is_lost(pair, x) && !same_tree(pair, x, y)) {
            return false;
        }
        x = pair->a->nodes[x].sibling;
        y = pair->b->nodes[y].sibling;
    }
    return x == y || is_lost(pair, x);
}

static bool same_headers(const Record *a, const Record *b) {
    for (int i = 0; i < a->header_count; i++) {
        StrView key = record_text(a, a->headers[i].key);
        if (!sv_equal(record_text(a, a->headers[i].value), record_header(b, key))) {
            return false;
        }
    }
    return true;
}

static void check_round_trip(const Record *record, const Codec *codec, StrView file) {
    for (TextEncoding encoding = TEXT_UTF8; encoding <= TEXT_EUC_JP; encoding++) {
        KifuForm form = {.codec = codec,
                         .encoding = encoding,
                         .has_crlf = encoding == TEXT_CP932,
                         .has_bom = codec->format.separator == NULL};
        KifuForm found = {.codec = NULL};
        StrBuf bytes = STRBUF_INIT;
        Record back;
        KmdFault error;
        record_init(&back);
        kifu_write(record, &form, &bytes);
        bool is_good = kifu_read(strbuf_view(&bytes), &found, &back, &error);
        Pair pair = {record, &back, codec};
        expect(is_good, file, error.reason != NULL ? error.reason : "reads back");
        expect(is_good && same_tree(&pair, KMD_ROOT, KMD_ROOT), file, codec->format.name);
        expect((codec->format.holds & KMD_HOLDS_HEADERS) == 0 || same_headers(record, &back), file,
               "headers");
        record_free(&back);
        strbuf_free(&bytes);
    }
}

static void check_round_trips(Folder *folder, const StrView *row) {
    StrView file = row[COL_FILE];
    Record record;
    record_init(&record);
    if ((sv_ends_with(file, SV(".kifu")) || sv_ends_with(file, SV(".csa3"))) &&
        CHECK(read_file(folder, file, &record))) {
        for (int i = 0; kifu_codec(i) != NULL; i++) {
            if ((kifu_codec(i)->format.holds & KMD_HOLDS_MOVES) != 0) {
                check_round_trip(&record, kifu_codec(i), file);
            }
        }
    }
    record_free(&record);
}

static void test_round_trips(void) {
    for_selection(check_round_trips);
}

static void test_round_trips_all(void) {
    for_cases(check_round_trips);
}

/* Writes each file in its own format, encoding and line ends. It stays the same, but for what
 * is_compared and is_shared name; written once more, it stays the same byte for byte. */
static void check_onto_itself(Folder *folder, const StrView *row) {
    StrBuf bytes = STRBUF_INIT, copy = STRBUF_INIT, want = STRBUF_INIT, got = STRBUF_INIT;
    Record record, back;
    KmdFault error;
    KifuForm form = {.codec = NULL}, again = {.codec = NULL};
    record_init(&record);
    record_init(&back);
    bool is_game = !sv_starts_with(row[COL_FORMAT], SV("SFEN"));
    if (load(folder, row[COL_FILE], &bytes) && is_game) {
        expect(kifu_read(strbuf_view(&bytes), &form, &record, &error), row[COL_FILE], "reads");
        expect(record.skipped == 0, row[COL_FILE], "has no line that is skipped");
        expect(kifu_write(&record, &form, &copy) == 0, row[COL_FILE], "characters");
        expect(kifu_read(strbuf_view(&copy), &again, &back, &error), row[COL_FILE], "reads again");
        expect(again.codec == form.codec && again.encoding == form.encoding &&
                   again.has_crlf == form.has_crlf && again.has_bom == form.has_bom,
               row[COL_FILE], "form");
        textenc_decode(form.encoding, strbuf_view(&bytes), &want);
        textenc_decode(form.encoding, strbuf_view(&copy), &got);
        if (sv_equal(sv_from(form.codec->format.name), SV("jkf"))) {
            compare_values(strbuf_view(&want), strbuf_view(&got), row[COL_FILE]);
        } else {
            compare_texts(strbuf_view(&want), strbuf_view(&got), form.codec->format.name,
                          row[COL_FILE]);
        }
        strbuf_clear(&bytes);
        kifu_write(&back, &again, &bytes);
        expect(sv_equal(strbuf_view(&bytes), strbuf_view(&copy)), row[COL_FILE], "stays the same");
    }
    record_free(&record);
    record_free(&back);
    strbuf_free(&bytes);
    strbuf_free(&copy);
    strbuf_free(&want);
    strbuf_free(&got);
}

static void test_onto_itself(void) {
    for_selection(check_onto_itself);
}

static void test_onto_itself_all(void) {
    for_cases(check_onto_itself);
}

UNIT_MAIN({"reading", test_reading}, {"reading all games", test_reading_all},
          {"writing", test_writing}, {"writing all games", test_writing_all}, {"times", test_times},
          {"times of all games", test_times_all}, {"round trips", test_round_trips},
          {"round trips of all games", test_round_trips_all},
          {"written onto themselves", test_onto_itself},
          {"all written onto themselves", test_onto_itself_all})
