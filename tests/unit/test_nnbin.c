/* Tests networks in the format nn.bin with random weights: how files are read, that incremental
 * sums equal those from scratch on every kernel, and the symmetries of the feature sets. The
 * outputs of other programs are checked in tests/usi/run_nets.sh. */
#include "eval/nnbin.h"

#include <string.h>

#include "base/cpu.h"
#include "base/rng.h"
#include "eval/kernels.h"
#include "eval/nnbineval.h"
#include "rules/sfen.h"

#include "random_net.h"
#include "randpos.h"

static void add_u32(StrBuf *out, uint32_t number) {
    for (int i = 0; i < 4; i++) {
        strbuf_add_byte(out, (char)(number >> 8 * i & 255));
    }
}

static int between(Rng *rng, int low, int high) {
    return low + (int)rng_below(rng, (uint64_t)(high - low + 1));
}

static void add_layer(Rng *rng, int inputs, int outputs, int weight, StrBuf *out) {
    for (int o = 0; o < outputs; o++) {
        add_u32(out, (uint32_t)between(rng, -3000, 3000));
    }
    for (int i = 0; i < outputs * ((inputs + 31) / 32 * 32); i++) {
        strbuf_add_byte(out, (char)between(rng, -weight, weight)); /* the padding, too */
    }
}

static const int small[3] = {16, 8, 32};

/* A file with N, H1 and H2 from `sizes`, and random numbers at which nothing is always saturated.
 */
static void write_file(Rng *rng, const FeatureSet *set, const int sizes[3], const char *text,
                       StrBuf *out) {
    int width = sizes[0], h1 = sizes[1], h2 = sizes[2];
    add_u32(out, 0x7AF32F16);
    add_u32(out, 0xDEADBEEF); /* hashes are not looked at */
    add_u32(out, (uint32_t)strlen(text));
    strbuf_add_str(out, text);
    add_u32(out, 0);
    for (int i = 0; i < width * (set->inputs + 1); i++) {
        int weight = i < width ? between(rng, -20, 120) : between(rng, -18, 18);
        strbuf_add_byte(out, (char)(weight & 255));
        strbuf_add_byte(out, (char)(weight >> 8 & 255));
    }
    add_u32(out, 1);
    add_layer(rng, 2 * width, h1, 20, out);
    add_layer(rng, h1, h2, 60, out);
    add_layer(rng, h2, 1, 90, out);
}

static NnBin *read_file(const StrBuf *file) {
    NnBin *bin = NULL;
    CHECK_INT(nnbin_read(file->ptr, file->len, &bin), NET_OK);
    return bin;
}

/* A position of a random game or, less likely to be in one, of pieces thrown on the board. */
static void random_position(Rng *rng, Position *pos) {
    if (rng_below(rng, 2) == 0) {
        randpos_set(rng, pos, 2 + (int)rng_below(rng, 30));
        return;
    }
    Setup start = setup_start();
    pos_set(pos, &start);
    for (uint64_t left = rng_below(rng, 120); left > 0; left--) {
        Move move = random_move(rng, pos);
        if (move == MOVE_NONE) {
            break;
        }
        pos_do(pos, move);
    }
}

/* Goes through positions like a search, with each version of the kernels. */
static void walk(const NnBin *bin, Rng rng) {
    const NnueKernels *kernels;
    for (int k = 0; (kernels = kernels_get(k)) != NULL; k++) {
        if ((kernels->needs & ~cpu_features()) != 0) {
            continue;
        }
        NnBinEval *eval = nnbineval_create(bin, kernels);
        for (int game = 0; game < 4; game++) {
            Position pos;
            pos_init(&pos);
            random_position(&rng, &pos);
            for (int i = 0; i < 60; i++) {
                Move move = random_move(&rng, &pos);
                uint64_t choice = rng_below(&rng, 10);
                if (choice < 3 && pos_moves_done(&pos) > 0) {
                    if (pos.now->move == MOVE_NULL) {
                        pos_undo_null(&pos);
                    } else {
                        pos_undo(&pos);
                    }
                } else if (choice == 3 && !pos_in_check(&pos)) {
                    pos_do_null(&pos);
                } else if (move != MOVE_NONE) {
                    pos_do(&pos, move);
                }
                if (rng_below(&rng, 3) == 0) {
                    CHECK_INT(nnbineval_output(eval, &pos), nnbineval_output_fresh(bin, &pos));
                }
            }
            pos_free(&pos);
        }
        nnbineval_free(eval);
    }
}

/* Left and right exchanged. */
static Setup setup_mirrored(const Setup *setup) {
    Setup mirrored = *setup;
    for (Square sq = 0; sq < SQ_NB; sq++) {
        mirrored.board[sq_make(FILE_NB - 1 - sq_file(sq), sq_rank(sq))] = setup->board[sq];
    }
    return mirrored;
}

static Setup setup_of(const Position *pos) {
    Setup setup = {.side = pos->side, .ply = 1};
    memcpy(setup.board, pos->board, sizeof(setup.board));
    memcpy(setup.hand, pos->hand, sizeof(setup.hand));
    return setup;
}

/* The output is that of the side to move, so a turned position has the same; and sets with
 * mirroring cannot tell left from right unless both halves of the board differ in the kings. */
static void symmetries(const NnBin *bin, Rng rng) {
    Position pos, other;
    pos_init(&pos);
    pos_init(&other);
    for (int i = 0; i < 30; i++) {
        random_position(&rng, &pos);
        Setup setup = setup_of(&pos), turned = setup_turned(&setup);
        pos_set(&other, &turned);
        int32_t output = nnbineval_output_fresh(bin, &pos);
        CHECK_INT(nnbineval_output_fresh(bin, &other), output);
        bool is_central = false;
        for (int side = BLACK; side <= WHITE; side++) {
            Square king = pos.king[side];
            is_central = is_central || king == SQ_NONE || sq_file(king) == 4;
        }
        if (bin->set->is_mirrored && !is_central) {
            Setup mirrored = setup_mirrored(&setup);
            pos_set(&other, &mirrored);
            CHECK_INT(nnbineval_output_fresh(bin, &other), output);
        }
    }
    pos_free(&pos);
    pos_free(&other);
}

static void every_set(void) {
    const FeatureSet *set;
    for (int i = 0; (set = featureset_at(i)) != NULL; i++) {
        Rng rng = rng_init((uint64_t)i + 1);
        StrBuf file = STRBUF_INIT;
        const int sizes[3] = {i % 2 == 0 ? 16 : 48, 8, 32};
        write_file(&rng, set, sizes, "Features=x", &file);
        NnBin *bin = read_file(&file);
        CHECK(bin->set == set && featureset_find(set->inputs) == set);
        walk(bin, rng);
        symmetries(bin, rng);
        nnbin_free(bin);
        strbuf_free(&file);
    }
}

/* Any numbers: the lengths tell them, and the text decides where several fit. */
static void shapes(void) {
    static const int sizes[][3] = {{256, 32, 32}, {16, 8, 8},   {32, 1, 1},   {512, 16, 32},
                                   {64, 15, 64},  {96, 100, 7}, {160, 32, 96}};
    const FeatureSet *kp = featureset_at(0);
    for (size_t i = 0; i < COUNTOF(sizes); i++) {
        Rng rng = rng_init(i);
        StrBuf file = STRBUF_INIT, text = STRBUF_INIT, name = STRBUF_INIT, want = STRBUF_INIT;
        const int *s = sizes[i];
        strbuf_addf(&text, "Features=K+P[1710->%dx2],Network=[1<-%d]([%d<-%d]([%d<-%d]))", s[0],
                    s[2], s[2], s[1], s[1], 2 * s[0]);
        write_file(&rng, kp, s, text.ptr, &file);
        NnBin *bin = read_file(&file);
        nnbin_describe(bin, &name);
        strbuf_addf(&want, "kp %dx2-%d-%d", s[0], s[1], s[2]);
        CHECK_STR(name.ptr, want.ptr);
        walk(bin, rng);
        nnbin_free(bin);
        strbuf_free(&file);
        strbuf_free(&text);
        strbuf_free(&name);
        strbuf_free(&want);
    }
}

static void scales(void) {
    static const struct {
        const char *text;
        int scale;
    } texts[] = {{"Features=x", 0},
                 {"Features=x,fv_scale=24,l2=8", 24},
                 {"fv_scale=", 0},
                 {"fv_scale=129", 0},
                 {"fv_scale=1", 1},
                 {"fv_scale=-3", 0},
                 {"", 0}};
    for (size_t i = 0; i < COUNTOF(texts); i++) {
        Rng rng = rng_init(5);
        StrBuf file = STRBUF_INIT;
        write_file(&rng, featureset_at(0), small, texts[i].text, &file);
        NnBin *bin = read_file(&file);
        CHECK_INT(bin->fv_scale, texts[i].scale);
        nnbin_free(bin);
        strbuf_free(&file);
    }
}

/* Files that lie are rejected, wherever they are cut. */
static void bad_files(void) {
    Rng rng = rng_init(9);
    StrBuf file = STRBUF_INIT;
    write_file(&rng, featureset_at(0), small, "Features=x", &file);
    NnBin *bin = NULL;
    for (size_t len = 0; len < file.len; len += len < 100 || len + 1500 > file.len ? 1 : 997) {
        CHECK(nnbin_read(file.ptr, len, &bin) != NET_OK && bin == NULL);
    }
    strbuf_add_byte(&file, 0);
    CHECK(nnbin_read(file.ptr, file.len, &bin) != NET_OK && bin == NULL);
    file.len--;
    CHECK_INT(nnbin_read(file.ptr, file.len, &bin), NET_OK);
    nnbin_free(bin);
    bin = NULL;
    memset(file.ptr + 8, 255, 4); /* a text of 2^32 - 1 bytes */
    CHECK(nnbin_read(file.ptr, file.len, &bin) == NET_BAD_LENGTH && bin == NULL);
    file.ptr[0] = 0;
    CHECK(nnbin_read(file.ptr, file.len, &bin) == NET_NO_NET && bin == NULL);
    strbuf_free(&file);
}

UNIT_MAIN({"every set", every_set}, {"shapes", shapes}, {"scales", scales},
          {"bad files", bad_files})
