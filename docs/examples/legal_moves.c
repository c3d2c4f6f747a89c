/* Prints the legal moves of a position, in C.
 *
 *     cc legal_moves.c $(pkg-config --cflags --libs komadori) -o legal_moves
 *     ./legal_moves "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1" */
#include <komadori/shogi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    KmdPosition *pos = kmd_position_new();
    int column = 0;
    KmdError error = argc > 1 ? kmd_position_set_sfen(pos, argv[1], &column) : KMD_OK;
    if (error != KMD_OK) {
        fprintf(stderr, "%s, column %d\n", kmd_error_text(error), column);
    } else {
        KmdMove list[KMD_MAX_MOVES];
        int count = kmd_legal_moves(pos, list);
        for (int i = 0; i < count; i++) {
            char text[KMD_MOVE_TEXT_SIZE];
            puts(kmd_move_write(list[i], text));
        }
    }
    kmd_position_free(pos);
    return error != KMD_OK;
}
