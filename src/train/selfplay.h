/* selfplay.h: plays games of the engine against itself or against players of other kinds, for
 * training data.
 *
 * A Selfplay belongs to one thread. A Selfplay has its own tables, and its searches run on that
 * thread, which needs an 8 MB stack. A game depends only on its seed and the options; nothing is
 * carried over from other games. */
#ifndef KMD_TRAIN_SELFPLAY_H
#define KMD_TRAIN_SELFPLAY_H

#include <stdatomic.h>

#include "train/packed.h"

struct BookReader;
struct NnueNet;

enum { SELFPLAY_MAX_OPPONENTS = 8, SELFPLAY_MAX_LEAVES = 1024 };

/* The range of node limits. A limit is drawn for each search between least and most, with all
 * orders of magnitude equally likely. 1 <= least <= most. */
typedef struct NodeRange {
    uint64_t least, most;
} NodeRange;

/* How games are played and which positions are labelled. The caller keeps the networks, the book
 * and the list of starts, which must outlive the player. If `net` is NULL, the hand-written
 * evaluation is used. */
typedef struct SelfplayOptions {
    uint64_t nodes; /* the search for each move starts no iteration beyond this many nodes */
    int scale;      /* centipawns per unit of the sigmoid that converts scores to winning chances */
    int adjudicate; /* per cent: eight plies at this winning chance end a game; 100: never */
    int sparring;   /* percentage of games against one of the opponents in the same search with the
                       same nodes, whose results count; needs an opponent */
    int asymmetric; /* percentage of the other games that are against a player of another kind */
    int off_policy; /* half of the games without handicap begin with up to this many unlabelled
                       plies, chosen by other players or at random; 0: none */
    int deep; /* one position in this many is searched more deeply to get its label; if that search
                 prefers another move, a new game starts with it; 0: none */
    NodeRange deep_nodes; /* node limits of the deeper searches */
    int leaves; /* up to this many positions from the tree of each deeper search are labelled and
                   written as games of one move; at most SELFPLAY_MAX_LEAVES */
    int focus;  /* percentage of leaves drawn by leaves_weight rather than uniformly */
    NodeRange label_nodes;     /* node limits of the search that labels a leaf */
    const struct NnueNet *net; /* the network whose scores are the labels of all positions */
    const struct NnueNet *opponents[SELFPLAY_MAX_OPPONENTS];
    int opponent_count;
    const struct BookReader *book; /* games without handicap start with its moves; NULL: none */
    int book_plies; /* maximum number of book moves; random moves follow up to the usual number */
    int window;     /* openings worth more than this to one side are replaced; 0: the usual limit */
    const Setup *starts; /* half of the games without handicap start from one of these positions */
    int start_count;
} SelfplayOptions;

/* Extends a hash (checksum.h) by the options, except the nodes, networks, book and starts, and by a
 * version number of the way games are played. */
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

/* Draws the start of a game and adds its random moves, which have no scores, to *game. */
SelfplayEnd selfplay_begin(Selfplay *play, uint64_t seed, const _Atomic bool *cancel,
                           PackedGame *game) MUST_CHECK;

/* Plays a whole game and replaces the contents of *games: the game, followed by those that deeper
 * searches added, which are leaves and games that start with another move. */
SelfplayEnd selfplay_game(Selfplay *play, uint64_t seed, const _Atomic bool *cancel,
                          PackedGames *games) MUST_CHECK;

/* The number of search nodes of all games so far. */
uint64_t selfplay_nodes(const Selfplay *play);

#endif
