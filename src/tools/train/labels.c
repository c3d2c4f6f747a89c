/* labels.c: goes back through a game and mixes each score with the label of the next position. */
#include "tools/train/labels.h"

#include <math.h>
#include <stdlib.h>

/* Scores beyond this are mates, or wins that a rule gives. */
enum { MOST_LABEL = 20000 };

/* Centipawns per unit of the sigmoid while the scale is still to be fitted to the games. */
#define USUAL_SCALE 1400.0

/* No chance becomes greater than this: that of a score of 6.2 units. */
#define MOST_CHANCE 0.998

bool label_is_mate(int score) {
    return score != PACK_NO_SCORE && abs(score) > MOST_LABEL;
}

int label_result(KmdWinner winner, Color side) {
    if (winner == KMD_WINNER_DRAW) {
        return 0;
    }
    return (winner == KMD_WINNER_BLACK) == (side == BLACK) ? 1 : -1;
}

static double chance_of(int score, double scale) {
    return 1 / (1 + exp(-score / scale));
}

static int score_of(double chance, double scale) {
    double held = fmin(fmax(chance, 1 - MOST_CHANCE), MOST_CHANCE);
    return (int)lround(scale * log(held / (1 - held)));
}

static bool is_played_out(const PackedGame *game) {
    return game->winner != KMD_WINNER_NONE && game->reason != PACK_ADJUDICATED &&
           game->reason != PACK_UNKNOWN;
}

void labels_find(const PackedGame *game, double scale, double lookahead, int16_t *labels) {
    double unit = scale > 0 ? scale : USUAL_SCALE;
    Color last_side = game->move_count % 2 == 0 ? game->start.side : color_flip(game->start.side);
    double share = game->is_unlike ? 0 : lookahead;
    bool has_next = is_played_out(game);
    double next = 0.5 + 0.5 * label_result(game->winner, last_side);
    for (int i = game->move_count - 1; i >= 0; i--) {
        int score = game->moves[i].score;
        labels[i] = PACK_NO_SCORE;
        if (score == PACK_NO_SCORE) {
            has_next = false;
            continue;
        }
        double chance = chance_of(score, unit);
        bool is_mixed = has_next && share > 0 && !label_is_mate(score);
        if (is_mixed) {
            chance += share * (1 - next - chance);
        }
        labels[i] = (int16_t)(is_mixed || label_is_mate(score) ? score_of(chance, unit) : score);
        next = chance;
        has_next = true;
    }
}
