/* netcheck.h: measures the rounding error of a network's integers against the floating-point model.
 * One thread. */
#ifndef KMD_TRAIN_NETCHECK_H
#define KMD_TRAIN_NETCHECK_H

struct NnueNet;
struct SampleSet;
struct Trainer;

typedef struct NetCheck {
    int count;   /* positions compared */
    double mean; /* mean difference in centipawns */
    double most; /* the largest among evaluations within 1500 centipawns */
    int beyond;  /* how many of these differ by more than 3 */
} NetCheck;

/* Compares the trainer's model with its rounded copy over the first positions of a set. */
NetCheck netcheck_run(const struct Trainer *trainer, const struct NnueNet *net,
                      const struct SampleSet *set, int most);

#endif
