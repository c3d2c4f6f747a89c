/* selfplay.h: one engine plays itself, for training data.
 *
 * A player belongs to one thread; it has its own table and its own search of one thread. A game
 * follows from its seed, the number of nodes and the evaluation alone: nothing is carried over from
 * the game before. */
#ifndef KMD_CMD_SELFPLAY_H
#define KMD_CMD_SELFPLAY_H

#include <stdatomic.h>

#include "rules/packed.h"

struct NnueNet;

typedef struct Player Player;

/* A player that looks at about `nodes` positions before each move, and evaluates with the net, or
 * by hand when it is NULL. The net stays the caller's and must outlive the player. */
Player *selfplay_create(uint64_t nodes, const struct NnueNet *net);
void selfplay_free(Player *player);

/* Plays a game into *game. False when it was cut short by *cancel. */
bool selfplay_game(Player *player, uint64_t seed, const _Atomic bool *cancel,
                   PackedGame *game) MUST_CHECK;

#endif
