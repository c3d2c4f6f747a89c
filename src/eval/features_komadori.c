/* features_komadori.c: Komadori's own feature set, and that of its older networks. */
#include "eval/features.h"
#include "eval/threats.h"

static int threat_input(NnueView view, int number) {
    return threats_input(view, NNUE_PIECE_INPUTS + number);
}

const FeatureSet features_komadori = {
    .name = "komadori",
    .inputs = NNUE_INPUTS,
    .mirror = MIRROR_FILES_1_TO_4,
    .has_kings = true,
    .more_entries = 2 * NNUE_THREAT_SIDE,
    .find = threats_find,
    .change = threats_change,
    .distance = threats_distance,
    .input = threat_input,
};

const FeatureSet features_pieces = {
    .name = "pieces",
    .inputs = NNUE_PIECE_INPUTS,
    .mirror = MIRROR_FILES_1_TO_4,
    .has_kings = true,
};
