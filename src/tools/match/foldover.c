/* foldover.c: draws subsets of changes and fits their effects.
 *
 * The draws depend only on the seed and the pair, and the results are in the standings, so nothing
 * is kept between pairs and a match can be resumed anywhere. */
#include "tools/match/foldover.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/rng.h"
#include "base/xmem.h"
#include "tools/match/elo.h"

static void free_change(FoldChange *change) {
    for (int i = 0; i < change->option_count; i++) {
        free(change->options[i].name);
        free(change->options[i].value);
    }
    free(change->options);
    free(change->name);
}

void foldover_free(Foldover *foldover) {
    for (int i = 0; i < foldover->count; i++) {
        free_change(&foldover->changes[i]);
    }
    free(foldover->changes);
    *foldover = (Foldover){0};
}

/* ---- The file. ---- */

static bool sets_option(const FoldChange *change, StrView name) {
    for (int i = 0; i < change->option_count; i++) {
        if (sv_equal_nocase(sv_from(change->options[i].name), name)) {
            return true;
        }
    }
    return false;
}

/* Adds one OPTION=VALUE to the last change. Returns NULL or an error message. */
static const char *read_setting(Foldover *foldover, StrView word) {
    FoldChange *change = &foldover->changes[foldover->count - 1];
    size_t equals = sv_find_byte(word, '=');
    StrView name = sv_prefix(word, equals);
    StrView value = sv_skip(word, equals + 1);
    if (equals >= word.len || name.len == 0 || value.len == 0) {
        return "a setting must be OPTION=VALUE";
    }
    for (int i = 0; i < foldover->count; i++) {
        if (sets_option(&foldover->changes[i], name)) {
            return "an option is set twice";
        }
    }
    change->options =
        xmem_realloc(change->options, (size_t)change->option_count + 1, sizeof(change->options[0]));
    change->options[change->option_count++] = (EngineOption){sv_copy(name), sv_copy(value)};
    return NULL;
}

static const char *read_change(Foldover *foldover, StrView line) {
    Tokenizer tok = {line};
    StrView word;
    (void)tok_next(&tok, &word);
    if (sv_has_byte(word, '=')) {
        return "a change must begin with its name";
    }
    for (int i = 0; i < foldover->count; i++) {
        if (sv_equal(sv_from(foldover->changes[i].name), word)) {
            return "the name is used twice";
        }
    }
    if (foldover->count == FOLDOVER_MOST) {
        return "more than 64 changes";
    }
    foldover->changes =
        xmem_realloc(foldover->changes, (size_t)foldover->count + 1, sizeof(foldover->changes[0]));
    foldover->changes[foldover->count++] = (FoldChange){.name = sv_copy(word)};
    const char *fault = NULL;
    while (fault == NULL && tok_next(&tok, &word) && !sv_starts_with(word, SV("#"))) {
        fault = read_setting(foldover, word);
    }
    bool is_empty = foldover->changes[foldover->count - 1].option_count == 0;
    return fault == NULL && is_empty ? "the change sets no option" : fault;
}

bool foldover_read(StrView text, Foldover *foldover, StrBuf *error) {
    StrView line;
    int number = 0;
    while (sv_next_row(&text, &line, &number)) {
        const char *fault = read_change(foldover, line);
        if (fault != NULL) {
            strbuf_addf(error, ", line %d: %s", number, fault);
            return false;
        }
    }
    if (foldover->count == 0) {
        strbuf_add_str(error, ": no changes");
    }
    return foldover->count > 0;
}

void foldover_add_text(const Foldover *foldover, StrBuf *out) {
    for (int i = 0; i < foldover->count; i++) {
        const FoldChange *change = &foldover->changes[i];
        strbuf_add_str(out, change->name);
        for (int k = 0; k < change->option_count; k++) {
            strbuf_addf(out, " %s=%s", change->options[k].name, change->options[k].value);
        }
        strbuf_add_byte(out, '\n');
    }
}

/* ---- Playing a pair. ---- */

uint64_t foldover_subset(uint64_t seed, int pair) {
    uint64_t state = seed ^ (uint64_t)pair << 32;
    state =
        rng_splitmix(&state); /* a second step: other random numbers start from the same value */
    return rng_splitmix(&state);
}

void foldover_add_options(const Foldover *foldover, uint64_t subset, StrBuf *out) {
    for (int i = 0; i < foldover->count; i++) {
        const FoldChange *change = &foldover->changes[i];
        for (int k = 0; (subset >> i & 1) != 0 && k < change->option_count; k++) {
            strbuf_addf(out, "setoption name %s value %s\n", change->options[k].name,
                        change->options[k].value);
        }
    }
}

/* ---- The regression. ---- */

/* The normal equations: the sums over all pairs of x x', x y and y^2, where x are the signs and y
 * is the score of a pair. */
typedef struct Sums {
    int count;  /* number of changes */
    double *xx; /* `count` rows of 2 * count numbers: the sums, and room for their inverse */
    double xy[FOLDOVER_MOST];
    double yy;
    int pairs;
} Sums;

static void add_pair(Sums *sums, uint64_t subset, double score) {
    for (int i = 0; i < sums->count; i++) {
        double *row = sums->xx + (size_t)i * 2 * (size_t)sums->count;
        bool is_in = (subset >> i & 1) != 0;
        for (int k = 0; k < sums->count; k++) {
            row[k] += is_in == ((subset >> k & 1) != 0) ? 1.0 : -1.0;
        }
        sums->xy[i] += is_in ? score : -score;
    }
    sums->yy += score * score;
    sums->pairs++;
}

/* Inverts the matrix of the sums x x' with a unit matrix beside it (Gauss-Jordan). If an inverse
 * exists, the matrix is positive definite, so the diagonal elements can serve as pivots. The
 * elements are whole numbers up to the number of pairs, so a pivot that consists only of rounding
 * errors is far below the limit. */
static bool invert(const Sums *sums) {
    size_t count = (size_t)sums->count, width = 2 * count;
    for (size_t i = 0; i < count; i++) {
        sums->xx[i * width + count + i] = 1.0;
    }
    for (size_t i = 0; i < count; i++) {
        double *pivot_row = sums->xx + i * width;
        double pivot = pivot_row[i];
        if (pivot < 1e-6 * sums->pairs) {
            return false;
        }
        for (size_t k = 0; k < width; k++) {
            pivot_row[k] /= pivot;
        }
        for (size_t j = 0; j < count; j++) {
            double *row = sums->xx + j * width;
            double factor = j != i ? row[i] : 0.0;
            for (size_t k = 0; k < width; k++) {
                row[k] -= factor * pivot_row[k];
            }
        }
    }
    return true;
}

static bool solve(const Sums *sums, FoldEffect *effects) {
    size_t count = (size_t)sums->count, width = 2 * count;
    if (sums->pairs <= sums->count || !invert(sums)) {
        return false;
    }
    double rest = sums->yy; /* the sum of squares that the effects do not explain */
    for (size_t i = 0; i < count; i++) {
        effects[i] = (FoldEffect){0};
        for (size_t k = 0; k < count; k++) {
            effects[i].effect += sums->xx[i * width + count + k] * sums->xy[k];
        }
        rest -= effects[i].effect * sums->xy[i];
    }
    double variance = fmax(rest, 0.0) / (sums->pairs - sums->count);
    for (size_t i = 0; i < count; i++) {
        FoldEffect *effect = &effects[i];
        double score = fmin(fmax(0.5 + effect->effect, 0.0), 1.0);
        effect->error = sqrt(variance * sums->xx[i * width + count + i]);
        effect->elo = elo_of_score(score);
        effect->elo_error = 400.0 / log(10.0) / (score * (1.0 - score)) * effect->error;
    }
    return true;
}

bool foldover_estimate(const Foldover *foldover, const Standings *standings, FoldEffect *effects,
                       int *pairs) {
    size_t count = (size_t)foldover->count;
    Sums sums = {.count = foldover->count};
    sums.xx = xmem_calloc(2 * count * count, sizeof(double));
    for (int game = 0; game + 1 < standings->total; game += 2) {
        const uint8_t *points = standings->half_points + game;
        if (points[0] != NOT_PLAYED && points[1] != NOT_PLAYED) {
            add_pair(&sums, foldover_subset(standings->schedule.seed, game / 2),
                     (points[0] + points[1]) / 4.0 - 0.5);
        }
    }
    *pairs = sums.pairs;
    bool is_good = solve(&sums, effects);
    free(sums.xx);
    return is_good;
}
