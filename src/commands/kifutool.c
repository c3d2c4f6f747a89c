/* kifutool.c: messages and words that several commands share. */
#include "commands/kifutool.h"

#include <stdio.h>

#include "base/fileio.h"
#include "record/kifuio.h"

const KifuPart kifutool_parts[KIFU_PARTS] = {
    {KMD_HOLDS_MOVES, "moves"},
    {KMD_HOLDS_HEADERS, "headers"},
    {KMD_HOLDS_TIMES, "times"},
    {KMD_HOLDS_FRACTIONS, "fractions of seconds"},
    {KMD_HOLDS_COMMENTS, "comments"},
    {KMD_HOLDS_BOOKMARKS, "bookmarks"},
    {KMD_HOLDS_VARIATIONS, "variations"},
    {KMD_HOLDS_REMARKS, "remarks"},
    {KMD_HOLDS_ILLEGAL, "illegal moves"},
    {KMD_HOLDS_ENDINGS, "endings"},
    {KMD_HOLDS_SOME_ENDINGS, "some endings"},
    {KMD_HOLDS_NUMBER, "number of the first move"},
};

bool kifutool_complain(const char *path, int error) {
    fprintf(stderr, "%s: %s\n", path, file_error_text(error));
    return false;
}

static void print_game_message(const void *context, const char *message, bool is_note) {
    const KifuArgs *args = context;
    if (!is_note || !args->quiet) {
        fprintf(stderr, "%s\n", message);
    }
}

void kifutool_open(const KifuArgs *args, const char *path, Games *games) {
    games_open(games, path, args->from, print_game_message, args);
}

void kifutool_open_position(const KifuArgs *args, const char *text, Games *games) {
    games_open_bytes(games, text, sv_from(text), print_game_message, args);
}
