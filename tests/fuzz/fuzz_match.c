/* fuzz_match.c: passes any bytes to the match runner as lines of engines, time controls, lines of a
 * results file and openings. Accepted values must be within their documented limits. */
#include <stdlib.h>

#include "base/json.h"
#include "base/utf8.h"
#include "match/openings.h"
#include "play/player.h"
#include "play/timecontrol.h"
#include "rules/outcome.h"
#include "rules/position.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) {
        abort();
    }
}

static bool is_inside(StrView part, StrView whole) {
    return part.len == 0 || (part.ptr >= whole.ptr && part.ptr + part.len <= whole.ptr + whole.len);
}

static void read_engine_line(StrView line) {
    UsiInfo info = {0};
    StrView pv;
    require(!usiline_read_info(line, &info, &pv) || (pv.len > 0 && is_inside(pv, line)));
    require(info.depth >= 0 && abs(info.score) <= 2 * USI_SCORE_MATE);
    StrView move, ponder;
    usiline_read_bestmove(line, &move, &ponder);
    require(is_inside(move, line) && is_inside(ponder, line));
    require(is_inside(usiline_option_name(line), line));
}

static void read_clock(StrView line) {
    TimeControl tc = {.byoyomi_ms = -1};
    if (timecontrol_read_clock(line, &tc)) {
        require(tc.main_ms >= 0 && tc.inc_ms >= 0 && tc.byoyomi_ms == -1);
    }
}

/* Checks that any text is the same after being written as a field and read back. */
static void read_json(StrView line) {
    StrBuf out = STRBUF_INIT;
    StrBuf back = STRBUF_INIT;
    int64_t number;
    if (json_line_is_object(line) && json_line_i64(line, "game", 0, 100, &number)) {
        require(number >= 0 && number <= 100);
    }
    if (json_line_text(line, "moves", &back)) {
        require(back.len <= line.len);
    }
    strbuf_clear(&back);
    strbuf_add_byte(&out, '{');
    json_add_text("moves", line, &out);
    strbuf_add_str(&out, "}\n");
    require(json_line_is_object(strbuf_view(&out)));
    require(json_line_text(strbuf_view(&out), "moves", &back));
    require(utf8_count(strbuf_view(&out)).faults == 0);
    bool is_text = utf8_count(line).faults == 0 && sv_find_byte(line, 0) == line.len;
    require(sv_equal(strbuf_view(&back), line) || !is_text);
    strbuf_free(&out);
    strbuf_free(&back);
}

static void read_openings(StrView text) {
    const OutcomeRules rules = {KMD_DECLARE_NONE, 0};
    Openings openings;
    StrBuf error = STRBUF_INIT;
    bool is_good = openings_read(text, text.len % 7 == 0 ? 2 : -1, &rules, &openings, &error);
    require(is_good == (error.len == 0) && is_good == (openings.count > 0));
    strbuf_free(&error);
    if (!is_good) {
        return;
    }
    Position pos;
    pos_init(&pos);
    for (int i = 0; i < openings.count; i++) {
        require(openings_set(&openings, i, &pos) != NULL && pos_ok(&pos));
        require(outcome_of(&pos, &rules).kind == KMD_END_NONE);
    }
    pos_free(&pos);
    openings_free(&openings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    StrView text = {(const char *)data, size};
    StrView rest = text;
    StrView line;
    pos_init_tables();
    while (sv_next_line(&rest, &line)) {
        read_engine_line(line);
        read_clock(line);
        read_json(line);
    }
    read_openings(text);
    return 0;
}
