/* features_foreign.c: the feature sets of foreign networks whose inputs depend on one piece and the
 * own king. */
#include "eval/features.h"

const FeatureSet features_kp = {.name = "kp", .title = "K+P", .inputs = 1710, .has_kings = true};

const FeatureSet features_ka2 = {.name = "ka2",
                                 .title = "K+A2",
                                 .inputs = 1791,
                                 .has_kings = true,
                                 .merges_kings = true,
                                 .king_planes = 1629};

const FeatureSet features_halfkp = {
    .name = "halfkp", .title = "HalfKP(Friend)", .inputs = 125388, .per_king = 1548};

const FeatureSet features_halfkpvm = {.name = "halfkpvm",
                                      .title = "HalfKP_vm(Friend)",
                                      .inputs = 69660,
                                      .per_king = 1548,
                                      .mirror = MIRROR_FILES_6_TO_9};

const FeatureSet features_halfka1 = {.name = "halfka1",
                                     .title = "HalfKA1(Friend)",
                                     .inputs = 138510,
                                     .per_king = 1710,
                                     .has_kings = true};

const FeatureSet features_halfkahm1 = {.name = "halfkahm1",
                                       .title = "HalfKA_hm1(Friend)",
                                       .inputs = 76950,
                                       .per_king = 1710,
                                       .mirror = MIRROR_FILES_6_TO_9,
                                       .has_kings = true};

const FeatureSet features_halfka2 = {.name = "halfka2",
                                     .title = "HalfKA2(Friend)",
                                     .inputs = 131949,
                                     .per_king = 1629,
                                     .has_kings = true,
                                     .merges_kings = true};

const FeatureSet features_halfkahm2 = {.name = "halfkahm2",
                                       .title = "HalfKA_hm2(Friend)",
                                       .inputs = 73305,
                                       .per_king = 1629,
                                       .mirror = MIRROR_FILES_6_TO_9,
                                       .has_kings = true,
                                       .merges_kings = true};
