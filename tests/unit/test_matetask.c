/* The memory of mate searches in the background. */
#include "engine/matetask.h"

#include "base/clock.h"
#include "base/meminfo.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "unit.h"

/* The task's thread writes the answer, so it is checked only after matetask_wait. */
typedef struct Told {
    MateVerdict verdict;
    int64_t time_ms;
} Told;

static void note_answer(void *context, const MateDone *done) {
    Told *told = context;
    *told = (Told){done->answer->verdict, done->time_ms};
}

/* Whatever size is requested, the table is not larger than the available memory. */
static void tables_fit_into_memory(void) {
    Position pos;
    Told told = {MATE_UNKNOWN, -1};
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, SV("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"), NULL), KMD_OK);
    MateRequest request = {.pos = &pos,
                           .effort = {.hash_mb = 1, .threads = 1},
                           .start_ns = clock_ns(),
                           .sink = {.context = &told, .on_done = note_answer}};
    MateTask *task = matetask_create();
    CHECK_INT(matetask_start(task, &request), 1);
    matetask_wait(task);
    CHECK_INT(told.verdict, MATE_FOUND);
    CHECK(told.time_ms >= 0);
    told = (Told){MATE_UNKNOWN, -1};
    /* A system that promises more memory than it has also promises a little more than is
     * available. */
    size_t available = meminfo_available();
    size_t too_much = (available >> 20) + (available >> 24) + 1;
    request.effort.hash_mb = too_much < 1 << 20 ? (int)too_much : 1 << 20;
    int got = matetask_start(task, &request);
    CHECK(got > 0 && ((size_t)got << 20) <= available);
    matetask_wait(task);
    CHECK_INT(told.verdict, MATE_FOUND);
    CHECK(told.time_ms >= 0);
    matetask_free(task);
    pos_free(&pos);
}

UNIT_MAIN({"tables fit into memory", tables_fit_into_memory})
