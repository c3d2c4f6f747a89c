#include "eval/rows.h"

#include <stdlib.h>

#include "base/xmem.h"
#include "random_net.h"

/* A weight of a row, according to the layout described in rows.h. */
static int weight_at(const NnueRows *rows, int row, int column) {
    int start = column / ROW_BLOCK * ROW_BLOCK;
    int half = int_min(ROW_BLOCK, rows->width - start) / 2;
    int place = column - start;
    const int16_t *words = rows->words + (row * rows->width + start) / 2;
    return place < half ? (words[place] & 255) - ROW_BIAS : words[place - half] >> 8;
}

/* The packed rows of an input add up to its weights. Returns their number. */
static int check_input(const NnueRows *rows, const int16_t *weights, int input) {
    int wrong = 0;
    int parts = 0;
    for (int i = 0; i < rows->width; i++) {
        int sum = 0;
        int row = input;
        parts = 0;
        do {
            sum += weight_at(rows, row, i);
            row = rows->rest[row];
            parts++;
        } while (row != 0 && parts < 100);
        wrong += sum != weights[input * rows->width + i];
    }
    CHECK_INT(wrong, 0);
    return parts;
}

static void test_all_weights(void) {
    static const int widths[] = {32, 64, 96, 512};
    enum { INPUTS = 100 };
    Rng rng = rng_init(3);
    for (size_t w = 0; w < COUNTOF(widths); w++) {
        int width = widths[w];
        int16_t *weights = xmem_calloc((size_t)INPUTS * (size_t)width, sizeof(*weights));
        for (int i = 0; i < INPUTS * width; i++) {
            /* Some inputs are small, some large. */
            weights[i] = (int16_t)random_within(&rng, 1 + 8 * (i / width));
        }
        NnueRows *rows = rows_create(weights, INPUTS, width);
        int parts = 0;
        for (int input = 0; input < INPUTS; input++) {
            parts += check_input(rows, weights, input);
        }
        CHECK_INT(parts, rows->count);
        rows_free(rows);
        free(weights);
    }
}

/* Tests weights near the limits of one row and of two rows, and the largest weights. */
static void test_parts(void) {
    static const int16_t values[] = {0, 127, -127, 128, -128, 254, -254, 255, 799, -799};
    static const int wanted[] = {1, 1, 1, 2, 2, 2, 2, 3, 7, 7};
    enum { WIDTH = 32 };
    int16_t weights[COUNTOF(values) * WIDTH] = {0};
    for (size_t i = 0; i < COUNTOF(values); i++) {
        weights[i * WIDTH + i * 3] = values[i];
    }
    NnueRows *rows = rows_create(weights, COUNTOF(values), WIDTH);
    for (size_t i = 0; i < COUNTOF(values); i++) {
        CHECK_INT(check_input(rows, weights, (int)i), wanted[i]);
    }
    rows_free(rows);
    rows_free(NULL);
}

UNIT_MAIN({"rows add up to the weights", test_all_weights}, {"parts", test_parts})
