/* The memory of mate searches in the background. */
#include "engine/matetask.h"

#include "base/clock.h"
#include "base/meminfo.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "unit.h"

static void note_verdict(void *context, const MateDone *done) {
    MateVerdict *verdict = context;
    *verdict = done->answer->verdict;
    CHECK(done->time_ms >= 0);
}

/* Whatever size is requested, the table is not larger than the available memory. */
static void tables_fit_into_memory(void) {
    Position pos;
    MateVerdict verdict = MATE_UNKNOWN;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, SV("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"), NULL), KMD_OK);
    MateRequest request = {.pos = &pos,
                           .hash_mb = 1,
                           .threads = 1,
                           .start_ns = clock_ns(),
                           .sink = {.context = &verdict, .on_done = note_verdict}};
    MateTask *task = matetask_create();
    CHECK_INT(matetask_start(task, &request), 1);
    matetask_wait(task);
    CHECK_INT(verdict, MATE_FOUND);
    verdict = MATE_UNKNOWN;
    /* A system that promises more memory than it has also promises a little more than is
     * available. */
    size_t available = meminfo_available();
    size_t too_much = (available >> 20) + (available >> 24) + 1;
    request.hash_mb = too_much < 1 << 20 ? (int)too_much : 1 << 20;
    int got = matetask_start(task, &request);
    CHECK(got > 0 && ((size_t)got << 20) <= available);
    matetask_wait(task);
    CHECK_INT(verdict, MATE_FOUND);
    matetask_free(task);
    pos_free(&pos);
}

UNIT_MAIN({"tables fit into memory", tables_fit_into_memory})
