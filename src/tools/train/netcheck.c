/* netcheck.c: evaluates positions with both networks and compares. */
#include "tools/train/netcheck.h"

#include <math.h>
#include <string.h>

#include "eval/features.h"
#include "eval/netfile.h"
#include "eval/nnue.h"
#include "tools/train/trainer.h"

/* Beyond this the outcome is decided and so are the digits. */
enum { DECIDED = 1500 };

static int evaluate_integers(const NnueNet *net, const Sample *sample) {
    NnueInputs views[2];
    for (int view = 0; view < 2; view++) {
        const uint16_t *map = sample_map(sample, (Color)(sample->side ^ view));
        views[view].count = sample->count;
        for (int i = 0; i < sample->count; i++) {
            views[view].input[i] = map[sample->input[i]];
        }
    }
    return nnue_evaluate_inputs(net, views, net->buckets == 1 ? 0 : sample->bucket);
}

NetCheck netcheck_run(const Trainer *trainer, const NnueNet *net, const SampleSet *set, int most) {
    NetCheck check = {.count = (int)i64_min(most, (int64_t)set->count)};
    for (int i = 0; i < check.count; i++) {
        const Sample *sample = &set->samples[i];
        double exact = trainer_output(trainer, sample) * net->scale;
        double difference = fabs(evaluate_integers(net, sample) - exact);
        check.mean += difference / check.count;
        if (fabs(exact) <= DECIDED) {
            check.most = fmax(check.most, difference);
            check.beyond += difference > 3;
        }
    }
    return check;
}
