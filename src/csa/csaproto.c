/* csaproto.c: reads lines of a CSA server, and keeps its clocks. */
#include "csa/csaproto.h"

#include "base/base.h"
#include "base/clock.h"

/* Longer numbers are not times. */
#define NUMBER_MAX INT64_C(1000000000000)

void csaproto_free_summary(CsaSummary *summary) {
    strbuf_free(&summary->game_id);
    strbuf_free(&summary->name[BLACK]);
    strbuf_free(&summary->name[WHITE]);
    strbuf_free(&summary->position);
    *summary = (CsaSummary){0};
}

void csaproto_free(CsaProto *proto) {
    csaproto_free_summary(&proto->summary);
    *proto = (CsaProto){0};
}

void csaproto_take_summary(CsaProto *proto, CsaSummary *summary) {
    csaproto_free_summary(summary);
    *summary = proto->summary;
    proto->summary = (CsaSummary){0};
}

/* ---- The summary. ---- */

static void set_text(StrBuf *text, StrView value) {
    strbuf_clear(text);
    strbuf_add(text, value);
}

static bool read_color(StrView value, Color *color) {
    bool is_black = sv_equal(value, SV("+")), is_white = sv_equal(value, SV("-"));
    *color = is_white ? WHITE : BLACK;
    return is_black || is_white;
}

/* Reads "1sec", "1min", "1msec" or "10msec". */
static bool read_unit(StrView value, int64_t *unit_ms) {
    const struct {
        StrView name;
        int64_t ms;
    } units[] = {{SV("msec"), 1}, {SV("sec"), 1000}, {SV("min"), 60000}};
    for (size_t i = 0; i < COUNTOF(units); i++) {
        int64_t count = 1;
        if (sv_ends_with(value, units[i].name)) {
            StrView number = sv_prefix(value, value.len - units[i].name.len);
            bool is_good = number.len == 0 || sv_to_i64(number, 1, 1000000, &count);
            *unit_ms = count * units[i].ms;
            return is_good;
        }
    }
    return false;
}

/* Reads a line of the general part. Unknown keys are ignored. */
static bool read_general(CsaProto *proto, StrView key, StrView value) {
    CsaSummary *summary = &proto->summary;
    if (sv_equal(key, SV("Game_ID"))) {
        set_text(&summary->game_id, value);
    } else if (sv_equal(key, SV("Name+"))) {
        set_text(&summary->name[BLACK], value);
    } else if (sv_equal(key, SV("Name-"))) {
        set_text(&summary->name[WHITE], value);
    } else if (sv_equal(key, SV("Your_Turn"))) {
        summary->has_us = read_color(value, &summary->us);
        return summary->has_us;
    } else if (sv_equal(key, SV("To_Move"))) {
        proto->has_to_move = read_color(value, &summary->to_move);
        return proto->has_to_move;
    } else if (sv_equal(key, SV("Rematch_On_Draw"))) {
        summary->rematches_on_draw = sv_equal_nocase(value, SV("YES"));
    } else if (sv_equal(key, SV("Max_Moves"))) {
        return sv_to_int(value, 0, 1000000, &summary->max_moves);
    } else if (sv_equal(key, SV("Format"))) {
        return sv_starts_with(value, SV("Shogi"));
    }
    return true;
}

/* Reads a line of a time block for the sides that the block is about. Times are kept in units until
 * the summary ends, because the unit may come last. */
static bool read_time_value(CsaProto *proto, StrView key, StrView value) {
    int64_t number = 0;
    bool is_number = sv_to_i64(value, 0, NUMBER_MAX, &number);
    StrView name = key;
    Color only = proto->time_side;
    if (sv_starts_with(key, SV("Remaining_Time")) && sv_ends_with(key, SV("+"))) {
        only = BLACK;
    } else if (sv_starts_with(key, SV("Remaining_Time")) && sv_ends_with(key, SV("-"))) {
        only = WHITE;
    }
    for (int side = BLACK; side <= WHITE; side++) {
        CsaTime *time = &proto->summary.time[side];
        if (only != COLOR_NB && only != (Color)side) {
            continue;
        }
        if (sv_equal(name, SV("Time_Unit"))) {
            if (!read_unit(value, &time->unit_ms)) {
                return false;
            }
        } else if (sv_equal(name, SV("Time_Roundup"))) {
            time->rounds_up = sv_equal_nocase(value, SV("YES"));
        } else {
            int64_t *place = sv_equal(name, SV("Total_Time"))             ? &time->total_ms
                             : sv_equal(name, SV("Byoyomi"))              ? &time->byoyomi_ms
                             : sv_equal(name, SV("Increment"))            ? &time->increment_ms
                             : sv_equal(name, SV("Delay"))                ? &time->delay_ms
                             : sv_equal(name, SV("Least_Time_Per_Move"))  ? &time->least_ms
                             : sv_starts_with(name, SV("Remaining_Time")) ? &time->remaining_ms
                                                                          : NULL;
            if (place != NULL && !is_number) {
                return false;
            }
            if (place != NULL) {
                *place = number;
                time->is_limited |=
                    number > 0 && (place == &time->total_ms || place == &time->byoyomi_ms ||
                                   place == &time->increment_ms);
            }
        }
    }
    return true;
}

/* Converts the times from units to milliseconds. */
static void convert_time(CsaTime *time) {
    int64_t *const places[] = {&time->total_ms, &time->byoyomi_ms, &time->increment_ms,
                               &time->delay_ms, &time->least_ms,   &time->remaining_ms};
    for (size_t i = 0; i < COUNTOF(places); i++) {
        if (*places[i] > 0) {
            *places[i] = i64_min(*places[i], NUMBER_MAX / time->unit_ms) * time->unit_ms;
        }
    }
}

/* Checks a summary that has ended. A position block without a line for the side to move gets one,
 * before the moves. */
static CsaEvent end_summary(CsaProto *proto) {
    CsaSummary *summary = &proto->summary;
    proto->place = CSA_OUTSIDE;
    convert_time(&summary->time[BLACK]);
    convert_time(&summary->time[WHITE]);
    const char *fault = proto->fault != NULL  ? proto->fault
                        : !summary->has_us    ? "Your_Turn is missing"
                        : !proto->has_to_move ? "To_Move is missing"
                                              : NULL;
    if (summary->position.len == 0) {
        strbuf_add_str(&summary->position, "PI\n");
    }
    strbuf_add_str(&summary->game_id, summary->game_id.len == 0 ? "game" : "");
    for (int side = BLACK; side <= WHITE; side++) {
        strbuf_add_str(&summary->name[side], summary->name[side].len == 0 ? "unknown" : "");
    }
    bool has_side = false;
    size_t moves = summary->position.len;
    StrView rest = strbuf_view(&summary->position), line;
    while (sv_next_line(&rest, &line)) {
        size_t at = (size_t)(line.ptr - summary->position.ptr);
        if (line.len > 0 && (line.ptr[0] == '+' || line.ptr[0] == '-')) {
            has_side = has_side || sv_trim(line).len == 1;
            moves = at < moves ? at : moves;
        }
    }
    if (!has_side) {
        StrBuf whole = STRBUF_INIT;
        strbuf_add(&whole, sv_prefix(strbuf_view(&summary->position), moves));
        strbuf_add_str(&whole, summary->to_move == BLACK ? "+\n" : "-\n");
        strbuf_add(&whole, sv_skip(strbuf_view(&summary->position), moves));
        strbuf_free(&summary->position);
        summary->position = whole;
    }
    return fault != NULL ? (CsaEvent){.kind = CSA_BAD_SUMMARY, .text = sv_from(fault), .spent = -1}
                         : (CsaEvent){.kind = CSA_SUMMARY,
                                      .text = strbuf_view(&summary->game_id),
                                      .spent = -1};
}

/* Reads a line inside a summary. */
static CsaEvent read_summary_line(CsaProto *proto, StrView line) {
    CsaEvent nothing = {.kind = CSA_NOTHING, .spent = -1};
    size_t colon = sv_find_byte(line, ':');
    StrView key = sv_trim(sv_prefix(line, colon)), value = sv_trim(sv_skip(line, colon + 1));
    if (sv_equal(line, SV("END Game_Summary"))) {
        return end_summary(proto);
    }
    if (sv_starts_with(line, SV("END "))) {
        proto->place = CSA_IN_SUMMARY;
    } else if (sv_equal(line, SV("BEGIN Position"))) {
        proto->place = CSA_IN_POSITION;
    } else if (sv_starts_with(line, SV("BEGIN Time"))) {
        proto->place = CSA_IN_TIME;
        proto->time_side = sv_ends_with(line, SV("+"))   ? BLACK
                           : sv_ends_with(line, SV("-")) ? WHITE
                                                         : COLOR_NB;
    } else if (proto->place == CSA_IN_POSITION) {
        enum { POSITION_MAX = 1 << 20 };
        if (proto->summary.position.len + line.len < POSITION_MAX) {
            strbuf_add(&proto->summary.position, line);
            strbuf_add_byte(&proto->summary.position, '\n');
        } else {
            proto->fault = "the position is too long";
        }
    } else if (proto->place == CSA_IN_TIME) {
        if (!read_time_value(proto, key, value)) {
            proto->fault = "a line of the time control cannot be read";
        }
    } else if (!read_general(proto, key, value)) {
        proto->fault = "a line of the summary cannot be read";
    }
    return nothing;
}

/* ---- Other lines. ---- */

/* Reads what follows a move: ",T12", perhaps with more fields, such as a comment. */
static int64_t read_spent(StrView fields) {
    StrView field;
    int64_t spent = -1;
    while (spent < 0 && sv_next_field(&fields, ',', &field)) {
        field = sv_trim(field);
        if (sv_starts_with(field, SV("T")) &&
            !sv_to_i64(sv_skip(field, 1), 0, NUMBER_MAX, &spent)) {
            spent = -1;
        }
    }
    return spent;
}

CsaEvent csaproto_read(CsaProto *proto, StrView raw) {
    static const char *const results[] = {"WIN", "LOSE", "DRAW", "CENSORED", "CHUDAN"};
    StrView line = sv_trim(raw);
    CsaEvent event = {.kind = CSA_UNKNOWN, .text = line, .spent = -1};
    if (sv_equal(line, SV("BEGIN Game_Summary"))) {
        const CsaTime time = {.unit_ms = 1000, .remaining_ms = -1};
        csaproto_free(proto);
        proto->place = CSA_IN_SUMMARY;
        proto->summary.time[BLACK] = proto->summary.time[WHITE] = time;
        event.kind = CSA_NOTHING;
        return event;
    }
    if (proto->place != CSA_OUTSIDE) {
        return read_summary_line(proto, line);
    }
    if (line.len == 0) {
        event.kind = CSA_NOTHING;
    } else if (sv_starts_with(line, SV("LOGIN:"))) {
        bool is_good = sv_ends_with(line, SV(" OK"));
        event.kind = is_good                                 ? CSA_LOGGED_IN
                     : sv_equal(line, SV("LOGIN:incorrect")) ? CSA_LOGIN_REFUSED
                                                             : CSA_UNKNOWN;
    } else if (sv_starts_with(line, SV("LOGOUT:"))) {
        event.kind = CSA_LOGGED_OUT;
    } else if (sv_starts_with(line, SV("START:"))) {
        event.kind = CSA_START;
        event.text = sv_skip(line, 6);
    } else if (sv_starts_with(line, SV("REJECT:"))) {
        event.kind = CSA_REJECT;
        event.text = sv_skip(line, 7);
    } else if (line.len > 1 && line.ptr[0] == '#' && line.ptr[1] >= 'A' && line.ptr[1] <= 'Z') {
        event.text = sv_skip(line, 1);
        event.kind = SV_INDEX_OF(event.text, results) >= 0 ? CSA_RESULT : CSA_REASON;
    } else {
        size_t comma = sv_find_byte(line, ',');
        StrView head = sv_trim(sv_prefix(line, comma));
        event.spent = read_spent(sv_skip(line, comma + 1));
        if (head.len == 7 && (head.ptr[0] == '+' || head.ptr[0] == '-')) {
            event.kind = CSA_MOVE;
            event.side = head.ptr[0] == '+' ? BLACK : WHITE;
            event.text = head;
        }
    }
    return event;
}

/* ---- Clocks. ---- */

CsaClock csaproto_clock(const CsaSummary *summary) {
    CsaClock clock;
    for (int side = BLACK; side <= WHITE; side++) {
        const CsaTime *time = &summary->time[side];
        clock.time[side] = *time;
        clock.left_ms[side] = time->remaining_ms >= 0 ? time->remaining_ms : time->total_ms;
    }
    return clock;
}

void csaproto_spend(CsaClock *clock, Color side, int64_t spent) {
    const CsaTime *time = &clock->time[side];
    int64_t used_ms = i64_min(i64_max(spent, 0), NUMBER_MAX / time->unit_ms) * time->unit_ms;
    clock->left_ms[side] = i64_max(clock->left_ms[side] + time->increment_ms - used_ms, 0);
}

/* Takes up to *wanted from *time. */
static void take_reserve(int64_t *time, int64_t *wanted) {
    int64_t taken = i64_clamp(*wanted, 0, i64_max(*time, 0));
    *time -= taken;
    *wanted -= taken;
}

GameClock csaproto_engine_clock(const CsaClock *clock, Color us, int64_t reserve_ms,
                                const TimeControl *tc) {
    GameClock go = {.tc = {*tc, *tc}};
    for (int side = BLACK; side <= WHITE; side++) {
        const CsaTime *time = &clock->time[side];
        int64_t main_ms = clock->left_ms[side], byoyomi_ms = time->byoyomi_ms;
        int64_t inc_ms = time->increment_ms;
        if (inc_ms > 0) {
            main_ms += byoyomi_ms; /* USI has either an increment or byoyomi */
            byoyomi_ms = 0;
            inc_ms += time->delay_ms;
        } else {
            byoyomi_ms += time->delay_ms;
        }
        if ((Color)side == us) {
            /* The reserve comes out of the byoyomi or the main time first; the increment is the
             * last, because an engine counts on it for later moves. */
            int64_t wanted = reserve_ms + (time->rounds_up ? time->unit_ms : 0);
            take_reserve(main_ms > byoyomi_ms ? &main_ms : &byoyomi_ms, &wanted);
            take_reserve(&byoyomi_ms, &wanted);
            take_reserve(&main_ms, &wanted);
            take_reserve(&inc_ms, &wanted);
            main_ms = main_ms + byoyomi_ms + inc_ms == 0 ? 1 : main_ms;
        }
        go.tc[side].has_clock = time->is_limited;
        go.tc[side].main_ms = main_ms;
        go.tc[side].byoyomi_ms = byoyomi_ms;
        go.tc[side].inc_ms = inc_ms;
        go.left_ns[side] = (main_ms + inc_ms) * NS_PER_MS;
    }
    return go;
}

void csaproto_limit_move(GameClock *go, Color us, int64_t start_ms) {
    enum { SEARCH_MS = 100 };
    const TimeControl *tc = &go->tc[us];
    if (tc->has_clock) {
        int64_t whole_ms = tc->main_ms + tc->byoyomi_ms + tc->inc_ms;
        int64_t spare_ms = 2 * (start_ms + SEARCH_MS);
        go->limit_ns = (whole_ms - tc->main_ms / 4) * NS_PER_MS;
        go->quiet_ns = spare_ms <= whole_ms / 2 ? (whole_ms - spare_ms) * NS_PER_MS : 0;
    }
}
