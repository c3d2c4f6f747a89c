/* selfplay.h: plays games of the engine against itself, or against other players, for training
 * data.
 *
 * A Selfplay belongs to one thread. It has its own tables, and its searches run on that thread,
 * which needs an 8 MB stack. A game depends only on its seed and the rules; nothing is carried over
 * from other games. */
#ifndef KMD_SELFPLAY_SELFPLAY_H
#define KMD_SELFPLAY_SELFPLAY_H

#include <stdatomic.h>

#include "data/packed.h"

struct BookReader;
struct NnueNet;

enum { SELFPLAY_MOST_OPPONENTS = 8, SELFPLAY_MOST_LEAVES = 1024 };

/* The node limits of searches, drawn anew for each between least and most, with all orders of
 * magnitude equally likely. 1 <= least <= most. */
typedef struct NodeRange {
    uint64_t least, most;
} NodeRange;

/* How games are played and which positions are labelled. The caller keeps the networks, the book
 * and the list of starts, which must outlive the player. A NULL network means the hand-written
 * evaluation. */
typedef struct SelfplayRules {
    uint64_t nodes; /* of the search for each move, which starts no iteration beyond them */
    int scale;      /* centipawns per unit of the sigmoid that converts scores to winning chances */
    int adjudicate; /* in per cent: eight plies at this winning chance end the game; 100: never */
    int asymmetric; /* percentage of games against a player of another kind */
    int off_policy; /* half of the games without handicap first play up to this many plies by other
                       players and at random, without labels; 0: none */
    int deep; /* one position in this many is searched more deeply, which gives its label; another
                 game starts where that search prefers another move; 0: none */
    NodeRange deep_nodes; /* of these searches */
    int leaves; /* up to this many positions from the tree of each deep search are labelled, each
                   written as a game of one move; at most SELFPLAY_MOST_LEAVES */
    int focus;  /* percentage of these drawn by leaves_weight rather than uniformly */
    NodeRange label_nodes;     /* of the search that labels a leaf */
    const struct NnueNet *net; /* its scores are the labels of all positions */
    const struct NnueNet *opponents[SELFPLAY_MOST_OPPONENTS];
    int opponent_count;
    const struct BookReader *book; /* games without handicap start with its moves; NULL: none */
    int book_plies; /* maximum number of book moves; random ones follow up to the usual number */
    int window;     /* openings worth more than this to one side are replaced; 0: the usual limit */
    const Setup *starts; /* half of the games without handicap start from one of these */
    int start_count;
} SelfplayRules;

/* Extends a hash (checksum.h) by the rules, except nodes, networks, book and starts, and by the way
 * in which this version plays. */
uint64_t selfplay_hash(const SelfplayRules *rules, uint64_t hash);

typedef struct Selfplay Selfplay;

Selfplay *selfplay_create(const SelfplayRules *rules);
void selfplay_free(Selfplay *play);

/* How a game ended. */
typedef enum SelfplayEnd {
    SELFPLAY_DONE,
    SELFPLAY_STOPPED,   /* cancelled by *cancel, at once, even within a search */
    SELFPLAY_NO_OPENING /* each of SELFPLAY_ATTEMPTS openings was worth too much to one side */
} SelfplayEnd;

enum { SELFPLAY_ATTEMPTS = 1000 };

/* The game, followed by what deep searches added: leaves, and games that start with another move.
 * Zero-initialise it; free it with selfplay_games_free. */
typedef struct SelfplayGames {
    PackedGame *games;
    int count;
    size_t cap;
} SelfplayGames;

void selfplay_games_free(SelfplayGames *games);

/* Draws the start of a game, and plays its random moves, which have no score, into *game. */
SelfplayEnd selfplay_begin(Selfplay *play, uint64_t seed, const _Atomic bool *cancel,
                           PackedGame *game) MUST_CHECK;

/* Plays a whole game and replaces the contents of *games. */
SelfplayEnd selfplay_game(Selfplay *play, uint64_t seed, const _Atomic bool *cancel,
                          SelfplayGames *games) MUST_CHECK;

/* The number of search nodes of all games so far. */
uint64_t selfplay_nodes(const Selfplay *play);

#endif
