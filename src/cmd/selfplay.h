/* selfplay.h: an engine plays itself, or another player, for training data.
 *
 * A Selfplay belongs to one thread; it has its own tables and its own searches of one thread. A
 * game follows from its seed and the rules alone: nothing is carried over from the game before. */
#ifndef KMD_CMD_SELFPLAY_H
#define KMD_CMD_SELFPLAY_H

#include <stdatomic.h>

#include "data/packed.h"

struct BookReader;
struct NnueNet;

enum { SELFPLAY_MOST_RIVALS = 8 };

/* How games are played and what is noted of them. The networks stay the caller's and must outlive
 * the player; NULL stands for the hand-written evaluation. */
typedef struct SelfplayRules {
    uint64_t nodes; /* of each search; when they are used up no iteration is begun */
    int scale;      /* centipawns per unit of the sigmoid that makes chances of scores */
    int decided; /* per cent: eight plies at such a chance decide a game; 100: it is played out */
    int unlike;  /* games out of a hundred that are played against a player of another kind */
    int wander;  /* half of the even games go so many plies, or less, astray behind the opening:
                    players of other kinds and random moves lead to positions that the network's own
                    play avoids, and from there it plays both sides; 0: none */
    int deep;    /* one position in so many is searched with SELFPLAY_DEEPER times the nodes, which
                    gives its label, and where that sees something else a second game begins there;
                    0: none is */
    int leaves;  /* up to so many of the positions that a deep search evaluates, at most
                    SELFPLAY_MOST_LEAVES, get a label and become games of one move */
    const struct NnueNet *net; /* whose scores are noted, of all positions */
    const struct NnueNet *rivals[SELFPLAY_MOST_RIVALS];
    int rival_count;
    const struct BookReader *book; /* even games begin with moves of it; NULL: there is none */
    int book_plies;                /* at most, and random ones up to the usual length */
    int window; /* an even opening that is worth more to one side is played anew */
} SelfplayRules;

enum { SELFPLAY_DEEPER = 30, SELFPLAY_MOST_LEAVES = 256 };

typedef struct Selfplay Selfplay;

Selfplay *selfplay_create(const SelfplayRules *rules);
void selfplay_free(Selfplay *play);

/* How it went. */
typedef enum SelfplayEnd {
    SELFPLAY_DONE,
    SELFPLAY_STOPPED,   /* by *cancel, at once: within a move, too */
    SELFPLAY_NO_OPENING /* each of SELFPLAY_ATTEMPTS was worth too much to one side */
} SelfplayEnd;

enum { SELFPLAY_ATTEMPTS = 1000 };

/* A game, first of all, and what deep searches made of it: a game that one began, and leaves.
 * Zero-initialise it; free with selfplay_games_free. */
typedef struct SelfplayGames {
    PackedGame *games;
    int count;
    size_t cap;
} SelfplayGames;

void selfplay_games_free(SelfplayGames *games);

/* Draws the start of a game and plays its random moves, which have no score, into *game. */
SelfplayEnd selfplay_begin(Selfplay *play, uint64_t seed, const _Atomic bool *cancel,
                           PackedGame *game) MUST_CHECK;

/* Plays the whole game, in place of what *games holds. */
SelfplayEnd selfplay_game(Selfplay *play, uint64_t seed, const _Atomic bool *cancel,
                          SelfplayGames *games) MUST_CHECK;

#endif
