/* featureset.h: the inputs of the networks that shogi players exchange (nn.bin), as tables.
 *
 * Each set numbers the pieces of a view ("BonaPiece", from Bonanza by Hoki): a piece number says
 * which piece stands where, or which of several equal pieces it is in hand. Golds and promoted
 * minor pieces share the gold's numbers.
 *
 *   0              stands for each piece that is missing from the game (handicap)
 *   1 .. 89        pieces in hand, the first to the last of a kind; all up to the count are active
 *   90 + 81 k + s  piece of kind k on square s, as the view sees the board
 *   1548 + s       own king; 1629 + s: the other king (sets with two planes of kings)
 *
 * A set is this numbering, with or without kings, times the square of the own king or not, mirrored
 * or not. A newcomer adds one row to the table. These functions only read positions: safe from
 * every thread. */
#ifndef KMD_EVAL_FEATURESET_H
#define KMD_EVAL_FEATURESET_H

#include "rules/position.h"

enum {
    FEATURE_PIECES = 38,    /* pieces of a set besides the kings */
    FEATURE_KING_AT = 1548, /* number of piece numbers without kings */
    FEATURE_OTHER_AT = 1629 /* the other king, or the extra plane of the own one */
};

/* How a set counts the kings among the pieces. */
typedef enum KingPlanes {
    KINGS_ABSENT,
    KINGS_SHARED,  /* both kings on one plane */
    KINGS_APART,   /* a plane each */
    KINGS_DOUBLED, /* both on one plane, and again on a plane each, after it */
} KingPlanes;

typedef struct FeatureSet {
    const char *name; /* as YaneuraOu names its builds, for example "halfkp" */
    int inputs;       /* tells the sets apart */
    int stride;       /* inputs for each square of the own king; 0: independent of it */
    KingPlanes kings;
    bool is_mirrored; /* if the own king is on files 6 to 9, left and right are exchanged */
} FeatureSet;

/* A view of a position: whose it is, and where its own king stands. While the king stays, a move
 * changes few inputs. */
typedef struct FeatureView {
    const FeatureSet *set;
    Color side;
    Square king;     /* the own king as its side sees it, before mirroring */
    Square product;  /* the same after mirroring: the king square that inputs are numbered by */
    bool is_flipped; /* left and right are exchanged */
} FeatureView;

/* The set with this number of inputs, or NULL. */
const FeatureSet *featureset_find(int64_t inputs);

/* The sets in the order of the table; NULL after the last. */
const FeatureSet *featureset_at(int index);

/* The view of `side`. A side without a king sees the board as if its king were at home. */
FeatureView featureset_view(const FeatureSet *set, const Position *pos, Color side);

/* The inputs of a piece on a square or, for a king that the set leaves out, none. Returns their
 * number, at most 2. */
int featureset_board(const FeatureView *view, Piece piece, Square sq, uint32_t out[2]);

/* The input of the piece number `index` (from 0) of a type in the hand of `owner`. */
uint32_t featureset_hand(const FeatureView *view, Color owner, PieceType type, int index);

/* The input that is active once for each piece that is missing from the game. */
uint32_t featureset_missing(const FeatureView *view);

/* The number of pieces besides kings that are neither on the board nor in a hand, at least 0. */
int featureset_missing_count(const Position *pos);

#endif
