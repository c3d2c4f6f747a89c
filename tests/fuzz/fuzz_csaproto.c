/* fuzz_csaproto.c: passes any bytes to the client for CSA servers as lines of a server. Whatever
 * they are, texts stay inside the line or the summary, and clocks never run below zero. */
#include <stdlib.h>

#include "base/fileio.h"
#include "csa/csaproto.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const TimeControl none;
    CsaProto proto = {0};
    CsaClock clock = {.time = {{.unit_ms = 1000}, {.unit_ms = 1000}}};
    StrView text = {(const char *)data, size}, line;
    while (sv_next_line(&text, &line)) {
        CsaEvent event = csaproto_read(&proto, line);
        require(event.spent >= -1);
        if (event.kind == CSA_SUMMARY) {
            require(proto.summary.has_us && proto.summary.position.len > 0);
            clock = csaproto_clock(&proto.summary);
        } else if (event.kind == CSA_MOVE) {
            require(event.text.len == 7 && event.text.ptr >= line.ptr &&
                    event.text.ptr + event.text.len <= line.ptr + line.len);
            csaproto_spend(&clock, event.side, event.spent);
        }
        for (int side = BLACK; side <= WHITE; side++) {
            require(clock.left_ms[side] >= 0 && clock.time[side].unit_ms > 0);
            GameClock go = csaproto_engine_clock(&clock, (Color)side, 300, &none);
            require(!go.tc[side].has_clock || timecontrol_budget_ns(&go, (Color)side) > 0);
        }
    }
    csaproto_free(&proto);
    return 0;
}
