/* selfplay.h: one engine plays itself, for training data.
 *
 * A player belongs to one thread; it has its own table and its own search of one thread. A game
 * follows from its seed, the number of nodes and the evaluation alone: nothing is carried over from
 * the game before. */
#ifndef KMD_CMD_SELFPLAY_H
#define KMD_CMD_SELFPLAY_H

#include <stdatomic.h>

#include "data/packed.h"

struct NnueNet;

typedef struct Player Player;

/* A player that looks at about `nodes` positions before each move, and evaluates with the net, or
 * by hand when it is NULL. The net stays the caller's and must outlive the player. */
Player *selfplay_create(uint64_t nodes, const struct NnueNet *net);
void selfplay_free(Player *player);

/* How it went. */
typedef enum SelfplayEnd {
    SELFPLAY_DONE,
    SELFPLAY_STOPPED,   /* by *cancel, at once: within a move, too */
    SELFPLAY_NO_OPENING /* each of SELFPLAY_ATTEMPTS was worth too much to one side */
} SelfplayEnd;

enum { SELFPLAY_ATTEMPTS = 1000 };

/* Draws the start of a game and plays its random moves, which have no score, into *game. */
SelfplayEnd selfplay_begin(Player *player, uint64_t seed, const _Atomic bool *cancel,
                           PackedGame *game) MUST_CHECK;

/* Plays the whole game into *game. */
SelfplayEnd selfplay_game(Player *player, uint64_t seed, const _Atomic bool *cancel,
                          PackedGame *game) MUST_CHECK;

#endif
