/* rows.h: the input weights of a network as bytes, in the order in which the kernels add them.
 *
 * The file has 16 bits per weight. Bytes halve the memory that each evaluation loads, and nearly
 * all weights fit a byte. An input with larger weights is split into several rows that add up to
 * the weights: its own row, and further rows that are stored after the rows of all inputs.
 *
 * The bytes are packed into words of 16 bits, in blocks of ROW_BLOCK weights. Word i of a block:
 *
 *   bits 15-8  weight i + ROW_BLOCK / 2, signed
 *   bits  7-0  weight i + ROW_BIAS
 *
 * A kernel adds up the whole words and, separately, their high bytes; the sum of the low bytes is
 * the difference. If the width is an odd number of half blocks, the last block has half the length,
 * and so do its halves.
 *
 * Rows do not change once created, so all threads may read them. */
#ifndef KMD_EVAL_ROWS_H
#define KMD_EVAL_ROWS_H

#include <stddef.h>
#include <stdint.h>

enum { ROW_BLOCK = 64, ROW_BIAS = 128, ROW_WEIGHT_MAX = 127, ROW_MAX_PARTS = 7 };

typedef struct NnueRows {
    int width;      /* weights per row; a multiple of NNUE_HIDDEN_STEP */
    int count;      /* number of rows; the first ones belong to the inputs */
    uint16_t *rest; /* for each row, the next row of the same input; 0: none */
    int16_t *words; /* [count][width / 2], aligned to 64 bytes */
    size_t bytes;   /* size of `words` if allocated as a large block, else 0 */
} NnueRows;

/* Packs weights[inputs][width] of NNUE_INPUTS inputs at most. NULL if a weight is so large that an
 * input would need more than ROW_MAX_PARTS rows. Free the result with rows_free. */
NnueRows *rows_create(const int16_t *weights, int inputs, int width);

/* NULL is allowed. */
void rows_free(NnueRows *rows);

#endif
