/* rows.h: the weights of a network's inputs as the kernels add them up, one byte each.
 *
 * Bytes instead of the file's 16 bits halve the memory that each evaluation loads. Nearly all
 * weights fit a byte. An input with a weight that does not is spread over several rows, which add
 * up to its weights: its own row, and further rows after those of all inputs.
 *
 * The bytes of a row lie in words of 16 bits, in blocks of ROW_BLOCK weights: word i of a block
 * holds weight i plus ROW_BIAS in its low byte and weight i + ROW_BLOCK / 2 in its high byte, a
 * sign included. So a kernel adds up whole words, and apart from that the high bytes alone: the low
 * ones are the difference. Where the width is an odd number of half blocks, the last is half as
 * long, and so are its parts.
 *
 * Rows do not change once they are made and may be read by every thread. */
#ifndef KMD_EVAL_ROWS_H
#define KMD_EVAL_ROWS_H

#include <stddef.h>
#include <stdint.h>

enum { ROW_BLOCK = 64, ROW_BIAS = 128, ROW_WEIGHT_MOST = 127 };

typedef struct NnueRows {
    int width;      /* weights of a row; a multiple of NNUE_HIDDEN_STEP */
    int count;      /* of all rows, the first one for each input */
    uint16_t *rest; /* the row to be added besides each row; 0: none */
    int16_t *words; /* [count][width / 2], at a multiple of 64 bytes */
    size_t bytes;   /* of `words` where they are a large block, else 0 */
} NnueRows;

/* Packs weights[inputs][width]. Each must be at least -NNUE_MOST_INPUT_WEIGHT and at most
 * NNUE_MOST_INPUT_WEIGHT. Free with rows_free. */
NnueRows *rows_create(const int16_t *weights, int inputs, int width);

/* NULL is allowed. */
void rows_free(NnueRows *rows);

#endif
