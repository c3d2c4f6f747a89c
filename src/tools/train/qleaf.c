/* qleaf.c: a small alpha-beta search over captures that win material. */
#include "tools/train/qleaf.h"

#include <string.h>

#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/see.h"

enum { LEAF_MOST_PLIES = 6, FAR_AWAY = 1000000 };

/* The gain of taking a piece: its value on the board and in hand. */
static const int16_t gain[PIECE_TYPE_NB] = {0, 200, 700, 900,  1100, 1900, 2200, 1200,
                                            0, 700, 950, 1050, 1150, 2050, 2600};

typedef struct LeafLine {
    int len;
    Move moves[LEAF_MOST_PLIES];
} LeafLine;

/* The captures that win material, the largest prize first. */
static int list_captures(const Position *pos, Move *list) {
    int count = gen_moves(pos, GEN_CAPTURES, list), kept = 0;
    for (int i = 0; i < count; i++) {
        Move move = list[i];
        if (!pos_is_capture(pos, move) || !see_reaches(pos, move, 1, gain)) {
            continue;
        }
        int prize = gain[piece_type(pos_piece(pos, move_to(move)))];
        int at = kept++;
        for (; at > 0 && gain[piece_type(pos_piece(pos, move_to(list[at - 1])))] < prize; at--) {
            list[at] = list[at - 1];
        }
        list[at] = move;
    }
    return kept;
}

/* What the search is about: `score` is the material won so far by the side to move, alpha and beta
 * the bounds it is compared with. */
typedef struct LeafNode {
    int plies_left, score, alpha, beta;
} LeafNode;

static int search(Position *pos, LeafNode node, LeafLine *line) {
    line->len = 0;
    if (node.plies_left == 0 || pos_in_check(pos) || node.score >= node.beta) {
        return node.score;
    }
    int best = node.score;
    Move list[MAX_MOVES];
    int count = list_captures(pos, list);
    for (int i = 0; i < count && best < node.beta; i++) {
        int prize = gain[piece_type(pos_piece(pos, move_to(list[i])))];
        LeafNode next = {.plies_left = node.plies_left - 1,
                         .score = -node.score - prize,
                         .alpha = -node.beta,
                         .beta = -int_max(node.alpha, best)};
        LeafLine rest;
        pos_do(pos, list[i]);
        int score = -search(pos, next, &rest);
        pos_undo(pos);
        if (score > best) {
            best = score;
            line->len = rest.len + 1;
            line->moves[0] = list[i];
            memcpy(line->moves + 1, rest.moves, (size_t)rest.len * sizeof(Move));
        }
    }
    return best;
}

int qleaf_play(Position *pos, Move *first) {
    LeafNode root = {.plies_left = LEAF_MOST_PLIES, .alpha = -FAR_AWAY, .beta = FAR_AWAY};
    LeafLine line;
    search(pos, root, &line);
    *first = line.len > 0 ? line.moves[0] : MOVE_NONE;
    for (int i = 0; i < line.len; i++) {
        pos_do(pos, line.moves[i]);
    }
    return line.len;
}
