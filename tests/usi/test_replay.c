/* Replays the recorded traffic of real clients to the engine program. The test sends what the
 * clients sent, in the same order, and waits wherever they waited for an answer. Every answer must
 * belong to its command, every move in it must be legal, every mate must be a mate, and each go
 * must have one answer. The recordings are in the folder of test data outside the project; without
 * them the test is skipped. NodesLimit keeps the searches short, so the times in the recordings do
 * not matter. The table is small, so that the speed with which the system provides memory does not
 * matter either.
 * Needs: komadori */
#include <dirent.h>

#include "../unit/unit.h"
#include "base/fileio.h"
#include "child.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/usimove.h"

#define ANSWER_MS 20000
#define QUIT_MS   100

typedef struct Replay {
    Child child;
    const char *name;
    int line_number;
    Position pos;
    bool has_pending_go;
    bool is_mate;
    bool has_quit;
    int answers;
    int searches; /* number of search commands sent */
    int results;  /* numbers of bestmove and checkmate received */
} Replay;

/* The expected results of the mate searches in these recordings. */
static const struct {
    const char *name;
    const char *answer;
} solutions[] = {
    {"shogihome-mate.2.txt", "checkmate G*5b"},
    {"shogihome-mate.3.txt", "checkmate G*2b"},
    {"shogihome-mate.4.txt", "checkmate nomate"},
};

static bool complain(const Replay *replay, const char *what, StrView text) {
    printf("  %s:%d: %s: %.*s\n", replay->name, replay->line_number, what, (int)text.len, text.ptr);
    return CHECK(!"a replay holds");
}

static void send_line(Replay *replay, StrView text) {
    StrBuf line = STRBUF_INIT;
    strbuf_add(&line, text);
    strbuf_add_byte(&line, '\n');
    child_send(&replay->child, strbuf_view(&line));
    strbuf_free(&line);
}

/* Plays the words of text as moves. Returns their number, or -1 if a word is not a legal move.
 * *is_mate becomes true if the last move mates. */
static int play_moves(Replay *replay, StrView text, bool *is_mate) {
    Tokenizer tok = {text};
    StrView word;
    int played = 0;
    bool is_legal = true;
    while (is_legal && tok_next(&tok, &word)) {
        Move move = usimove_read(word);
        is_legal = move_is_real(move) && move_is_legal(&replay->pos, move);
        if (is_legal) {
            pos_do(&replay->pos, move);
            played++;
        }
    }
    int count = is_legal ? played : -1;
    *is_mate = pos_in_check(&replay->pos) && !gen_has_move(&replay->pos);
    for (; played > 0; played--) {
        pos_undo(&replay->pos);
    }
    return count;
}

static bool are_legal(Replay *replay, StrView text) {
    bool is_mate;
    return play_moves(replay, text, &is_mate) >= 0;
}

static bool check_info(Replay *replay, StrView line) {
    size_t at = sv_find(line, SV(" pv "));
    return at == line.len || are_legal(replay, sv_skip(line, at + 4)) ||
           complain(replay, "illegal line", line);
}

static bool check_bestmove(Replay *replay, StrView line) {
    Tokenizer tok = {sv_skip(line, 9)};
    StrView best;
    StrView word;
    StrBuf moves = STRBUF_INIT;
    tok_next(&tok, &best);
    bool is_special = sv_equal(best, SV("resign")) || sv_equal(best, SV("win"));
    strbuf_add(&moves, best);
    if (tok_next(&tok, &word) && sv_equal(word, SV("ponder")) && tok_next(&tok, &word)) {
        strbuf_add_byte(&moves, ' ');
        strbuf_add(&moves, word);
    }
    bool is_good = is_special || are_legal(replay, strbuf_view(&moves));
    strbuf_free(&moves);
    return is_good || complain(replay, "illegal move", line);
}

/* Checks "checkmate nomate", "checkmate timeout" or a complete line of a mate. */
static bool check_checkmate(Replay *replay, StrView line) {
    StrView moves = sv_skip(line, 10);
    bool is_mate = false;
    bool is_none = sv_equal(moves, SV("nomate")) || sv_equal(moves, SV("timeout"));
    bool is_good = is_none || (play_moves(replay, moves, &is_mate) % 2 == 1 && is_mate);
    for (size_t i = 0; i < COUNTOF(solutions); i++) {
        if (strcmp(replay->name, solutions[i].name) == 0) {
            is_good &= sv_equal(line, sv_from(solutions[i].answer));
        }
    }
    return is_good || complain(replay, "not the mate", line);
}

static bool is_result(StrView line) {
    return sv_starts_with(line, SV("bestmove ")) || sv_starts_with(line, SV("checkmate "));
}

static bool check_answer(Replay *replay, StrView line) {
    replay->answers++;
    replay->results += is_result(line);
    if (sv_starts_with(line, SV("checkmate "))) {
        return check_checkmate(replay, line);
    }
    return !is_result(line) || check_bestmove(replay, line);
}

/* Reads up to the line that begins with `wanted`; only info, id, option and empty lines may come
 * before it. */
static bool await(Replay *replay, StrView wanted) {
    StrView line;
    int64_t deadline = clock_ms() + ANSWER_MS * child_slowness();
    while (child_next_line(&replay->child, deadline, &line)) {
        if (sv_starts_with(line, wanted)) {
            return check_answer(replay, line);
        }
        bool is_info = sv_starts_with(line, SV("info "));
        if (is_info && !check_info(replay, line)) {
            return false;
        }
        if (!is_info && line.len > 0 && !sv_starts_with(line, SV("id ")) &&
            !sv_starts_with(line, SV("option "))) {
            return complain(replay, "nobody asked for", line);
        }
    }
    return complain(replay, "did not come", wanted);
}

static bool await_answer(Replay *replay) {
    if (!replay->has_pending_go) {
        return true;
    }
    replay->has_pending_go = false;
    return await(replay, replay->is_mate ? SV("checkmate ") : SV("bestmove "));
}

static bool starts_with_word(StrView line, StrView word) {
    Tokenizer tok = {line};
    return sv_equal(tok_peek(&tok), word);
}

static bool do_sent(Replay *replay, StrView text) {
    if (sv_equal(text, SV("[EOF]"))) {
        child_close_input(&replay->child);
        replay->has_quit = true;
        return true;
    }
    if (starts_with_word(text, SV("position"))) {
        UsiFault fault;
        if (!usimove_position(sv_skip(text, 8), &replay->pos, &fault)) {
            return complain(replay, "a recorded position that cannot be read", text);
        }
    } else if (starts_with_word(text, SV("go"))) {
        replay->is_mate = sv_starts_with(text, SV("go mate"));
        replay->has_pending_go = true;
        replay->searches++;
    }
    send_line(replay, text);
    replay->has_quit |= starts_with_word(text, SV("quit"));
    if (starts_with_word(text, SV("side"))) {
        return await(replay, replay->pos.side == BLACK ? SV("black") : SV("white"));
    }
    return !starts_with_word(text, SV("gameover")) || await_answer(replay);
}

/* Handles a recorded answer of the engine, which shows where the client waited. */
static bool do_received(Replay *replay, StrView text) {
    if (sv_equal(text, SV("usiok")) && !sv_starts_with(sv_from(replay->name), SV("ayane"))) {
        return await(replay, SV("usiok"));
    }
    if (sv_equal(text, SV("readyok"))) {
        return await(replay, SV("readyok"));
    }
    return replay->has_quit || !sv_starts_with(text, SV("bestmove ")) || await_answer(replay);
}

/* Executes a line such as "  1234 > position startpos". */
static bool do_line(Replay *replay, StrView line) {
    Tokenizer tok = {line};
    StrView ms;
    StrView direction;
    if (!tok_next(&tok, &ms) || !tok_next(&tok, &direction)) {
        return true;
    }
    /* The original text, including a space at its end. */
    size_t at = (size_t)(direction.ptr - line.ptr) + 2;
    if (sv_equal(direction, SV(">"))) {
        return do_sent(replay, sv_skip(line, at));
    }
    return !sv_equal(direction, SV("<")) || do_received(replay, tok_rest(&tok));
}

/* After the end, only an interrupted search may have answered. */
static bool check_rest(Replay *replay) {
    StrView line;
    while (child_next_line(&replay->child, clock_ms(), &line)) {
        if (is_result(line)) {
            replay->results++;
        } else if (line.len > 0 && !sv_starts_with(line, SV("info "))) {
            return complain(replay, "nobody asked for", line);
        }
    }
    return CHECK_INT(replay->results, replay->searches);
}

static bool replay_text(Replay *replay, StrView text) {
    StrView line;
    send_line(replay, SV("setoption name NodesLimit value 2000"));
    send_line(replay, SV("setoption name USI_OwnBook value false"));
    send_line(replay, SV("setoption name USI_Hash value 16"));
    send_line(replay, SV("setoption name Threads value 1"));
    for (replay->line_number = 1; sv_next_line(&text, &line); replay->line_number++) {
        if (!do_line(replay, line)) {
            return false;
        }
    }
    if (!replay->has_quit) {
        send_line(replay, SV("quit"));
    }
    return (child_wait(&replay->child, QUIT_MS * child_slowness()) == 0 ||
            complain(replay, "did not end", SV("quit"))) &&
           check_rest(replay) && CHECK(child_was_silent(&replay->child)) &&
           CHECK(replay->answers > 0);
}

static void replay_file(const char *folder, const char *name) {
    StrBuf path = STRBUF_INIT;
    StrBuf text = STRBUF_INIT;
    Replay replay = {.name = name};
    Setup start = setup_start();
    pos_init(&replay.pos);
    pos_set(&replay.pos, &start);
    strbuf_addf(&path, "%s/%s", folder, name);
    bool is_good = CHECK_INT(file_read(path.ptr, &text), 0) && CHECK(child_start(&replay.child)) &&
                   replay_text(&replay, strbuf_view(&text));
    printf("%s  %s: %d answers\n", is_good ? "ok  " : "FAIL", name, replay.answers);
    child_free(&replay.child);
    pos_free(&replay.pos);
    strbuf_free(&path);
    strbuf_free(&text);
}

static void recorded_traffic(void) {
    StrBuf folder = STRBUF_INIT;
    int count = 0;
    if (unit_cases_dir() != NULL) {
        strbuf_addf(&folder, "%s/../reference/usi-transcripts", unit_cases_dir());
    }
    DIR *dir = folder.len > 0 ? opendir(folder.ptr) : NULL;
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        if (sv_ends_with(sv_from(entry->d_name), SV(".txt"))) {
            replay_file(folder.ptr, entry->d_name);
            count++;
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    strbuf_free(&folder);
    if (count == 0) {
        unit_skip("no recorded traffic beside the project");
    }
}

UNIT_MAIN({"recorded traffic of real clients", recorded_traffic})
