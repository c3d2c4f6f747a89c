/* Tests books that are made from game records and from training games. */
#include "commands/bookgames.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fileio.h"
#include "rules/usimove.h"
#include "train/packed.h"
#include "unit.h"

static const atomic_bool cancel;
static StrBuf path, why;

/* The name of a file for this process in the folder for temporary files. */
static const char *file_of(const char *extension) {
    strbuf_clear(&path);
    strbuf_addf(&path, "/tmp/komadori-bookgames-%ld.%s", (long)getpid(), extension);
    return path.ptr;
}

static void test_games(void) {
    BookGamesOptions options = {.most_ply = 3, .cancel = &cancel};
    GameCount count = {0};
    Book book = {0};
    Progress progress;
    static const char game[] = "startpos moves 7g7f 3c3d 2g2f 8c8d\n";
    progress_begin(&progress, NULL, false, 0, 0);
    CHECK_INT(file_write(file_of("usi"), game, strlen(game)), 0);
    const char *words[] = {path.ptr, path.ptr};
    Args paths = {2, words};
    CHECK(bookgames_load(&options, &paths, &progress, &book, &count, &why) == NULL);
    CHECK(count.games == 2 && count.broken == 0 && count.left_out == 0);
    CHECK_INT(book.count, 3);
    CHECK_INT(book.nodes[0].moves[0].others, 2);
    CHECK_INT(file_write(path.ptr, "", 0), 0);
    CHECK(bookgames_load(&options, &paths, &progress, &book, &count, &why) == path.ptr);
    CHECK_STR(why.ptr, "contains no games");
    strbuf_clear(&why);
    CHECK_INT(remove(path.ptr), 0);
    book_free(&book);
}

/* Appends a block with a game of two moves, and with the position after them as a leaf, if
 * has_leaf. */
static void add_block(bool has_leaf, StrBuf *out) {
    static const char *const words[] = {"7g7f", "3c3d", "2g2f"};
    PackedGame games[2] = {{.move_count = 0}};
    PackOrigin origin = {.seed = 1, .nodes = 100, .shards = 1};
    Setup start = setup_start();
    Position pos;
    pos_init(&pos);
    pos_set(&pos, &start);
    packed_game_begin(&games[0], &start);
    for (int i = 0; i < 2; i++) {
        packed_game_add(&games[0], usimove_read(sv_from(words[i])), 8);
        pos_do(&pos, usimove_read(sv_from(words[i])));
    }
    games[0].winner = KMD_WINNER_BLACK;
    games[0].reason = PACK_MATE;
    start = pos_get(&pos);
    packed_game_begin(&games[1], &start);
    packed_game_add(&games[1], usimove_read(sv_from(words[2])), 8);
    games[1].winner = KMD_WINNER_DRAW;
    games[1].reason = PACK_UNKNOWN;
    games[1].is_unequal = true;
    packed_write_block(games, has_leaf ? 2 : 1, &origin, out);
    packed_game_free(&games[0]);
    packed_game_free(&games[1]);
    pos_free(&pos);
}

/* Training games, with a tree position, which is no game. */
static void test_packed_games(void) {
    BookGamesOptions options = {.most_ply = 30, .cancel = &cancel};
    GameCount count = {0};
    PackOrigin origin = {.seed = 1, .nodes = 100, .shards = 1};
    Book book = {0};
    Progress progress;
    StrBuf bytes = STRBUF_INIT;
    packed_write_header(&origin, &bytes);
    add_block(true, &bytes);
    progress_begin(&progress, NULL, false, 0, 0);
    CHECK_INT(file_write(file_of("kmd"), bytes.ptr, bytes.len), 0);
    const char *words[] = {path.ptr};
    Args paths = {1, words};
    CHECK(bookgames_load(&options, &paths, &progress, &book, &count, &why) == NULL);
    CHECK(count.games == 1 && count.broken == 0);
    CHECK_INT(book.count, 2);
    CHECK(book.count == 2 && book.nodes[0].moves[0].wins == 1 &&
          book.nodes[1].moves[0].losses == 1);
    CHECK(count.damaged_bytes == 0 && count.bad_blocks == 0);
    /* The rest is read after damaged bytes, which are counted. */
    strbuf_add_str(&bytes, "nonsense");
    add_block(false, &bytes);
    CHECK_INT(file_write(path.ptr, bytes.ptr, bytes.len), 0);
    CHECK(bookgames_load(&options, &paths, &progress, &book, &count, &why) == NULL);
    CHECK(count.games == 3 && count.damaged_bytes == 8 && count.bad_blocks == 0);
    CHECK_INT(remove(path.ptr), 0);
    strbuf_free(&bytes);
    strbuf_free(&path);
    strbuf_free(&why);
    book_free(&book);
}

UNIT_MAIN({"games", test_games}, {"training games", test_packed_games})
