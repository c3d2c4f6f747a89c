/* samples.c: turns decoded games into samples, and removes duplicates. */
#include "tools/train/samples.h"

#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/xmem.h"
#include "eval/threats.h"
#include "tools/train/labels.h"
#include "tools/train/qleaf.h"

/* [is other side * 2 + is mirrored][input of black's unmirrored view]. */
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
            NnueView seen = {view < 2 ? BLACK : WHITE, view % 2 != 0};
            view_map[view][i] = (uint16_t)threats_input(seen, i);
        }
    }
}

const uint16_t *sample_map(const Sample *sample, Color side) {
    return view_map[(side == WHITE) * 2 + sample->is_mirrored[side]];
}

Sample sample_make(const Position *pos, int score, int result) {
    NnueInputs inputs;
    NnueView plain = {BLACK, false};
    features_list(pos, plain, &inputs);
    inputs.count = int_min(inputs.count, NNUE_MOST_PIECES);
    threats_add(pos, plain, &inputs);
    Sample sample = {.score = (int16_t)score,
                     .result = (int8_t)result,
                     .has_result = 1,
                     .count = (uint8_t)inputs.count,
                     .bucket = (uint8_t)nnue_bucket(pos, NNUE_MOST_BUCKETS),
                     .side = (uint8_t)pos->side};
    for (int i = 0; i < sample.count; i++) {
        int at = i;
        for (; at > 0 && sample.input[at - 1] > inputs.input[i]; at--) {
            sample.input[at] = sample.input[at - 1];
        }
        sample.input[at] = inputs.input[i];
    }
    for (int side = BLACK; side <= WHITE; side++) {
        sample.is_mirrored[side] = nnue_view(pos, (Color)side).is_mirrored;
    }
    return sample;
}

/* ---- from games to samples ------------------------------------------------------------------- */

static void set_add(SampleSet *set, const Sample *sample) {
    set->samples = xmem_grow(set->samples, &set->cap, set->count + 1, sizeof(Sample));
    set->samples[set->count++] = *sample;
}

/* A block that is being read. */
typedef struct BlockLoad {
    const LoadOptions *options;
    bool held_out;
    uint64_t game; /* number of the next one, over all files */
    Position pos;
    int16_t *labels; /* of the game's positions */
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
    Sample sample = sample_make(pos, score_there, label_result(game->winner, pos->side));
    sample.has_result = !game->is_unlike;
    sample.plies_left = (uint8_t)int_min(game->move_count - number, UINT8_MAX);
    set_add(load->set, &sample);
}

/* Adds the position, or its leaf, unless the mover is in check there. If the game did not go
 * towards the leaf, the label belongs to another line: such a position of a game is skipped, and
 * one that a search has evaluated, as it will again, is taken as it is. */
static void add_position(BlockLoad *load, const PackedGame *game, int number) {
    Position *pos = &load->pos;
    Color side = pos->side;
    Move first = MOVE_NONE;
    bool looks = load->options->has_leaves || load->options->skips_captures;
    int plies = looks ? qleaf_play(pos, &first) : 0;
    bool is_off_line =
        plies > 0 && (first != game->moves[number].move || load->options->skips_captures);
    if (!is_off_line) {
        add_sample(load, game, number, side);
    }
    for (; plies > 0; plies--) {
        pos_undo(pos);
    }
    if (is_off_line && !load->options->skips_captures && packed_game_is_leaf(game)) {
        add_sample(load, game, number, side);
    }
}

static void find_labels(BlockLoad *load, const PackedGame *game) {
    load->labels =
        xmem_grow(load->labels, &load->label_cap, (size_t)game->move_count, sizeof(int16_t));
    labels_find(game, load->options->scale, load->options->lookahead, load->labels);
}

static bool is_wanted(const BlockLoad *load, const PackedGame *game, int number) {
    int score = game->moves[number].score;
    return load->labels[number] != PACK_NO_SCORE && number >= load->options->skip_plies &&
           (abs(score) <= load->options->most_score || label_is_mate(score));
}

static bool add_game(void *context, const PackedGame *game) {
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
    find_labels(load, game);
    for (int i = 0; i < game->move_count; i++) {
        load->count->positions += game->moves[i].score != PACK_NO_SCORE;
        if (is_wanted(load, game, i)) {
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
    count->bad_blocks += !packed_decode_block(block, add_game, &load);
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

static bool same_position(const Sample *a, const Sample *b) {
    return a->side == b->side && memcmp(a->input, b->input, sizeof(a->input)) == 0;
}

void samples_drop_duplicates(SampleSet *set) {
    size_t slots = 1024;
    while (slots < set->count * 2) {
        slots *= 2;
    }
    uint32_t *places = xmem_calloc(slots, sizeof(uint32_t)); /* number of the sample, plus 1 */
    size_t kept = 0;
    for (size_t i = 0; i < set->count; i++) {
        const Sample *sample = &set->samples[i];
        uint64_t hash = checksum_fnv(CHECKSUM_FNV_START, sample->input, sizeof(sample->input));
        size_t at = (size_t)(hash ^ hash >> 29) % slots;
        while (places[at] != 0 && !same_position(&set->samples[places[at] - 1], sample)) {
            at = (at + 1) % slots;
        }
        if (places[at] == 0) {
            set->samples[kept++] = *sample;
            places[at] = (uint32_t)kept;
        }
    }
    set->count = kept;
    free(places);
}

void samples_free(SampleSet *set) {
    free(set->samples);
    *set = (SampleSet){.count = 0};
}
