/* fuzz_usimove.c: reads any bytes as moves of a game from the start position, one per word. A move
 * that was read must be written back the same, and must be legal if and only if it is generated.
 * Legal moves are played. */
#include <stdlib.h>

#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/repetition.h"
#include "rules/usimove.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) {
        abort();
    }
}

static bool is_generated(const Position *pos, Move move) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    for (int i = 0; i < count; i++) {
        if (list[i] == move) {
            return true;
        }
    }
    return false;
}

/* Checks that a move is written as it was read. "0000" is the only word that is written
 * differently. */
static void check_text(StrView word, Move move) {
    char text[USI_MOVE_SIZE];
    StrView written = sv_from(usimove_write(move, text));
    require(usimove_read(written) == move);
    require(move == MOVE_NONE || sv_equal(word, written) || sv_equal(word, SV("0000")));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Tokenizer tok = {{(const char *)data, size}};
    StrView word;
    Position pos;
    pos_init_tables();
    Setup start = setup_start();
    pos_init(&pos);
    pos_set(&pos, &start);
    while (tok_next(&tok, &word)) {
        Move move = usimove_read(word);
        check_text(word, move);
        bool is_legal = move_is_legal(&pos, move);
        require(is_legal == is_generated(&pos, move));
        if (is_legal) {
            pos_do(&pos, move);
            require(pos_ok(&pos) && repetition_count(&pos) >= 1);
        }
    }
    while (pos_moves_done(&pos) > 0) {
        pos_undo(&pos);
    }
    require(pos_ok(&pos));
    pos_free(&pos);
    return 0;
}
