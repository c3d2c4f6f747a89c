/* rows.c: splits the 16-bit weights into rows of bytes and packs them. */
#include "eval/rows.h"

#include <stdlib.h>

#include "base/base.h"
#include "base/xmem.h"
#include "eval/arch.h"

_Static_assert((int)ROW_MAX_PARTS *(int)NNUE_INPUTS <= UINT16_MAX, "row numbers fit 16 bits");
_Static_assert((int)NNUE_MAX_INPUT_WEIGHT <= (int)ROW_MAX_PARTS * (int)ROW_WEIGHT_MAX,
               "Komadori's own networks can be packed");

static int parts_of(const int16_t *weights, int width) {
    int most = 1;
    for (int i = 0; i < width; i++) {
        most = int_max(most, abs(weights[i]));
    }
    return (most + ROW_WEIGHT_MAX - 1) / ROW_WEIGHT_MAX;
}

/* The share of a weight that is stored in row number `part`; the rows of an input add up to it. */
static int part_of(int weight, int part) {
    int most = ROW_WEIGHT_MAX;
    return int_clamp(weight, -most * (part + 1), most * (part + 1)) -
           int_clamp(weight, -most * part, most * part);
}

static void pack_row(int16_t *words, const int16_t *weights, int width, int part) {
    for (int start = 0; start < width; start += ROW_BLOCK) {
        int half = int_min(ROW_BLOCK, width - start) / 2;
        for (int i = start; i < start + half; i++) {
            int low = part_of(weights[i], part) + ROW_BIAS;
            int high = part_of(weights[i + half], part);
            *words++ = (int16_t)(high * 256 + low);
        }
    }
}

NnueRows *rows_create(const int16_t *weights, int inputs, int width) {
    ASSERT(width > 0 && width % NNUE_HIDDEN_STEP == 0 && inputs <= NNUE_INPUTS);
    size_t stride = (size_t)width;
    int count = 0;
    for (int i = 0; i < inputs; i++) {
        int parts = parts_of(weights + (size_t)i * stride, width);
        if (parts > ROW_MAX_PARTS) {
            return NULL;
        }
        count += parts;
    }
    NnueRows *rows = xmem_alloc(1, sizeof(*rows));
    rows->width = width;
    rows->count = count;
    rows->rest = xmem_calloc((size_t)rows->count, sizeof(*rows->rest));
    rows->bytes = (size_t)rows->count * stride;
    rows->words = xmem_try_large(rows->bytes, XMEM_HUGE_PAGES);
    if (rows->words == NULL) {
        rows->words = xmem_alloc_aligned(rows->bytes, 1, 64);
        rows->bytes = 0;
    }
    int next = inputs;
    for (int i = 0; i < inputs; i++) {
        const int16_t *from = weights + (size_t)i * stride;
        int parts = parts_of(from, width);
        int row = i;
        for (int part = 0; part < parts; part++) {
            pack_row(rows->words + (size_t)row * stride / 2, from, width, part);
            if (part + 1 < parts) {
                rows->rest[row] = (uint16_t)next;
                row = next++;
            }
        }
    }
    return rows;
}

void rows_free(NnueRows *rows) {
    if (rows == NULL) {
        return;
    }
    if (rows->bytes != 0) {
        xmem_free_large(rows->words, rows->bytes);
    } else {
        xmem_free_aligned(rows->words);
    }
    free(rows->rest);
    free(rows);
}
