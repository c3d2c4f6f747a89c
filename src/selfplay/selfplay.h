/* selfplay.h: plays games of the engine against itself, or against other players, for training
 * data.
 *
 * A Selfplay belongs to one thread; it has its own tables, and its searches run on that thread,
 * which needs a stack of 8 MB. A game follows from its seed and the rules alone: nothing is carried
 * over from the game before. */
#ifndef KMD_SELFPLAY_SELFPLAY_H
#define KMD_SELFPLAY_SELFPLAY_H

#include <stdatomic.h>

#include "data/packed.h"

struct BookReader;
struct NnueNet;

enum { SELFPLAY_MOST_OPPONENTS = 8, SELFPLAY_MOST_LEAVES = 1024 };

/* Nodes of a search, drawn again for each between least and most: as many searches between N and 2N
 * nodes as between 2N and 4N. 1 <= least <= most. */
typedef struct NodeRange {
    uint64_t least, most;
} NodeRange;

/* How games are played and which positions are labelled. The networks, the book and the list of
 * starts stay the caller's and must outlive the player; a network of NULL stands for the
 * hand-written evaluation. */
typedef struct SelfplayRules {
    uint64_t nodes; /* of the search for each move; no iteration begins after them */
    int scale;      /* centipawns per unit of the sigmoid that converts scores to winning chances */
    int adjudicate; /* per cent: eight plies at this winning chance end the game; 100: never */
    int asymmetric; /* games in a hundred against a player of another kind */
    int off_policy; /* half of the games without handicap first play up to this many plies by other
                       players and at random, without labels; 0: none */
    int deep;       /* one position in this many is searched more deeply, which gives its label; a
                       second game begins where that search prefers another move; 0: none */
    NodeRange deep_nodes; /* of these searches */
    int leaves;           /* from the tree of each deep search label up to this many positions, each
                             written as a game of one move; up to SELFPLAY_MOST_LEAVES */
    int focus;            /* per cent of these that are drawn by leaves_weight, not uniformly */
    NodeRange label_nodes;     /* of the search that labels a leaf */
    const struct NnueNet *net; /* whose scores are the labels, of all positions */
    const struct NnueNet *opponents[SELFPLAY_MOST_OPPONENTS];
    int opponent_count;
    const struct BookReader *book; /* games without handicap begin with its moves; NULL: none */
    int book_plies; /* moves of the book at most; random ones up to the usual count */
    int window;     /* openings worth more than this to one side are replaced; 0: the usual limit */
    const Setup *starts; /* half of the games without handicap begin with one of these */
    int start_count;
} SelfplayRules;

typedef struct Selfplay Selfplay;

Selfplay *selfplay_create(const SelfplayRules *rules);
void selfplay_free(Selfplay *play);

/* How a game ended. */
typedef enum SelfplayEnd {
    SELFPLAY_DONE,
    SELFPLAY_STOPPED,   /* by *cancel, at once, even within a search */
    SELFPLAY_NO_OPENING /* each of SELFPLAY_ATTEMPTS openings was worth too much to one side */
} SelfplayEnd;

enum { SELFPLAY_ATTEMPTS = 1000 };

/* The game, then what deep searches added: leaves, and games that begin with another move.
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

/* Plays the whole game, instead of what *games holds. */
SelfplayEnd selfplay_game(Selfplay *play, uint64_t seed, const _Atomic bool *cancel,
                          SelfplayGames *games) MUST_CHECK;

/* Search nodes of all games so far. */
uint64_t selfplay_nodes(const Selfplay *play);

#endif
