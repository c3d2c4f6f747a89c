/* fakeengine: a USI engine for tests. It immediately plays a legal move that depends only on the
 * position, or makes one of the errors that engines make.
 *
 * usage: fakeengine [MODE] [at=N] [ms=T] [score=S|mate=N] [seed=N]
 *   at=N     the fault happens from the N-th go of a game on (default 1)
 *   ms=T     for late and freeze: how long a move takes
 *   score=S  every move comes with this score
 *   mate=N   every move comes with a mate in N plies; "mate=+" is one of unknown length
 *   scores   every move comes with a score from -500 to 499 that follows from the position
 *   seed=N   another choice of moves
 *   play=M,M,...  these moves first, in each game
 *
 * In mode tune it has options Alpha, Beta and Gamma. The farther they are from their best values,
 * the earlier it resigns, so the better of two such players wins more often. */
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "base/rng.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"

typedef enum Mode {
    MODE_GOOD,
    MODE_HANG,        /* answers neither go nor stop */
    MODE_LATE,        /* takes ms=T for a move */
    MODE_CRASH,       /* ends with a signal at go */
    MODE_EXIT,        /* ends with status 3 at go */
    MODE_ILLEGAL,     /* a well-formed move from an empty square */
    MODE_NONE,        /* "bestmove none" */
    MODE_EMPTY,       /* "bestmove" alone */
    MODE_TWICE,       /* answers every go twice */
    MODE_FALSE_WIN,   /* claims a win */
    MODE_RESIGN,      /* resigns */
    MODE_NO_USIOK,    /* does not answer usi */
    MODE_NO_READYOK,  /* does not answer isready */
    MODE_STDERR,      /* writes a megabyte to stderr before every answer */
    MODE_STDOUT,      /* writes two megabytes without a line end before every answer */
    MODE_CHATTY,      /* writes endless lines instead of an answer */
    MODE_DEAF,        /* ignores quit and the end of its input */
    MODE_EARLY,       /* answers go ponder at once, and then neither ponderhit nor stop */
    MODE_NO_STOP,     /* does not answer stop while it ponders */
    MODE_BAD_PONDER,  /* predicts an illegal reply */
    MODE_CLOSED,      /* closes its stdout at go and keeps running */
    MODE_CRASH_AFTER, /* the process ends at gameover */
    MODE_GRUMBLE,     /* prints complaints before readyok, different ones each time with seed=1 */
    MODE_FREEZE,      /* answers at once, but stops the match for ms=T before that */
    MODE_TUNE,        /* plays best with Alpha 120, Beta -60 and Gamma 0.75 */
    MODE_NB
} Mode;

static const char *const mode_names[MODE_NB] = {
    "good",       "hang",    "late",   "crash",  "exit",    "illegal",   "none",
    "empty",      "twice",   "win",    "resign", "nousiok", "noreadyok", "stderr",
    "stdout",     "chatty",  "deaf",   "early",  "nostop",  "badponder", "closed",
    "crashafter", "grumble", "freeze", "tune",
};

/* An option of mode tune: its announcement, its initial and best values, and the distance from the
 * best value that costs one unit of strength. */
typedef struct Dial {
    const char *name;
    const char *announced;
    double start, best, width;
} Dial;

static const Dial dials[] = {
    {"Alpha", "spin default 60 min 0 max 200", 60.0, 120.0, 50.0},
    {"Beta", "spin default 0 min -100 max 100", 0.0, -60.0, 40.0},
    {"Gamma", "string default 0.5", 0.5, 0.75, 0.2},
};

typedef struct Fake {
    Mode mode;
    int at;
    int ms;
    bool has_score, has_scores;
    int score;
    StrView mate; /* empty: none */
    uint64_t seed;
    StrView script; /* the moves of play= */
    Position pos;
    uint64_t hash; /* hash of the position's text */
    int goes;      /* number of go commands in this game */
    int readies;   /* number of isready commands in all games */
    double dials[COUNTOF(dials)];
    bool is_pondering;
} Fake;

static void say(const char *text) {
    puts(text);
    fflush(stdout);
}

static void set_position(Fake *fake, StrView text) {
    Tokenizer tok;
    StrView word;
    size_t at = sv_find(text, SV("moves"));
    StrView start = sv_trim(sv_prefix(text, at));
    if (sv_starts_with(start, SV("sfen "))) {
        start = sv_skip(start, 5);
    }
    if (pos_set_sfen(&fake->pos, start, NULL) != KMD_OK) {
        say("info string error position");
        return;
    }
    tok.rest = sv_skip(text, at + 5);
    while (tok_next(&tok, &word)) {
        pos_do(&fake->pos, usimove_read(word));
    }
    fake->hash = fake->seed;
    for (size_t i = 0; i < text.len; i++) {
        fake->hash = (fake->hash ^ (unsigned char)text.ptr[i]) * 0x100000001b3;
    }
}

/* A legal move that depends only on the position and the salt, not on the order of the generator;
 * MOVE_RESIGN if there is none. */
static Move choose_move(Fake *fake, uint64_t salt) {
    Move list[MAX_MOVES];
    Move best = MOVE_RESIGN;
    uint64_t best_value = UINT64_MAX;
    int count = gen_moves(&fake->pos, GEN_LEGAL, list);
    for (int i = 0; i < count; i++) {
        uint64_t state = fake->hash + salt + ((uint64_t)list[i] << 40);
        uint64_t value = rng_splitmix(&state);
        if (value < best_value) {
            best_value = value;
            best = list[i];
        }
    }
    return best;
}

/* The script's move for the current go; MOVE_NONE after the end of the script. */
static Move scripted_move(const Fake *fake) {
    StrView rest = fake->script;
    StrView word = {NULL, 0};
    for (int i = 0; i < fake->goes; i++) {
        if (!sv_next_field(&rest, ',', &word)) {
            return MOVE_NONE;
        }
    }
    return usimove_read(word);
}

/* Prints "bestmove M ponder P" for the current position. */
static void answer(Fake *fake) {
    char best[USI_MOVE_SIZE];
    char reply[USI_MOVE_SIZE];
    Move move = scripted_move(fake);
    move = move != MOVE_NONE ? move : choose_move(fake, 0);
    usimove_write(move, best);
    reply[0] = '\0';
    if (move_is_legal(&fake->pos, move)) { /* a script may break the rules */
        pos_do(&fake->pos, move);
        usimove_write(choose_move(fake, 1), reply);
        pos_undo(&fake->pos);
    }
    if (fake->mode == MODE_BAD_PONDER) {
        memcpy(reply, "5e5e", 5);
    }
    if (fake->has_score || fake->has_scores) {
        uint64_t state = fake->hash;
        int score = fake->has_scores ? (int)(rng_splitmix(&state) % 1000) - 500 : fake->score;
        printf("info depth 3 score cp %d nodes 1000 pv %s %s\n", score, best, reply);
    } else if (fake->mate.len > 0) {
        printf("info depth 3 score mate %.*s nodes 1000 pv %s %s\n", (int)fake->mate.len,
               fake->mate.ptr, best, reply);
    }
    printf("bestmove %s%s%s\n", best, reply[0] != '\0' ? " ponder " : "", reply);
    fflush(stdout);
}

static void write_much(FILE *stream, int kilobytes) {
    char block[1024];
    memset(block, 'x', sizeof(block));
    for (int i = 0; i < kilobytes; i++) {
        fwrite(block, 1, sizeof(block), stream);
    }
    fflush(stream);
}

/* Keeps running without reading input, but only for a minute, so that no process stays after a
 * failed test. */
static void be_deaf(void) {
    clock_sleep_ms(60000);
    exit(EXIT_FAILURE);
}

/* Makes the errors that happen before an answer or that end the process. */
static void suffer(const Fake *fake) {
    switch (fake->mode) {
    case MODE_LATE:
        clock_sleep_ms(fake->ms);
        break;
    case MODE_CRASH:
        raise(SIGKILL);
        break;
    case MODE_EXIT:
        exit(3);
    case MODE_STDERR:
        write_much(stderr, 1024);
        break;
    case MODE_STDOUT:
        write_much(stdout, 2048);
        say("");
        break;
    case MODE_CHATTY:
        for (;;) {
            say("info string and so on");
        }
    case MODE_CLOSED:
        fclose(stdout);
        be_deaf();
        break;
    default:
        break;
    }
}

/* The output that a mode prints instead of an answer; NULL: it answers normally. */
static const char *wrong_answer(Mode mode) {
    switch (mode) {
    case MODE_ILLEGAL:
        return "bestmove 5e5d";
    case MODE_NONE:
        return "bestmove none";
    case MODE_EMPTY:
        return "bestmove";
    case MODE_FALSE_WIN:
        return "bestmove win";
    case MODE_RESIGN:
        return "bestmove resign";
    default:
        return NULL;
    }
}

/* Answers in time, but the match cannot read it in time. */
static void answer_while_frozen(Fake *fake) {
    kill(getppid(), SIGSTOP);
    answer(fake);
    clock_sleep_ms(fake->ms);
    kill(getppid(), SIGCONT);
}

static void answer_wrongly(Fake *fake) {
    if (fake->mode == MODE_FREEZE) {
        answer_while_frozen(fake);
        return;
    }
    suffer(fake);
    const char *text = wrong_answer(fake->mode);
    if (text != NULL) {
        say(text);
        return;
    }
    if (fake->mode == MODE_HANG) {
        return;
    }
    answer(fake);
    if (fake->mode == MODE_TWICE) {
        answer(fake);
    }
}

/* True if an engine of mode tune resigns now. The chance of resigning at each move grows with the
 * distance of the options from their best values, so that the players' chances of resigning first
 * have the ratio of these distances. */
static bool has_enough(const Fake *fake) {
    double weakness = 0.0;
    for (size_t i = 0; i < COUNTOF(dials); i++) {
        double off = (fake->dials[i] - dials[i].best) / dials[i].width;
        weakness += off * off;
    }
    uint64_t state = fake->hash + (uint64_t)fake->readies * 0x9e3779b97f4a7c15;
    double lot = (double)(rng_splitmix(&state) >> 11) / 9007199254740992.0;
    return lot < fmin(0.02 * exp(weakness), 0.9);
}

/* Handles setoption name NAME value VALUE, in mode tune. */
static void set_option(Fake *fake, StrView args) {
    Tokenizer tok = {args};
    StrView name;
    StrView value;
    bool is_good = tok_next(&tok, &name) && tok_next(&tok, &name) && tok_next(&tok, &value) &&
                   tok_next(&tok, &value);
    for (size_t i = 0; is_good && i < COUNTOF(dials); i++) {
        if (sv_equal(name, sv_from(dials[i].name)) &&
            !sv_to_double(value, -1e6, 1e6, &fake->dials[i])) {
            say("info string error value");
        }
    }
}

static void handle_go(Fake *fake, StrView args) {
    Tokenizer tok = {args};
    StrView word;
    fake->goes++;
    fake->is_pondering = tok_next(&tok, &word) && sv_equal(word, SV("ponder"));
    bool is_faulty = fake->goes >= fake->at;
    if (fake->mode == MODE_TUNE && has_enough(fake)) {
        say("bestmove resign");
        return;
    }
    if (is_faulty && fake->mode == MODE_EARLY) {
        fake->is_pondering = false;
    }
    if (fake->is_pondering) {
        return;
    }
    if (is_faulty) {
        answer_wrongly(fake);
    } else {
        answer(fake);
    }
}

/* Answers stop or ponderhit, if an answer is due. */
static void handle_release(Fake *fake, bool is_stop) {
    if (fake->is_pondering && !(is_stop && fake->mode == MODE_NO_STOP)) {
        fake->is_pondering = false;
        answer(fake);
    }
}

static void grumble(Fake *fake) {
    fake->readies++;
    if (fake->mode == MODE_GRUMBLE) {
        printf("info string loading\ninfo string Error: cannot read file %d\n",
               fake->seed != 0 ? fake->readies : 1);
    }
}

/* Executes a line. Returns false if the engine should end. */
static bool handle_line(Fake *fake, StrView line) {
    Tokenizer tok = {line};
    StrView word;
    if (!tok_next(&tok, &word)) {
        return true;
    }
    if (sv_equal(word, SV("usi")) && fake->mode != MODE_NO_USIOK) {
        say("id name Fake\nid author nobody\noption name Dummy type spin default 1 min 0 max 9\n"
            "option name Threads type spin default 4 min 1 max 8");
        for (size_t i = 0; fake->mode == MODE_TUNE && i < COUNTOF(dials); i++) {
            printf("option name %s type %s\n", dials[i].name, dials[i].announced);
        }
        say("usiok");
    } else if (sv_equal(word, SV("isready")) && fake->mode != MODE_NO_READYOK) {
        grumble(fake);
        say("readyok");
    } else if (sv_equal(word, SV("usinewgame"))) {
        fake->goes = 0;
    } else if (sv_equal(word, SV("setoption")) && fake->mode == MODE_TUNE) {
        set_option(fake, tok_rest(&tok));
    } else if (sv_equal(word, SV("position"))) {
        set_position(fake, tok_rest(&tok));
    } else if (sv_equal(word, SV("go"))) {
        handle_go(fake, tok_rest(&tok));
    } else if (sv_equal(word, SV("stop")) || sv_equal(word, SV("ponderhit"))) {
        handle_release(fake, sv_equal(word, SV("stop")));
    } else if (sv_equal(word, SV("gameover")) && fake->mode == MODE_CRASH_AFTER) {
        return false;
    }
    return !sv_equal(word, SV("quit"));
}

static bool read_number(StrView word, const char *key, int *out) {
    StrView name = sv_from(key);
    return sv_starts_with(word, name) && sv_to_int(sv_skip(word, name.len), -1000000, 1000000, out);
}

static bool read_argument(Fake *fake, StrView word) {
    int number;
    for (int i = 0; i < MODE_NB; i++) {
        if (sv_equal(word, sv_from(mode_names[i]))) {
            fake->mode = (Mode)i;
            return true;
        }
    }
    if (read_number(word, "seed=", &number)) {
        fake->seed = (uint64_t)number;
        return true;
    }
    if (read_number(word, "score=", &fake->score)) {
        fake->has_score = true;
        return true;
    }
    if (sv_starts_with(word, SV("mate="))) {
        fake->mate = sv_skip(word, 5);
        return true;
    }
    if (sv_equal(word, SV("scores"))) {
        fake->has_scores = true;
        return true;
    }
    if (sv_starts_with(word, SV("play="))) {
        fake->script = sv_skip(word, 5);
        return true;
    }
    return read_number(word, "at=", &fake->at) || read_number(word, "ms=", &fake->ms);
}

int main(int argc, char **argv) {
    Fake fake = {.at = 1, .ms = 1000};
    LineReader lines;
    StrView line;
    for (int i = 1; i < argc; i++) {
        if (!read_argument(&fake, sv_from(argv[i]))) {
            fprintf(stderr, "fakeengine: what is %s?\n", argv[i]);
            return 2;
        }
    }
    for (size_t i = 0; i < COUNTOF(dials); i++) {
        fake.dials[i] = dials[i].start;
    }
    pos_init_tables();
    pos_init(&fake.pos);
    file_lines_init(&lines, STDIN_FILENO);
    while (file_lines_next(&lines, &line) && handle_line(&fake, line)) {
    }
    if (fake.mode == MODE_DEAF) {
        be_deaf();
    }
    file_lines_free(&lines);
    pos_free(&fake.pos);
    return EXIT_SUCCESS;
}
