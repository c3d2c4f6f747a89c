/* spsa.c: reads parameters, perturbs them for a pair of games, and moves them according to its
 * result. */
#include "match/spsa.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/rng.h"
#include "base/xmem.h"

void spsa_free(SpsaOptions *options) {
    for (int i = 0; i < options->count; i++) {
        free(options->params[i].name);
    }
    free(options->params);
    *options = (SpsaOptions){0};
}

/* Reads one line into *param; its name is not copied. Returns NULL or an error message. */
static const char *read_param(StrView line, SpsaParam *param, StrView *name) {
    static const char *const faults[] = {"no start", "no min", "no max", "no c_end", "no r_end"};
    double *const places[] = {&param->start, &param->min, &param->max, &param->c_end,
                              &param->r_end};
    StrView field;
    if (!sv_next_field(&line, ',', name) || (*name = sv_trim(*name)).len == 0) {
        return "no name";
    }
    if (!sv_next_field(&line, ',', &field)) {
        return "no int or float";
    }
    param->is_int = sv_equal(sv_trim(field), SV("int"));
    if (!param->is_int && !sv_equal(sv_trim(field), SV("float"))) {
        return "neither int nor float";
    }
    for (size_t i = 0; i < COUNTOF(places); i++) {
        if (!sv_next_field(&line, ',', &field) ||
            !sv_to_double(sv_trim(field), -1e12, 1e12, places[i])) {
            return faults[i];
        }
    }
    return line.len > 0               ? "too many fields"
           : param->min >= param->max ? "min is not below max"
           : param->start < param->min || param->start > param->max
               ? "start is not between min and max"
           : param->c_end <= 0.0 || param->r_end <= 0.0 ? "c_end and r_end must be above 0"
                                                        : NULL;
}

bool spsa_read_params(StrView text, SpsaOptions *options, StrBuf *error) {
    StrView line;
    size_t cap = 0;
    int number = 0;
    while (sv_next_row(&text, &line, &number)) {
        SpsaParam param = {0};
        StrView name;
        const char *fault = read_param(sv_trim(line), &param, &name);
        for (int i = 0; fault == NULL && i < options->count; i++) {
            bool is_known = sv_equal_nocase(sv_from(options->params[i].name), name);
            fault = is_known ? "the name is used twice" : NULL;
        }
        if (fault != NULL) {
            strbuf_addf(error, ", line %d: %s", number, fault);
            return false;
        }
        param.name = sv_copy(name);
        options->params = xmem_grow(options->params, &cap, (size_t)options->count + 1,
                                    sizeof(options->params[0]));
        options->params[options->count++] = param;
    }
    if (options->count == 0) {
        strbuf_add_str(error, ": no parameters");
    }
    return options->count > 0;
}

/* How far the players of the pair are from the value, on either side. For whole numbers this is at
 * least one half, because otherwise both players may get the same number. */
static double c_of_pair(const SpsaOptions *options, const SpsaParam *param, int pair) {
    double width = param->c_end * pow((double)options->pairs / pair, options->gamma);
    return param->is_int ? fmax(width, 0.5) : width;
}

/* The random numbers of a pair: first the signs of all parameters, then their rounding. */
static Rng start_rng(const SpsaOptions *options, int pair) {
    uint64_t state = options->seed ^ (uint64_t)pair << 32;
    return rng_init(rng_splitmix(&state));
}

static double sign_of(Rng *rng) {
    return (rng_next(rng) >> 63) != 0 ? 1.0 : -1.0;
}

static double limit_value(const SpsaParam *param, double value) {
    return fmin(fmax(value, param->min), param->max);
}

/* For an int parameter, a player gets one of the two nearest whole numbers, the nearer one with
 * higher probability, so that the mean is the value itself. */
void spsa_perturb(const SpsaOptions *options, const double *values, SpsaTrial *trial) {
    Rng rng = start_rng(options, trial->pair);
    for (int i = 0; i < options->count; i++) {
        double move = sign_of(&rng) * c_of_pair(options, &options->params[i], trial->pair);
        trial->plus[i] = values[i] + move;
        trial->minus[i] = values[i] - move;
    }
    for (int i = 0; i < options->count; i++) {
        const SpsaParam *param = &options->params[i];
        double lot = rng_unit(&rng);
        double plus = limit_value(param, trial->plus[i]),
               minus = limit_value(param, trial->minus[i]);
        trial->plus[i] = param->is_int ? limit_value(param, floor(plus + lot)) : plus;
        trial->minus[i] = param->is_int ? limit_value(param, floor(minus + lot)) : minus;
    }
}

void spsa_update(const SpsaOptions *options, int pair, int points, double *values) {
    Rng signs = start_rng(options, pair);
    double start = options->share * options->pairs;
    double rate = pow((start + options->pairs) / (start + pair), options->alpha);
    for (int i = 0; i < options->count; i++) {
        const SpsaParam *param = &options->params[i];
        double gain = rate * param->r_end * param->c_end * param->c_end;
        double move = gain * points * sign_of(&signs) / c_of_pair(options, param, pair);
        values[i] = limit_value(param, values[i] + move);
    }
}

void spsa_add_value(const SpsaParam *param, double value, StrBuf *out) {
    strbuf_addf(out, param->is_int ? "%.0f" : "%.6g", param->is_int ? round(value) + 0.0 : value);
}

void spsa_add_values(const SpsaOptions *options, const double *values, bool is_input, StrBuf *out) {
    for (int i = 0; i < options->count; i++) {
        const SpsaParam *param = &options->params[i];
        strbuf_addf(out, "%s, %s", param->name,
                    !is_input       ? ""
                    : param->is_int ? "int, "
                                    : "float, ");
        spsa_add_value(param, values[i], out);
        if (is_input) {
            strbuf_addf(out, ", %.10g, %.10g, %.10g, %.10g", param->min, param->max, param->c_end,
                        param->r_end);
        }
        strbuf_add_byte(out, '\n');
    }
}
