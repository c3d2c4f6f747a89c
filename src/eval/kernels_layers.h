/* kernels_layers.h: the inner loops of foreign networks, and those of the small layers of
 * Komadori's own, in portable C, which the compiler turns into vector instructions of the file that
 * includes this one. That file may define LAYER_WIDTH, the number of vectors of 64 bytes whose sums
 * fit its registers. A file that defines LAYER_FOURS has its own versions of that section, because
 * compilers do not find the instructions for it. */
#ifndef KMD_EVAL_KERNELS_LAYERS_H
#define KMD_EVAL_KERNELS_LAYERS_H

#include <string.h>

#include "base/base.h"
#include "eval/arch.h"
#include "eval/kernels.h"

#if !defined(LAYER_WIDTH)
#define LAYER_WIDTH 1
#endif

enum { LAYER_LANES = 32 };

typedef uint16_t LayerLanes VECTOR_OF(64);

/* Adds `width` vectors of all rows to the sums from `column` on. The sums stay in registers.
 * `width` is a constant in every call. */
FORCE_INLINE void layer_update_part(int16_t *to, const int16_t *from, const KernelChange *change,
                                    int column, int width) {
    LayerLanes total[LAYER_WIDTH], row;
    const unsigned char *table = (const unsigned char *)change->table + (size_t)column * 2;
    size_t stride = (size_t)change->hidden * 2;
    for (int i = 0; i < width; i++) { /* one by one, to stay in registers */
        memcpy(&total[i], from + column + i * LAYER_LANES, sizeof(total[i]));
    }
    for (int k = 0; k < change->added_count; k++) {
        const unsigned char *at = table + change->added[k] * stride;
        for (int i = 0; i < width; i++) {
            memcpy(&row, at + (size_t)i * sizeof(row), sizeof(row));
            total[i] += row;
        }
    }
    for (int k = 0; k < change->removed_count; k++) {
        const unsigned char *at = table + change->removed[k] * stride;
        for (int i = 0; i < width; i++) {
            memcpy(&row, at + (size_t)i * sizeof(row), sizeof(row));
            total[i] -= row;
        }
    }
    for (int i = 0; i < width; i++) {
        memcpy(to + column + i * LAYER_LANES, &total[i], sizeof(total[i]));
    }
}

static inline void layer_update(int16_t *to, const int16_t *from, const KernelChange *change) {
    int column = 0;
    for (; column + LAYER_WIDTH * LAYER_LANES <= change->hidden;
         column += LAYER_WIDTH * LAYER_LANES) {
        layer_update_part(to, from, change, column, LAYER_WIDTH);
    }
    for (; column < change->hidden; column += LAYER_LANES) {
        layer_update_part(to, from, change, column, 1);
    }
}

/* Clips a sum to 0..127, in the form that compilers turn into two instructions. */
FORCE_INLINE int16_t layer_clipped(int16_t sum) {
    int16_t positive = sum > 0 ? sum : 0;
    return positive < 127 ? positive : 127;
}

static inline void layer_clip(uint8_t *restrict out, const int16_t *restrict sums, int count) {
    for (int i = 0; i < count; i++) {
        out[i] = (uint8_t)layer_clipped(sums[i]);
    }
}

static inline void layer_multiply(uint8_t *restrict out, const int16_t *restrict sums, int half) {
    for (int i = 0; i < half; i++) {
        int product = layer_clipped(sums[i]) * layer_clipped(sums[half + i]);
        out[i] = (uint8_t)((uint16_t)product >> 7);
    }
}

/* The inputs of the small layers of Komadori's own head. The high half of (2^6 * value)^2 is
 * value^2 >> 4, in the form that compilers turn into one instruction. */
static inline void square_bytes(uint8_t *restrict out, const int16_t *restrict sums, int hidden) {
    for (int i = 0; i < hidden; i++) {
        int16_t value = sums[i] > 0 ? sums[i] : 0;
        value = value < NNUE_QA ? value : NNUE_QA;
        value = (int16_t)(value << (16 - NNUE_SQUARE_SHIFT) / 2);
        out[i] = (uint8_t)((uint16_t)((value * value >> 16) + NNUE_BYTE_HALF) >> NNUE_BYTE_SHIFT);
    }
}

#if !defined(LAYER_FOURS)

typedef uint32_t LayerVector;

/* Sums of 16 outputs. */
typedef struct LayerSum {
    LayerVector part[16];
} LayerSum;

/* Adds the products of four inputs with their weights to each sum: those at `low` for the first
 * eight sums, those at `high` for the others. */
FORCE_INLINE void layer_add_fours(LayerSum *sum, const uint8_t *low, const uint8_t *high,
                                  const int8_t *weights) {
    for (int i = 0; i < 16; i++) {
        const int8_t *row = weights + (size_t)i * 4;
        const uint8_t *in = i < 8 ? low : high;
        sum->part[i] +=
            (uint32_t)(in[0] * row[0] + in[1] * row[1] + in[2] * row[2] + in[3] * row[3]);
    }
}

/* A bit for each of 16 groups of four inputs: whether one of the four is not 0. */
FORCE_INLINE unsigned layer_nonzero(const uint8_t *in) {
    uint32_t fours[16];
    memcpy(fours, in, sizeof(fours));
    unsigned mask = 0;
    for (int i = 0; i < 16; i++) {
        mask |= (unsigned)(fours[i] != 0) << i;
    }
    return mask;
}

#endif

/* Appends the numbers of up to four groups, from `first` on, that are set in a mask of four bits.
 * Returns the new number of groups; more than that is written. */
FORCE_INLINE int layer_append_groups(uint16_t *groups, int count, unsigned mask, int first) {
    static const uint16_t places[16][4] = {
        {0}, {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
        {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};
    uint64_t four; /* numbers of 16 bits, which do not overflow */
    memcpy(&four, places[mask], sizeof(four));
    four += (uint64_t)first * UINT64_C(0x0001000100010001);
    memcpy(groups + count, &four, sizeof(four));
    return count + BITS_COUNT(mask);
}

/* Lists the groups of four inputs that are not all 0. Returns their number. */
static inline int layer_find_groups(const uint8_t *in, int inputs, uint16_t *groups) {
    int count = 0;
    for (int i = 0; i < inputs / 4; i += 16) {
        unsigned mask = layer_nonzero(in + (size_t)i * 4);
        for (int k = 0; k < 16; k += 4) {
            count = layer_append_groups(groups, count, mask >> k & 15, i + k);
        }
    }
    return count;
}

/* Groups of four inputs: these or, if `number` is NULL, the first ones. */
typedef struct LayerGroups {
    const uint16_t *number;
    int count;
} LayerGroups;

FORCE_INLINE size_t layer_group(LayerGroups groups, int index) {
    return groups.number != NULL ? groups.number[index] : (size_t)index;
}

enum { LAYER_PARTS = sizeof(LayerSum) / sizeof(LayerVector) };

/* These name each part of a sum, so that compilers keep sums in registers. */
FORCE_INLINE LayerSum layer_load(const int32_t *from) {
    LayerSum sum;
    for (size_t i = 0; i < LAYER_PARTS; i++) {
        memcpy(&sum.part[i], from + i * (16 / LAYER_PARTS), sizeof(LayerVector));
    }
    return sum;
}

FORCE_INLINE LayerSum layer_sum(LayerSum a, LayerSum b) {
    for (size_t i = 0; i < LAYER_PARTS; i++) {
        a.part[i] += b.part[i];
    }
    return a;
}

FORCE_INLINE void layer_store(int32_t *to, LayerSum sum) {
    for (size_t i = 0; i < LAYER_PARTS; i++) {
        memcpy(to + i * (16 / LAYER_PARTS), &sum.part[i], sizeof(LayerVector));
    }
}

static const int32_t layer_zeros[16];

/* Adds four inputs of a group to 16 sums. */
FORCE_INLINE void layer_add_group(LayerSum *sum, const uint8_t *in, size_t group,
                                  const int8_t *weights) {
    layer_add_fours(sum, in + group * 4, in + group * 4, weights);
}

/* Computes 16 * `width` outputs from `lane` on, `width` being 1 or 2. Four sums, of every other
 * group or of every fourth, hide the latency of the additions. `width` is a constant in every call.
 */
FORCE_INLINE void layer_affine_part(int32_t *out, const KernelAffine *layer, const uint8_t *in,
                                    LayerGroups groups, int lane, int width) {
    const int step = 4 / width;              /* groups at a time */
    const size_t next = width == 2 ? 64 : 0; /* from the weights of sum a to those of sum b */
    size_t stride = (size_t)layer->lanes * 4;
    const int8_t *weights = layer->weights + (size_t)lane * 4;
    const int32_t *bias = layer->bias + lane;
    LayerSum a = layer_load(bias), b = layer_load(width == 2 ? bias + 16 : layer_zeros);
    LayerSum c = layer_load(layer_zeros), d = layer_load(layer_zeros);
    int i = 0;
    for (; i + step <= groups.count; i += step) {
        size_t group[4];
        for (int k = 0; k < 4; k++) {
            group[k] = layer_group(groups, i + k / width);
        }
        layer_add_group(&a, in, group[0], weights + group[0] * stride);
        layer_add_group(&b, in, group[1], weights + group[1] * stride + next);
        layer_add_group(&c, in, group[2], weights + group[2] * stride);
        layer_add_group(&d, in, group[3], weights + group[3] * stride + next);
    }
    for (; i < groups.count; i++) {
        size_t group = layer_group(groups, i);
        layer_add_group(&a, in, group, weights + group * stride);
        if (width == 2) {
            layer_add_group(&b, in, group, weights + group * stride + next);
        }
    }
    if (width == 2) {
        layer_store(out + lane, layer_sum(a, c));
        layer_store(out + lane + 16, layer_sum(b, d));
    } else {
        layer_store(out + lane, layer_sum(layer_sum(a, b), layer_sum(c, d)));
    }
}

/* Computes eight outputs. A sum holds those of two groups. */
static inline void layer_affine_eight(int32_t *out, const KernelAffine *layer, const uint8_t *in) {
    enum { SUMS = 4, PAIR = 8 };
    const int8_t *weights = layer->weights;
    LayerSum a = layer_load(layer_zeros), b = a, c = a, d = a;
    int i = 0;
    for (; i + SUMS * PAIR <= layer->inputs; i += SUMS * PAIR, weights += SUMS * 64) {
        layer_add_fours(&a, in + i, in + i + 4, weights);
        layer_add_fours(&b, in + i + PAIR, in + i + PAIR + 4, weights + 64);
        layer_add_fours(&c, in + i + 2 * PAIR, in + i + 2 * PAIR + 4, weights + 128);
        layer_add_fours(&d, in + i + 3 * PAIR, in + i + 3 * PAIR + 4, weights + 192);
    }
    for (; i < layer->inputs; i += PAIR, weights += 64) {
        layer_add_fours(&a, in + i, in + i + 4, weights);
    }
    int32_t both[16];
    layer_store(both, layer_sum(layer_sum(a, b), layer_sum(c, d)));
    for (int k = 0; k < 8; k++) {
        uint32_t sum = (uint32_t)both[k] + (uint32_t)both[k + 8];
        out[k] = (int32_t)((uint32_t)layer->bias[k] + sum);
    }
}

/* The outputs of a layer, 32 at a time. */
FORCE_INLINE void layer_affine_from(int32_t *out, const KernelAffine *layer, const uint8_t *in,
                                    LayerGroups groups) {
    int lane = 0;
    for (; lane + 32 <= layer->lanes; lane += 32) {
        layer_affine_part(out, layer, in, groups, lane, 2);
    }
    if (lane < layer->lanes) {
        layer_affine_part(out, layer, in, groups, lane, 1);
    }
}

static inline void layer_affine(int32_t *out, const KernelAffine *layer, const uint8_t *in) {
    if (layer->lanes == 8) {
        layer_affine_eight(out, layer, in);
    } else if (layer->is_sparse) {
        uint16_t groups[KERNEL_MAX_INPUTS / 4 + 4]; /* four are written at a time */
        int count = layer_find_groups(in, layer->inputs, groups);
        layer_affine_from(out, layer, in, (LayerGroups){groups, count});
    } else {
        layer_affine_from(out, layer, in, (LayerGroups){NULL, layer->inputs / 4});
    }
}

#endif
