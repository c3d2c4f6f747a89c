/* foreignshape.c: tries the shapes that foreign networks can have, and takes the one that the
 * sizes allow and the words support best. */
#include "eval/foreignshape.h"

#include <string.h>

#include "base/base.h"
#include "eval/layers.h"

enum {
    STEP = 32,              /* the number of sums per view is a multiple of this */
    MAX_FILE_STACKS = 16,   /* of the networks whose progress is in a file */
    MAX_STACKS = 1024 * 841 /* of the parts of a selection, without progress */
};

/* How well a shape fits: sizes that the words name count more than all others, and sizes that most
 * networks have more than those that few have. Other sizes must be named. */
enum { POINTS_RARE = 1, POINTS_USUAL = 2, POINTS_SET = 4, POINTS_NAMED = 8 };

/* The best of several possibilities. */
typedef struct Best {
    int points; /* 0: none */
    bool is_tied;
} Best;

/* True if a possibility with this many points is better than all before. */
static bool improves(Best *best, int points) {
    bool is_better = points > best->points;
    best->is_tied = is_better ? false : best->is_tied || (points == best->points && points > 0);
    best->points = int_max(best->points, points);
    return is_better;
}

static NetError best_result(const Best *best) {
    return best->points == 0 ? NET_BAD_SHAPE : best->is_tied ? NET_AMBIGUOUS : NET_OK;
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_ascii_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* True if the text contains the words as a whole, whatever the case: "k9k9" is not in "k9k9z", "32"
 * not in "132". Words that end in another character than a letter or a digit may be followed by
 * anything. */
static bool has_words(StrView text, StrView words) {
    char first = words.ptr[0], last = words.ptr[words.len - 1];
    for (size_t i = 0; i + words.len <= text.len; i++) {
        StrView rest = sv_skip(text, i + words.len);
        char before = i > 0 ? text.ptr[i - 1] : '\0', after = rest.len > 0 ? rest.ptr[0] : '\0';
        bool is_part = (str_is_digit(first) && str_is_digit(before)) ||
                       (str_is_digit(last) && (str_is_digit(after) || is_ascii_letter(after))) ||
                       (is_ascii_letter(last) && is_ascii_letter(after));
        if (!is_part && sv_equal_nocase(sv_prefix(sv_skip(text, i), words.len), words)) {
            return true;
        }
    }
    return false;
}

/* True if the header's text or the file's name contains the words. */
static bool says(const ForeignFile *file, const char *words) {
    return has_words(file->text, sv_from(words)) || has_words(file->name, sv_from(words));
}

/* The same for words that are formatted as by printf from up to three numbers. */
static bool says_numbers(const ForeignFile *file, const char *format, int a, int b, int c) {
    StrBuf words = STRBUF_INIT;
    strbuf_addf(&words, format, a, b, c);
    bool is_said = says(file, words.ptr);
    strbuf_free(&words);
    return is_said;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static size_t padded(int count) {
    return (size_t)(count + 31) / 32 * 32;
}

size_t foreignshape_layer(int inputs, int outputs) {
    return (size_t)outputs * (4 + padded(inputs));
}

/* The bytes of a stack of layers without its hash. */
static size_t stack_bytes(int inputs, int first, int second_inputs, int second) {
    return foreignshape_layer(inputs, first) + foreignshape_layer(second_inputs, second) +
           foreignshape_layer(second, 1);
}

/* ---- plain networks -------------------------------------------------------------------------- */

/* True if most networks have layers of these sizes. */
static bool is_usual(int first, int second) {
    return (first == 8 || first == 16 || first == 32) &&
           (second == 32 || second == 64 || second == 96);
}

/* How well a plain shape fits the words; 0: it is neither named nor known. */
static int plain_points(const ForeignFile *file, const FeatureSet *set, int sums, int first,
                        int second) {
    static const uint8_t is_known[LAYERS_MAX_OUTPUTS + 1] = {
        [8] = 1, [16] = 1, [24] = 1, [32] = 1, [48] = 1, [64] = 1, [96] = 1, [128] = 1};
    bool is_named = says_numbers(file, "%dx2-%d-%d", sums, first, second) ||
                    (says_numbers(file, "[%d<-%d]", first, 2 * sums, 0) &&
                     says_numbers(file, "[%d<-%d]", second, first, 0));
    int points = is_named                              ? POINTS_NAMED
                 : is_usual(first, second)             ? POINTS_USUAL
                 : is_known[first] && is_known[second] ? POINTS_RARE
                                                       : 0;
    return points > 0 && has_words(file->text, sv_from(set->title)) ? points + POINTS_SET : points;
}

/* The outputs of the second layer, if these bytes are both hashes, the biases of the first layer,
 * and the layers after it; 0 if they are not. */
static int second_of(size_t bytes, int first) {
    size_t each = 4 + padded(first), others = 8 + 4 * (size_t)first + 4;
    for (int width = 32; width <= LAYERS_MAX_OUTPUTS; width += 32) { /* of the output's weights */
        size_t left = bytes - others - (size_t)width;
        if (bytes > others + (size_t)width && left % each == 0 && left / each <= (size_t)width &&
            padded((int)(left / each)) == (size_t)width) {
            return (int)(left / each);
        }
    }
    return 0;
}

NetError foreignshape_plain(const ForeignFile *file, size_t bytes, NnueNet *net) {
    const size_t most_others =
        8 + stack_bytes(0, LAYERS_MAX_OUTPUTS, LAYERS_MAX_OUTPUTS, LAYERS_MAX_OUTPUTS);
    Best best = {0, false};
    const FeatureSet *set;
    for (int i = 0; (set = features_at(i)) != NULL; i++) {
        for (int first = 1; first <= LAYERS_MAX_OUTPUTS && !features_is_own(set); first++) {
            /* The bytes of each sum, a bias, rows, and weights of both views, are many, so no more
             * than a few widths leave as few as the other layers can have. */
            size_t each = 2 * ((size_t)set->inputs + 1) + 2 * (size_t)first;
            size_t sums = bytes / each < NNUE_MAX_SUMS ? bytes / each : NNUE_MAX_SUMS;
            for (sums -= sums % STEP; sums > 0 && bytes - sums * each <= most_others;
                 sums -= STEP) {
                int second = second_of(bytes - sums * each, first);
                if (second > 0 &&
                    improves(&best, plain_points(file, set, (int)sums, first, second))) {
                    net->set = set;
                    net->hidden = (int)sums;
                    net->layers->first = first;
                    net->layers->second = second;
                }
            }
        }
    }
    return best_result(&best);
}

/* ---- SFNN ------------------------------------------------------------------------------------ */

NetError foreignshape_sums(size_t biases, size_t weights, NnueNet *net) {
    const FeatureSet *set;
    for (int i = 0; (set = features_at(i)) != NULL; i++) {
        size_t inputs = (size_t)set->inputs;
        size_t sums = weights > 0 ? biases : biases / (inputs + 1);
        bool fits = weights > 0 ? weights == sums * inputs : biases == sums * (inputs + 1);
        if (!features_is_own(set) && sums > 0 && sums <= NNUE_MAX_SUMS && sums % (2 * STEP) == 0 &&
            fits) {
            net->set = set;
            net->hidden = (int)sums;
            return NET_OK;
        }
    }
    return NET_BAD_SHAPE;
}

/* Finds how one of this many stacks is selected. All parts must be named, unless there is only one
 * possibility. Returns the points of POINTS_NAMED for named parts, 1 for the only possibility, and
 * 0 if there is none. *is_open is set if there are several, or if the words name several. */
static int find_parts(const ForeignFile *file, int stacks, bool has_progress, Layers *layers,
                      bool *is_open) {
    static const int steps[] = {2, 3, 4, 8, 16, 32}, one_step[] = {1};
    int count = 0, named = 0;
    for (const LayersPart *hand = layers_hands; hand < layers_hands + LAYERS_HANDS; hand++) {
        for (const LayersPart *king = layers_kings; king < layers_kings + LAYERS_KINGS; king++) {
            for (size_t p = 0; p < (has_progress ? COUNTOF(steps) : 1); p++) {
                int progress = (has_progress ? steps : one_step)[p];
                if (hand->values * hand->values * king->values * king->values * progress !=
                    stacks) {
                    continue;
                }
                bool is_named = (hand->values == 1 || says(file, hand->name)) &&
                                (king->values == 1 || says(file, king->name)) &&
                                (progress == 1 || says_numbers(file, "progress%d", progress, 0, 0));
                count++;
                named += is_named;
                if (is_named || count == 1) {
                    layers->kings = king;
                    layers->hands = hand;
                    layers->progress = has_progress ? progress : 0;
                }
            }
        }
    }
    *is_open = count > 1 && named != 1;
    return named == 1 ? POINTS_NAMED : count == 1;
}

/* Finds how one of this many stacks is selected. Other trainers keep the weights of the progress in
 * a file. Returns the points, 0 if there is no way. */
static int find_selection(const ForeignFile *file, int stacks, bool has_progress, Layers *layers,
                          bool *is_open) {
    int points = find_parts(file, stacks, has_progress, layers, is_open);
    bool is_named = says(file, "kpabs");
    bool has_ranks = says(file, "kingrank") || points == POINTS_NAMED;
    layers->progress_file = LAYERS_NO_FILE;
    if (!has_progress && stacks > 1 && stacks <= MAX_FILE_STACKS &&
        (is_named || (file->is_dialect && !has_ranks))) {
        layers->progress_file = is_named || points == 0 ? LAYERS_NEED_FILE : LAYERS_MAY_HAVE_FILE;
        return is_named ? POINTS_NAMED : points + 1;
    }
    return points;
}

/* How well the sizes of SFNN's layers fit the words; `first` includes the skip output. */
static int layer_points(const ForeignFile *file, int sums, int first, int second) {
    bool is_named = says_numbers(file, "%d_%d_%d", sums, first, second) ||
                    says_numbers(file, "%d_%d_%d", sums, first - 1, second) ||
                    says_numbers(file, "%dx%dx%d", sums, first, second);
    return is_named ? POINTS_NAMED : is_usual(first, second) ? POINTS_USUAL : 0;
}

NetError foreignshape_stacks(const ForeignFile *file, size_t bytes, NnueNet *net) {
    enum { STEP_OUTPUTS = 8, MAX_OUTPUTS = LAYERS_MAX_OUTPUTS / 2 };
    Best best = {0, false};
    bool is_open = false;
    for (int with_progress = 0; with_progress < 2; with_progress++) {
        size_t left = bytes - (with_progress ? FOREIGN_PROGRESS_BYTES : 0);
        for (int first = STEP_OUTPUTS; first <= MAX_OUTPUTS && left <= bytes;
             first += STEP_OUTPUTS) {
            for (int second = 1; second <= LAYERS_MAX_OUTPUTS; second++) {
                size_t each =
                    stack_bytes(net->hidden, first, 2 * first, second) + (file->has_hashes ? 4 : 0);
                size_t stacks = left / each;
                if (stacks == 0 || stacks > MAX_STACKS || left % each != 0 ||
                    (file->fixed_stacks > 0 && stacks != (size_t)file->fixed_stacks)) {
                    continue;
                }
                Layers layers = *net->layers;
                bool is_unclear = false;
                int points = layer_points(file, net->hidden, first, second);
                int more = points == 0 ? 0
                                       : find_selection(file, (int)stacks, with_progress != 0,
                                                        &layers, &is_unclear);
                is_open = is_open || is_unclear;
                if (improves(&best, more > 0 ? points + more : 0)) {
                    layers.first = first;
                    layers.second = second;
                    layers.stacks = (int)stacks;
                    *net->layers = layers;
                }
            }
        }
    }
    return best.points == 0 && is_open ? NET_AMBIGUOUS : best_result(&best);
}

/* True if the inputs of the second layer that only a layer without a skip output has are unused in
 * all stacks. */
static bool has_free_inputs(const ForeignFile *file, const unsigned char *bytes,
                            const NnueNet *net) {
    int first = net->layers->first, second = net->layers->second;
    size_t hash = file->has_hashes ? 4 : 0, row = padded(2 * first);
    size_t size = hash + stack_bytes(net->hidden, first, 2 * first, second);
    for (int k = 0; k < net->layers->stacks; k++) {
        const unsigned char *weights = bytes + (size_t)k * size + hash +
                                       foreignshape_layer(net->hidden, first) + 4 * (size_t)second;
        for (int i = 0; i < second; i++) {
            const unsigned char *last = weights + (size_t)i * row + 2 * first - 2;
            if (last[0] != 0 || last[1] != 0) {
                return false;
            }
        }
    }
    return true;
}

/* Reads the number at the start of a text and takes it; -1 if there is none. */
static int take_size(StrView *text) {
    int number;
    return sv_to_int(sv_take_digits(text), 0, NNUE_MAX_SUMS, &number) ? number : -1;
}

/* Takes a letter, whatever the case. */
static bool take_name_letter(StrView *text, char letter) {
    bool is_there = text->len > 0 && (text->ptr[0] | 32) == letter;
    *text = sv_skip(*text, is_there);
    return is_there;
}

/* Reads "_cC_sSxG" of a name such as SFNN_ka2_640_7_64_c128_s64x8. */
static bool find_shards(StrView words, NnueNet *net) {
    Layers *layers = net->layers;
    StrView field;
    int common = -1;
    while (sv_next_field(&words, '_', &field)) {
        if (common >= 0 && take_name_letter(&field, 's')) {
            int size = take_size(&field);
            int count = take_name_letter(&field, 'x') ? take_size(&field) : -1;
            if (size > 0 && count > 0 && layers->first % count == 0 &&
                common + size * count == net->hidden) {
                layers->common = common;
                layers->shard = size;
                layers->shards = count;
                return true;
            }
        }
        common = take_name_letter(&field, 'c') ? take_size(&field) : -1;
    }
    return false;
}

void foreignshape_skip(const ForeignFile *file, const unsigned char *bytes, NnueNet *net) {
    Layers *layers = net->layers;
    int first = layers->first, second = layers->second;
    bool is_without = says_numbers(file, "%d_%d_%d", net->hidden, first, second);
    bool is_with = says_numbers(file, "%d_%d_%d", net->hidden, first - 1, second) ||
                   says_numbers(file, "[%d<-", first - 1, 0, 0);
    if (!find_shards(file->text, net)) {
        (void)find_shards(file->name, net);
    }
    /* Wider layers without a skip output are not in use. */
    layers->has_skip = file->is_dialect || is_with ||
                       (!is_without && (first != 8 || has_free_inputs(file, bytes, net)));
    layers->first -= layers->has_skip;
}
