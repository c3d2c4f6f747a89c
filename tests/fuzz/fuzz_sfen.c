/* fuzz_sfen.c: reads any bytes as positions. An accepted position must be valid and the same after
 * being written and read back, and its moves can be made and taken back. The error column of a
 * rejected position must be within the text. */
#include <stdlib.h>

#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/sfen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) {
        abort();
    }
}

static void check_round_trip(const Position *pos) {
    StrBuf text = STRBUF_INIT;
    StrBuf again = STRBUF_INIT;
    Setup setup;
    pos_get_sfen(pos, &text);
    require(sfen_read(strbuf_view(&text), &setup, NULL) == KMD_OK);
    sfen_write(&setup, &again);
    require(sv_equal(strbuf_view(&text), strbuf_view(&again)));
    strbuf_free(&text);
    strbuf_free(&again);
}

static void check_moves(Position *pos) {
    Move list[MAX_MOVES];
    uint64_t key = pos_key(pos);
    int count = gen_moves(pos, GEN_LEGAL, list);
    require(count == gen_count(pos));
    for (int i = 0; i < count; i++) {
        bool gives_check = pos_gives_check(pos, list[i]);
        require(move_is_legal(pos, list[i]));
        pos_do(pos, list[i]);
        require(pos_ok(pos) && pos_in_check(pos) == gives_check);
        pos_undo(pos);
    }
    require(pos_ok(pos) && pos_key(pos) == key);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    StrView text = {(const char *)data, size};
    Position pos;
    int column = 0;
    pos_init_tables();
    pos_init(&pos);
    if (pos_set_sfen(&pos, text, &column) == KMD_OK) {
        require(pos_ok(&pos));
        check_round_trip(&pos);
        check_moves(&pos);
    } else {
        require(column >= 1 && column <= (int)size + 1);
        if (pos_set_sfen(&pos, text, NULL) == KMD_OK) {
            check_moves(&pos);
        }
    }
    pos_free(&pos);
    return 0;
}
