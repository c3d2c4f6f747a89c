/* kernels_portable.h: a kernel in portable C, for the processors whose vectors do not help. */
#ifndef KMD_EVAL_KERNELS_PORTABLE_H
#define KMD_EVAL_KERNELS_PORTABLE_H

#include <string.h>

#include "eval/arch.h"
#include "eval/kernels.h"

_Static_assert(NNUE_PLACES % 32 == 0 && NNUE_PLACES <= 64 * KERNEL_CHANGED,
               "places fill vectors, and there is a bit for each");

/* The portable version of `compare`. The loop compares four places at once, because most places are
 * equal. */
FORCE_INLINE void kernel_compare(const uint16_t *a, const uint16_t *b,
                                 uint64_t changed[KERNEL_CHANGED]) {
    memset(changed, 0, KERNEL_CHANGED * sizeof(*changed));
    for (int i = 0; i < NNUE_PLACES; i += 4) {
        uint64_t before, now;
        memcpy(&before, a + i, sizeof(before));
        memcpy(&now, b + i, sizeof(now));
        for (int k = i; before != now && k < i + 4; k++) {
            changed[k / 64] |= (uint64_t)(a[k] != b[k]) << k % 64;
        }
    }
}

#endif
