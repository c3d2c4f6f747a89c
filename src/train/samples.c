/* samples.c: labels the positions of decoded games, finds the quiet positions after their captures,
 * and makes samples of them. */
#include "train/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "eval/features.h"
#include "eval/threats.h"
#include "rules/movegen.h"
#include "rules/position.h"

/* Indexed by [is_other_side * 2 + is_mirrored][input of black's unmirrored view]. */
static uint16_t view_map[4][NNUE_INPUTS];

void samples_init(void) {
    for (int i = 0; i < NNUE_PIECE_INPUTS; i++) {
        int other = features_other_side(i);
        view_map[0][i] = (uint16_t)i;
        view_map[1][i] = (uint16_t)features_mirrored(i);
        view_map[2][i] = (uint16_t)other;
        view_map[3][i] = (uint16_t)features_mirrored(other);
    }
    for (int i = NNUE_PIECE_INPUTS; i < NNUE_INPUTS; i++) {
        for (int view = 0; view < 4; view++) {
            NnueView seen = {view < 2 ? BLACK : WHITE, view % 2 != 0, 0};
            view_map[view][i] = (uint16_t)threats_input(seen, i);
        }
    }
}

const uint16_t *sample_map(const Sample *sample, Color side) {
    return view_map[(side == WHITE) * 2 + sample->is_mirrored[side]];
}

Sample sample_make(const Position *pos, int score, int result) {
    NnueInputs inputs;
    const FeatureSet *set = features_own(true);
    features_list(set, pos, (NnueView){BLACK, false, 0}, &inputs);
    inputs.count = int_min(inputs.count, NNUE_MAX_ACTIVE);
    Sample sample = {.score = (int16_t)score,
                     .result = (int8_t)result,
                     .has_result = 1,
                     .count = (uint8_t)inputs.count,
                     .bucket = (uint8_t)nnue_bucket(pos, NNUE_MAX_BUCKETS),
                     .side = (uint8_t)pos->side};
    for (int i = 0; i < sample.count; i++) {
        int at = i;
        for (; at > 0 && sample.input[at - 1] > inputs.input[i]; at--) {
            sample.input[at] = sample.input[at - 1];
        }
        sample.input[at] = (uint16_t)inputs.input[i];
    }
    for (int side = BLACK; side <= WHITE; side++) {
        sample.is_mirrored[side] = features_view(set, pos, (Color)side).is_mirrored;
    }
    return sample;
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* Scores beyond this are mates, or wins by a rule of the game. */
enum { MAX_LABEL = 20000 };

/* Centipawns per unit of the sigmoid, used until the scale is fitted to the games. */
#define USUAL_SCALE 1400.0

/* The highest winning chance of a label, which corresponds to a score of 6.2 units. */
#define MAX_CHANCE 0.998

/* True for a mate score. */
static bool is_mate_label(int score) {
    return score != PACK_NO_SCORE && abs(score) > MAX_LABEL;
}

/* The result for `side`: 1 won, 0 drawn, -1 lost. */
static int result_for(KmdWinner winner, Color side) {
    if (winner == KMD_WINNER_DRAW) {
        return 0;
    }
    return (winner == KMD_WINNER_BLACK) == (side == BLACK) ? 1 : -1;
}

/* The score that stands for a winning chance, limited to what a label can hold. */
static int16_t score_of_chance(double chance, double scale) {
    double held = fmin(fmax(chance, 1 - MAX_CHANCE), MAX_CHANCE);
    int score = (int)lround(scale * log(held / (1 - held)));
    return (int16_t)int_clamp(score, -INT16_MAX, INT16_MAX);
}

void samples_find_labels(const PackedGame *game, double scale, double lookahead, int16_t *labels) {
    double unit = scale > 0 ? scale : USUAL_SCALE;
    Color last_side = game->move_count % 2 == 0 ? game->start.side : color_flip(game->start.side);
    double share = packed_game_is_unequal(game) ? 0 : lookahead;
    bool has_next = game->winner != KMD_WINNER_NONE && game->reason != PACK_ADJUDICATED &&
                    game->reason != PACK_UNKNOWN && game->reason != PACK_NO_MOVE;
    double next = 0.5 + 0.5 * result_for(game->winner, last_side);
    for (int i = game->move_count - 1; i >= 0; i--) {
        int score = game->moves[i].score;
        labels[i] = PACK_NO_SCORE;
        if (score == PACK_NO_SCORE) {
            has_next = false;
            continue;
        }
        double chance = 1 / (1 + exp(-score / unit));
        bool is_mixed = has_next && share > 0 && !is_mate_label(score);
        if (is_mixed) {
            chance += share * (1 - next - chance);
        }
        labels[i] =
            is_mixed || is_mate_label(score) ? score_of_chance(chance, unit) : (int16_t)score;
        next = chance;
        has_next = true;
    }
}

/* ---- quiet positions ------------------------------------------------------------------------- */

/* A label really belongs to the position at the end of the search's line, and a network cannot
 * calculate exchanges. Each position is therefore replaced by the one at the end of the line that a
 * small alpha-beta search over winning captures finds (as tanuki- did, 2017). */

enum { CAPTURE_MAX_PLIES = 6, FAR_AWAY = 1000000 };

/* The gain from capturing a piece: its value on the board plus its value in hand. */
static const int16_t gain[PIECE_TYPE_NB] = {0, 200, 700, 900,  1100, 1900, 2200, 1200,
                                            0, 700, 950, 1050, 1150, 2050, 2600};

typedef struct CaptureLine {
    int len;
    Move moves[CAPTURE_MAX_PLIES];
} CaptureLine;

/* Lists the captures that win material, the most valuable victim first. */
static int list_captures(const Position *pos, Move *list) {
    int count = gen_moves(pos, GEN_CAPTURES, list), kept = 0;
    for (int i = 0; i < count; i++) {
        Move move = list[i];
        if (!pos_is_capture(pos, move) || !pos_see_reaches(pos, move, 1, gain)) {
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

/* A node of the capture search: `score` is the material that the side to move has won so far; alpha
 * and beta are the bounds. */
typedef struct CaptureNode {
    int plies_left, score, alpha, beta;
} CaptureNode;

static int search_captures(Position *pos, CaptureNode node, CaptureLine *line) {
    line->len = 0;
    if (node.plies_left == 0 || pos_in_check(pos) || node.score >= node.beta) {
        return node.score;
    }
    int best = node.score;
    Move list[MAX_MOVES];
    int count = list_captures(pos, list);
    for (int i = 0; i < count && best < node.beta; i++) {
        int prize = gain[piece_type(pos_piece(pos, move_to(list[i])))];
        CaptureNode next = {.plies_left = node.plies_left - 1,
                            .score = -node.score - prize,
                            .alpha = -node.beta,
                            .beta = -int_max(node.alpha, best)};
        CaptureLine rest;
        pos_do(pos, list[i]);
        int score = -search_captures(pos, next, &rest);
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

/* Plays the best line of captures and returns its length; *first is its first move, or MOVE_NONE if
 * the line is empty. Plays no moves in check. The caller must take the moves back. */
static int play_captures(Position *pos, Move *first) {
    CaptureNode root = {.plies_left = CAPTURE_MAX_PLIES, .alpha = -FAR_AWAY, .beta = FAR_AWAY};
    CaptureLine line;
    search_captures(pos, root, &line);
    *first = line.len > 0 ? line.moves[0] : MOVE_NONE;
    for (int i = 0; i < line.len; i++) {
        pos_do(pos, line.moves[i]);
    }
    return line.len;
}

/* ---- from games to samples ------------------------------------------------------------------- */

/* The state while a block is read. */
typedef struct BlockLoad {
    const LoadOptions *options;
    bool held_out;
    uint64_t game; /* number of the next game in its file */
    Position pos;
    int16_t *labels; /* labels of the game's positions */
    size_t label_cap;
    SampleSet *set;
    LoadCount *count;
} BlockLoad;

static void add_sample(BlockLoad *load, const PackedGame *game, int number, Color side) {
    const Position *pos = &load->pos;
    if (pos_in_check(pos)) {
        return;
    }
    int score = load->labels[number];
    int score_there = pos->side == side ? score : -score;
    Sample sample = sample_make(pos, score_there, result_for(game->winner, pos->side));
    sample.has_result = !packed_game_is_unequal(game);
    SampleSet *set = load->set;
    set->samples = xmem_grow(set->samples, &set->cap, set->count + 1, sizeof(Sample));
    set->samples[set->count++] = sample;
}

/* Adds the position after the line of captures, unless the mover is in check there. If the labelled
 * move does not start that line, the label belongs to another line. A position of a game is then
 * skipped. A position of a search tree, or one whose move is not known, is added unchanged, because
 * searches evaluate such positions. */
static void add_position(BlockLoad *load, const PackedGame *game, int number) {
    Position *pos = &load->pos;
    Color side = pos->side;
    Move first = MOVE_NONE;
    int plies = play_captures(pos, &first);
    bool is_off_line =
        plies > 0 && (first != game->moves[number].move || game->reason == PACK_NO_MOVE);
    if (!is_off_line) {
        add_sample(load, game, number, side);
    }
    for (; plies > 0; plies--) {
        pos_undo(pos);
    }
    if (is_off_line && packed_game_is_leaf(game)) {
        add_sample(load, game, number, side);
    }
}

static bool add_game_samples(void *context, const PackedGame *game) {
    BlockLoad *load = context;
    uint64_t number = load->game++;
    uint64_t share = (uint64_t)load->options->held_out;
    bool is_held_out = share > 0 && number % share == 0;
    if (is_held_out != load->held_out) {
        return true;
    }
    load->count->games++;
    if (game->winner == KMD_WINNER_NONE) {
        return true;
    }
    pos_set(&load->pos, &game->start);
    load->labels =
        xmem_grow(load->labels, &load->label_cap, (size_t)game->move_count, sizeof(int16_t));
    samples_find_labels(game, load->options->scale, load->options->lookahead, load->labels);
    for (int i = 0; i < game->move_count; i++) {
        load->count->positions += game->moves[i].score != PACK_NO_SCORE;
        if (load->labels[i] != PACK_NO_SCORE) {
            add_position(load, game, i);
        }
        pos_do(&load->pos, game->moves[i].move);
    }
    return true;
}

void samples_add_block(const PackBlock *block, uint64_t first_game, const LoadOptions *options,
                       bool held_out, SampleSet *set, LoadCount *count) {
    BlockLoad load = {
        .options = options, .held_out = held_out, .game = first_game, .set = set, .count = count};
    pos_init(&load.pos);
    count->bad_blocks += !packed_decode_block(block, add_game_samples, &load);
    pos_free(&load.pos);
    free(load.labels);
}

/* ---- sets ------------------------------------------------------------------------------------ */

void samples_append(SampleSet *to, SampleSet *from) {
    if (from->count > 0) {
        to->samples = xmem_grow(to->samples, &to->cap, to->count + from->count, sizeof(Sample));
        memcpy(to->samples + to->count, from->samples, from->count * sizeof(Sample));
        to->count += from->count;
    }
    samples_free(from);
}

void samples_free(SampleSet *set) {
    free(set->samples);
    *set = (SampleSet){.count = 0};
}

/* ---- the scale of scores --------------------------------------------------------------------- */

/* Scores are collected in bins, so that a trial costs the same for any number of samples. */
enum { BIN_WIDTH = 16, BINS = 2 * 20000 / BIN_WIDTH + 1 };

typedef struct WinHistogram {
    double count[BINS], won[BINS];
} WinHistogram;

static double negative_log_likelihood(const WinHistogram *wins, double scale) {
    double total = 0;
    for (int i = 0; i < BINS; i++) {
        double x = (i - BINS / 2) * BIN_WIDTH / scale;
        /* log(1 + exp(-x)) without overflow. */
        double lost = fmax(-x, 0) + log1p(exp(-fabs(x)));
        total += wins->won[i] * lost + (wins->count[i] - wins->won[i]) * (lost + x);
    }
    return total;
}

double samples_fit_scale(const SampleSet *set) {
    static const double golden = 0.6180339887498949;
    WinHistogram wins = {.count = {0}};
    for (size_t i = 0; i < set->count; i++) {
        const Sample *sample = &set->samples[i];
        int bin = (sample->score + BIN_WIDTH * BINS / 2) / BIN_WIDTH;
        bin = int_clamp(bin, 0, BINS - 1);
        wins.count[bin] += sample->has_result;
        wins.won[bin] += sample->has_result * (0.5 + 0.5 * sample->result);
    }
    double low = SAMPLES_MIN_SCALE, high = SAMPLES_MAX_SCALE;
    while (set->count > 0 && high - low > 0.5) {
        double left = high - (high - low) * golden;
        double right = low + (high - low) * golden;
        if (negative_log_likelihood(&wins, left) < negative_log_likelihood(&wins, right)) {
            high = right;
        } else {
            low = left;
        }
    }
    return set->count > 0 ? (low + high) / 2 : 400;
}

bool samples_scale_is_at_bound(double scale) {
    return scale < SAMPLES_MIN_SCALE + 1 || scale > SAMPLES_MAX_SCALE - 1;
}
