/* kernels_field.h: the inner loops of the field's networks in portable C, which the compiler turns
 * into vector instructions of the file that includes this one. That file may define FIELD_WIDTH,
 * the number of vectors of 64 bytes whose sums fit its registers. */
#ifndef KMD_EVAL_KERNELS_FIELD_H
#define KMD_EVAL_KERNELS_FIELD_H

#include <string.h>

#include "base/base.h"
#include "eval/kernels.h"

#if !defined(FIELD_WIDTH)
#define FIELD_WIDTH 1
#endif

enum { FIELD_LANES = 32 };

typedef uint16_t FieldLanes VECTOR_OF(64);

/* Adds `width` vectors of all rows to the sums from `column` on. The sums stay in registers.
 * `width` is a constant in every call. */
FORCE_INLINE void field_update_part(int16_t *to, const int16_t *from, const KernelChange *change,
                                    int column, int width) {
    FieldLanes total[FIELD_WIDTH], row;
    const unsigned char *table = (const unsigned char *)change->table + (size_t)column * 2;
    size_t stride = (size_t)change->hidden * 2;
    for (int i = 0; i < width; i++) { /* one by one, to stay in registers */
        memcpy(&total[i], from + column + i * FIELD_LANES, sizeof(total[i]));
    }
    for (int k = 0; k < change->on_count; k++) {
        const unsigned char *at = table + change->on[k] * stride;
        for (int i = 0; i < width; i++) {
            memcpy(&row, at + (size_t)i * sizeof(row), sizeof(row));
            total[i] += row;
        }
    }
    for (int k = 0; k < change->off_count; k++) {
        const unsigned char *at = table + change->off[k] * stride;
        for (int i = 0; i < width; i++) {
            memcpy(&row, at + (size_t)i * sizeof(row), sizeof(row));
            total[i] -= row;
        }
    }
    for (int i = 0; i < width; i++) {
        memcpy(to + column + i * FIELD_LANES, &total[i], sizeof(total[i]));
    }
}

static inline void field_update(int16_t *to, const int16_t *from, const KernelChange *change) {
    int column = 0;
    for (; column + FIELD_WIDTH * FIELD_LANES <= change->hidden;
         column += FIELD_WIDTH * FIELD_LANES) {
        field_update_part(to, from, change, column, FIELD_WIDTH);
    }
    for (; column < change->hidden; column += FIELD_LANES) {
        field_update_part(to, from, change, column, 1);
    }
}

static inline void field_clip(uint8_t *restrict out, const int16_t *restrict sums, int count) {
    for (int i = 0; i < count; i++) {
        int16_t value = sums[i] < 0 ? 0 : sums[i];
        out[i] = (uint8_t)(value > 127 ? 127 : value);
    }
}

static inline void field_multiply(uint8_t *restrict out, const int16_t *restrict sums, int half) {
    for (int i = 0; i < half; i++) {
        int16_t a = sums[i] < 0 ? 0 : sums[i];
        int16_t b = sums[half + i] < 0 ? 0 : sums[half + i];
        a = a > 127 ? 127 : a;
        b = b > 127 ? 127 : b;
        out[i] = (uint8_t)((uint16_t)(a * b) >> 7);
    }
}

/* Lists the groups of four inputs that are not all 0. Returns their number. */
static inline int field_groups(const uint8_t *in, int inputs, uint16_t *groups) {
    int count = 0;
    for (int i = 0; i < inputs / 4; i++) {
        uint32_t four;
        memcpy(&four, in + i * 4, sizeof(four));
        groups[count] = (uint16_t)i;
        count += four != 0;
    }
    return count;
}

static inline void field_affine(int32_t *out, const KernelAffine *layer, const uint8_t *in) {
    uint16_t groups[KERNEL_MAX_INPUTS / 4];
    int count = field_groups(in, layer->inputs, groups);
    for (int lane = 0; lane < layer->lanes; lane += 16) {
        uint32_t total[16];
        memcpy(total, layer->bias + lane, sizeof(total));
        for (int g = 0; g < count; g++) {
            const uint8_t *four = in + groups[g] * 4;
            const int8_t *row =
                layer->weights + ((size_t)groups[g] * (size_t)layer->lanes + (size_t)lane) * 4;
            for (int i = 0; i < 16; i++) {
                total[i] += (uint32_t)(four[0] * row[i * 4] + four[1] * row[i * 4 + 1] +
                                       four[2] * row[i * 4 + 2] + four[3] * row[i * 4 + 3]);
            }
        }
        memcpy(out + lane, total, sizeof(total));
    }
}

#endif
