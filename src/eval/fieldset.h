/* fieldset.h: the feature sets of the field's networks, one row of a table each.
 *
 * All of them are built from piece numbers: a number says which piece stands where, or is in which
 * hand, in the view of one side. An input is a piece number, in most sets combined with the square
 * of the view's own king. A view is the board from one side: white's is turned by 180 degrees and
 * the colours are exchanged. In mirrored sets a king on files 6 to 9 also mirrors the files.
 *
 * To add a set, add a row to the table in fieldset.c; a set that depends on more than pieces,
 * squares and the own king gets a function that sorts the pieces into classes. Constant tables:
 * safe from every thread. */
#ifndef KMD_EVAL_FIELDSET_H
#define KMD_EVAL_FIELDSET_H

#include "rules/position.h"

enum {
    FIELD_PLACES = 1548,     /* piece numbers without kings */
    FIELD_OWN_KING = 1548,   /* number of the own king on square 0 */
    FIELD_OTHER_KING = 1629, /* the same for the other king, if kings have planes of their own */
    FIELD_MAX_PIECES = 38,   /* pieces of a full set without kings */
    FIELD_NONE = UINT16_MAX  /* no input */
};

typedef struct FieldSet {
    const char *name;  /* as in the names of builds, e.g. "halfkp" */
    const char *title; /* as in the headers of files */
    int inputs;
    int per_king;      /* inputs for each square of the own king; 0: the king does not matter */
    bool is_mirrored;  /* a king on files 6 to 9 mirrors the files */
    bool has_kings;    /* kings have piece numbers, too */
    bool merges_kings; /* both kings share a plane */
    int king_planes;   /* inputs of the own king's square, then of the other's; 0: none */
    int per_class;     /* inputs for each class of a piece */
    /* Writes the class of each piece in black's view (0 for empty squares); NULL: one class. */
    void (*classify)(const Position *pos, uint8_t classes[SQ_NB]);
    /* Converts a class of black's view to white's. */
    uint8_t (*turn_class)(uint8_t of_black);
    uint32_t hash; /* in the headers of files */
} FieldSet;

/* The set with this index; NULL after the last. */
const FieldSet *fieldset_at(int index);

/* The square in a view. */
static inline Square fieldset_turn(Color view, Square sq) {
    return view == BLACK ? sq : (Square)(SQ_NB - 1 - sq);
}

static inline Square fieldset_mirror(Square sq) {
    return (Square)((8 - sq / 9) * 9 + sq % 9);
}

/* The piece number of a piece on the board. `sq` is the square in the view, after mirroring. */
int fieldset_number(const FieldSet *set, PieceType type, bool is_own, Square sq);

/* The number of the first piece of a type in hand. Further pieces have the numbers after it. */
int fieldset_hand(PieceType type, bool is_own);

#endif
