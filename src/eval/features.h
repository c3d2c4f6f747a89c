/* features.h: the feature sets of networks: which inputs are active in a position, as seen by each
 * side.
 *
 * A view is the board from one side: white's is turned by 180 degrees and the colours are
 * exchanged. Most sets are built from piece numbers, which say which piece stands where or is in
 * which hand. Three things can be added to them:
 *
 *   the own king   per_king inputs for each square of the view's own king; the king may also mirror
 *                  the files
 *   places         an entry for each square that depends on more than one piece, such as attacks: a
 *                  function finds them
 *   more           other inputs of this kind: functions find them and what differs between two
 *                  positions
 *
 * To add a set, add a file that defines it (features_halfkpe9.c is an example) and a row in
 * features.def. Constant tables: safe from every thread.
 *
 * Komadori's own set mirrors a view if its king would be on files 1 to 4. Its piece numbers:
 *
 *   0 .. 2267     (is_enemy * 14 + type - 1) * 81 + square in this view
 *   2268 .. 2343  2268 + is_enemy * 38 + first number of the type + index in hand from 0
 *
 * The foreign sets share the piece numbers of YaneuraOu. In all sets two pawns in hand
 * activate the numbers of the first and of the second pawn (thermometer code). */
#ifndef KMD_EVAL_FEATURES_H
#define KMD_EVAL_FEATURES_H

#include "eval/snapshot.h"

enum {
    FOREIGN_PIECES = 1548,  /* piece numbers of foreign networks without kings */
    FEATURE_NONE = 1 << 15, /* marks a piece that has no input; no piece number has this bit */
    FEATURE_HOME = 44       /* stands for the square of a missing king */
};

/* A list of active inputs. The list has room for the inputs of all squares and hands, even in
 * positions that no real set can form, for missing pieces, and for the inputs of places. */
typedef struct NnueInputs {
    int count;
    uint32_t input[SQ_NB + 2 * NNUE_HAND_SIDE + NNUE_MAX_PIECES + SQ_NB + 2];
} NnueInputs;

/* Which squares of the own king, in its view, mirror the files. */
typedef enum FeatureMirror { MIRROR_NEVER, MIRROR_FILES_1_TO_4, MIRROR_FILES_6_TO_9 } FeatureMirror;

typedef struct FeatureSet {
    const char *name;  /* as in the names of builds, e.g. "halfkp" */
    const char *title; /* as in the headers of files; NULL: one of Komadori's own sets */
    int inputs;
    int per_king; /* 0: the own king's square does not matter */
    FeatureMirror mirror;
    bool has_kings;    /* kings have piece numbers, too */
    bool merges_kings; /* both kings have the numbers of the own king */
    int king_planes;   /* the first of further inputs of the own king's square; those of the other's
                          follow; 0: none */

    /* Inputs that depend on more than one piece are entries from ENTRY_MORE on. Each square has at
     * most one of them, or the set keeps them in the snapshot in its own way (the last three). */
    int more_entries;                        /* 0: none */
    int (*input)(NnueView view, int number); /* of entry ENTRY_MORE + number, without the base */
    void (*find_places)(const Position *pos, Places *out); /* `out` is empty */
    bool has_places_only; /* pieces on the board have no inputs besides these */
    void (*find)(const Position *pos, Snapshot *out);
    void (*change)(const Snapshot *before, const Snapshot *now, Bitboard moved,
                   NnueChanges *changes);
    int (*distance)(const Snapshot *before, const Snapshot *now); /* changes, nearly */
} FeatureSet;

/* The sets. */
#define FEATURE_SET(name) extern const FeatureSet name;
#include "eval/features.def"
#undef FEATURE_SET

/* The set with this index; NULL after the last. */
const FeatureSet *features_at(int index);

/* The set with this name, which must exist. */
const FeatureSet *features_named(const char *name);

/* Komadori's own set with threats, and that of older networks, without them. */
const FeatureSet *features_own(bool has_threats);

/* The entry (snapshot.h) of the piece on a square or, with SQ_NONE, of piece number `index` (from
 * 0) in hand. */
int features_entry(const FeatureSet *set, const Position *pos, Piece piece, Square sq, int index);

/* Finds the inputs of an entry in a view, without the base. Returns their number, 0 to 2. */
int features_inputs(const FeatureSet *set, NnueView view, int entry, int inputs[2]);

/* True for Komadori's own sets. */
static inline bool features_is_own(const FeatureSet *set) {
    return set->title == NULL;
}

/* True if the set counts pieces that are missing from the game: each has the input of number 0. */
static inline bool features_counts_missing(const FeatureSet *set) {
    return !features_is_own(set);
}

/* The square of a view's own king in the view. */
static inline Square features_king(const Position *pos, Color side) {
    Square king = pos->king[side];
    return king == SQ_NONE ? (Square)FEATURE_HOME : side == BLACK ? king : sq_turn(king);
}

static inline Square features_mirror(Square sq) {
    return sq + 72 - 18 * sq_file(sq);
}

static inline NnueView features_view(const FeatureSet *set, const Position *pos, Color side) {
    Square king = features_king(pos, side);
    bool is_mirrored = (set->mirror == MIRROR_FILES_1_TO_4 && king < 36) ||
                       (set->mirror == MIRROR_FILES_6_TO_9 && king >= 45);
    return (NnueView){side, is_mirrored,
                      set->per_king * (is_mirrored ? features_mirror(king) : king)};
}

/* The number in foreign networks of a piece on square 0, or of the first piece of a type in hand.
 * Golds and what moves like them share their numbers. */
int features_foreign_board(bool is_own, PieceType type);
int features_foreign_hand(bool is_own, PieceType type);

/* The number of pieces, kings apart, that are neither on the board nor in a hand. */
int features_missing(const Position *pos);

/* The input of Komadori's own sets for the same piece in the other side's unmirrored view, and with
 * left and right exchanged. */
int features_other_side(int input);
int features_mirrored(int input);

/* Fills in a snapshot. `missing` is the result of features_missing, or 0 for a set that does not
 * count missing pieces. */
void features_snapshot(const FeatureSet *set, const Position *pos, int missing, Snapshot *out);

/* Estimates how many changes there are between two positions. */
int features_distance(const FeatureSet *set, const Snapshot *before, const Snapshot *now);

/* Lists what differs between two positions. */
void features_change(const FeatureSet *set, const Snapshot *before, const Snapshot *now,
                     NnueChanges *changes);

/* Appends what the move that led to this state changed. The set must not have more entries. */
void features_change_move(const State *state, NnueChanges *changes);

/* Lists all active inputs: pieces on the board in the order of squares, pieces in hand, then what
 * else the set has. */
void features_list(const FeatureSet *set, const Position *pos, NnueView view, NnueInputs *out);

#endif
