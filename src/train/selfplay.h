/* selfplay.h: plays games of a network against itself or against other networks in the same search,
 * for training data.
 *
 * A Selfplay belongs to one thread. A Selfplay has its own tables, and its searches run on that
 * thread, which needs an 8 MB stack. A game depends only on its seed and the options; nothing is
 * carried over from other games. */
#ifndef KMD_TRAIN_SELFPLAY_H
#define KMD_TRAIN_SELFPLAY_H

#include <stdatomic.h>

#include "train/packed.h"

struct NnueNet;

enum { SELFPLAY_MAX_OPPONENTS = 8 };

/* How games are played. The caller keeps the networks, which must outlive the player; NULL is the
 * hand-written evaluation. */
typedef struct SelfplayOptions {
    uint64_t nodes;            /* a search starts no iteration after this many nodes */
    const struct NnueNet *net; /* its searches give the scores of all positions */
    const struct NnueNet *opponents[SELFPLAY_MAX_OPPONENTS];
    int opponent_count;
    int opponent_share; /* percentage of games in which an opponent plays one side, with the same
                           number of nodes; only if there is one */
    int off_policy;     /* half of the games without handicap begin with up to this many plies that
                           are random or from short searches, and have no scores; 0: none */
} SelfplayOptions;

/* Extends a hash (checksum.h) by the options, except the nodes and networks, and by a version
 * number of the way games are played. */
uint64_t selfplay_hash(const SelfplayOptions *options, uint64_t hash);

typedef struct Selfplay Selfplay;

Selfplay *selfplay_create(const SelfplayOptions *options);
void selfplay_free(Selfplay *play);

/* How a game ended. */
typedef enum SelfplayEnd {
    SELFPLAY_DONE,
    SELFPLAY_STOPPED,   /* *cancel became true, which ends the game at once, even within a search */
    SELFPLAY_NO_OPENING /* each of SELFPLAY_ATTEMPTS openings favoured one side too much */
} SelfplayEnd;

enum { SELFPLAY_ATTEMPTS = 1000 };

/* Plays a game to its end, or until a mate is found, and replaces the contents of *game. The moves
 * of the opening have no scores. */
SelfplayEnd selfplay_game(Selfplay *play, uint64_t seed, const _Atomic bool *cancel,
                          PackedGame *game) MUST_CHECK;

/* The number of search nodes of all games so far. */
uint64_t selfplay_nodes(const Selfplay *play);

#endif
