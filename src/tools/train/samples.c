#include "tools/train/samples.h"

#include <stdlib.h>
#include <string.h>

#include "base/fileio.h"
#include "base/parallel.h"
#include "base/xmem.h"
#include "eval/features.h"
#include "tools/train/labels.h"
#include "tools/train/qleaf.h"

/* [is other side * 2 + is mirrored][input of black's unmirrored view]; the padding stays itself. */
static uint16_t view_map[4][NNUE_INPUTS + 1];

void samples_init(void) {
    for (int i = 0; i < NNUE_INPUTS; i++) {
        int other = nnue_input_other_side(i);
        view_map[0][i] = (uint16_t)i;
        view_map[1][i] = (uint16_t)nnue_input_mirrored(i);
        view_map[2][i] = (uint16_t)other;
        view_map[3][i] = (uint16_t)nnue_input_mirrored(other);
    }
    for (int i = 0; i < 4; i++) {
        view_map[i][SAMPLE_PADDING] = SAMPLE_PADDING;
    }
}

Sample sample_make(const Position *pos, int score, int result) {
    NnueInputs inputs;
    nnue_list_inputs(pos, (NnueView){BLACK, false}, &inputs);
    Sample sample = {.score = (int16_t)score,
                     .result = (int8_t)result,
                     .bucket = (uint8_t)nnue_bucket(pos, NNUE_MOST_BUCKETS),
                     .side = (uint8_t)pos->side};
    for (int i = 0; i < NNUE_MOST_ACTIVE; i++) {
        sample.input[i] = i < inputs.count ? inputs.input[i] : (uint16_t)SAMPLE_PADDING;
    }
    for (int side = BLACK; side <= WHITE; side++) {
        sample.is_mirrored[side] = nnue_view(pos, (Color)side).is_mirrored;
    }
    return sample;
}

void sample_expand(const Sample *sample, uint16_t mover[NNUE_MOST_ACTIVE],
                   uint16_t other[NNUE_MOST_ACTIVE]) {
    const uint16_t *black_map = view_map[sample->is_mirrored[BLACK]];
    const uint16_t *white_map = view_map[2 + sample->is_mirrored[WHITE]];
    uint16_t *black = sample->side == BLACK ? mover : other;
    uint16_t *white = sample->side == BLACK ? other : mover;
    for (int i = 0; i < NNUE_MOST_ACTIVE; i++) {
        black[i] = black_map[sample->input[i]];
        white[i] = white_map[sample->input[i]];
    }
}

/* ---- from games to samples ------------------------------------------------------------------- */

static void set_add(SampleSet *set, const Sample *sample) {
    if (set->count == set->cap) {
        set->samples = xmem_grow(set->samples, &set->cap, set->count + 1, sizeof(Sample));
    }
    set->samples[set->count++] = *sample;
}

/* One block and what became of it. */
typedef struct BlockLoad {
    PackBlock block;
    const LoadOptions *options;
    Position pos;
    uint64_t game;   /* number of the next one, over all files */
    int16_t *labels; /* of the game's positions */
    size_t label_cap;
    SampleData data;
} BlockLoad;

/* Adds the position, or its leaf, unless the mover is in check there. Nor where the game did not go
 * towards the leaf: then the label belongs to the end of another line. */
static void add_position(BlockLoad *load, SampleSet *set, const PackedGame *game, int number) {
    Position *pos = &load->pos;
    Color side = pos->side;
    int score = load->labels[number];
    Move first = MOVE_NONE;
    int plies = load->options->has_leaves ? qleaf_play(pos, &first) : 0;
    bool is_off_line = plies > 0 && first != game->moves[number].move;
    if (!pos_in_check(pos) && !is_off_line) {
        int score_there = pos->side == side ? score : -score;
        Sample sample = sample_make(pos, score_there, label_result(game->winner, pos->side));
        set_add(set, &sample);
    }
    for (; plies > 0; plies--) {
        pos_undo(pos);
    }
}

static void find_labels(BlockLoad *load, const PackedGame *game) {
    size_t count = (size_t)game->move_count;
    if (load->label_cap < count) {
        load->labels = xmem_grow(load->labels, &load->label_cap, count, sizeof(int16_t));
    }
    labels_find(game, load->options->lookahead, load->labels);
}

static bool add_game(void *context, const PackedGame *game) {
    BlockLoad *load = context;
    uint64_t number = load->game++;
    uint64_t share = (uint64_t)load->options->held_out;
    bool is_held_out = share > 0 && number % share == 0;
    SampleSet *set = is_held_out ? &load->data.held_out : &load->data.train;
    load->data.games++;
    if (game->winner == KMD_WINNER_NONE) {
        return true;
    }
    pos_set(&load->pos, &game->start);
    find_labels(load, game);
    for (int i = 0; i < game->move_count; i++) {
        load->data.positions += game->moves[i].score != PACK_NO_SCORE;
        if (load->labels[i] != PACK_NO_SCORE) {
            add_position(load, set, game, i);
        }
        pos_do(&load->pos, game->moves[i].move);
    }
    return true;
}

/* The blocks of a file, shared out among threads. */
typedef struct FileLoad {
    BlockLoad *blocks;
    size_t count;
    size_t cap;
    int threads;
} FileLoad;

static void load_blocks(void *context, int index) {
    FileLoad *file = context;
    for (size_t i = (size_t)index; i < file->count; i += (size_t)file->threads) {
        BlockLoad *load = &file->blocks[i];
        pos_init(&load->pos);
        load->data.bad_blocks += !pack_decode_block(&load->block, add_game, load);
        pos_free(&load->pos);
        free(load->labels);
    }
}

static void set_append(SampleSet *to, SampleSet *from) {
    if (from->count > 0) {
        to->samples = xmem_grow(to->samples, &to->cap, to->count + from->count, sizeof(Sample));
        memcpy(to->samples + to->count, from->samples, from->count * sizeof(Sample));
        to->count += from->count;
    }
    free(from->samples);
}

static void collect(SampleData *data, FileLoad *file) {
    for (size_t i = 0; i < file->count; i++) {
        SampleData *part = &file->blocks[i].data;
        set_append(&data->train, &part->train);
        set_append(&data->held_out, &part->held_out);
        data->games += part->games;
        data->positions += part->positions;
        data->bad_blocks += part->bad_blocks;
    }
}

bool samples_load(SampleData *data, const char *path, const LoadOptions *options,
                  const char **why) {
    FileMap map;
    int error = file_map(path, &map);
    if (error != 0) {
        *why = file_error_text(error);
        return false;
    }
    PackReader reader;
    bool has_games = pack_read_begin(&reader, map.data, map.len);
    FileLoad file = {.threads = options->threads};
    uint64_t games = data->games;
    PackBlock block;
    while (has_games && pack_read_block(&reader, &block)) {
        file.blocks = xmem_grow(file.blocks, &file.cap, file.count + 1, sizeof(BlockLoad));
        file.blocks[file.count] = (BlockLoad){.block = block, .options = options, .game = games};
        games += block.games;
        file.count++;
    }
    if (file.count > 0) {
        parallel_run(options->threads, load_blocks, &file);
    }
    collect(data, &file);
    data->damaged_bytes += reader.damaged_bytes;
    *why = pack_refusal(&reader);
    free(file.blocks);
    file_unmap(&map);
    return has_games;
}

void samples_free(SampleData *data) {
    free(data->train.samples);
    free(data->held_out.samples);
    *data = (SampleData){.games = 0};
}
