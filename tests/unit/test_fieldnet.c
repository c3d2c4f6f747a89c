/* Networks of the field, made here with random weights. Their expected outputs come from other
 * tests (tests/nets): here, what must hold for every network. */
#include "eval/net.h"

#include <string.h>

#include "base/cpu.h"
#include "eval/layers.h"
#include "eval/nnue.h"
#include "random_net.h"

typedef struct Kind {
    const char *set;
    int sums;
    int first; /* outputs of the first layer on disk */
    int second;
    int stacks; /* 0: plain */
    const char *name;
} Kind;

static const Kind kinds[] = {
    {"kp", 64, 32, 32, 0, "kp 64x2-32-32"},
    {"ka2", 32, 16, 32, 0, "ka2 32x2-16-32"},
    {"halfkp", 32, 32, 32, 0, "halfkp 32x2-32-32"},
    {"halfkpvm", 32, 8, 64, 0, "halfkpvm 32x2-8-64"},
    {"halfka1", 32, 8, 96, 0, "halfka1 32x2-8-96"},
    {"halfkahm1", 32, 16, 64, 0, "halfkahm1 32x2-16-64"},
    {"halfkpe9", 32, 8, 32, 0, "halfkpe9 32x2-8-32"},
    {"halfka2", 64, 8, 64, 9, "SFNN halfka2 64-7-64 k3k3"},
    {"halfkahm2", 64, 16, 32, 9, "SFNN halfkahm2 64-15-32 k3k3"},
    {"ka2", 128, 16, 32, 841, "SFNN ka2 128-15-32 k29k29"},
    {"kp", 64, 32, 96, 16, "SFNN kp 64-31-96 hand16"},
};

static void add_u32(StrBuf *out, uint32_t number) {
    for (int shift = 0; shift < 32; shift += 8) {
        strbuf_add_byte(out, (char)(number >> shift & 255));
    }
}

static void add_layer(Rng *rng, StrBuf *out, int inputs, int outputs, int limit) {
    for (int k = 0; k < outputs; k++) {
        add_u32(out, (uint32_t)random_within(rng, 3000));
    }
    int width = (inputs + 31) / 32 * 32;
    for (int i = 0; i < outputs * width; i++) {
        /* Writers fill the padding with zeros. That of seven neurons and a skip output is read. */
        int weight = i % width < inputs ? random_within(rng, limit) : 0;
        strbuf_add_byte(out, (char)weight);
    }
}

static void add_leb(StrBuf *out, int value) {
    while (value < -64 || value > 63) {
        strbuf_add_byte(out, (char)((value & 127) | 128));
        value >>= 7; /* arithmetic */
    }
    strbuf_add_byte(out, (char)(value & 127));
}

/* Appends weights as numbers of 16 bits, or as a compressed block. Some have two or three bytes. */
static void add_weights(Rng *rng, StrBuf *out, size_t count, int from, int to, bool is_packed) {
    size_t start = out->len;
    if (is_packed) {
        strbuf_add_str(out, "COMPRESSED_LEB128");
        add_u32(out, 0);
    }
    for (size_t i = 0; i < count; i++) {
        int value = from + (int)rng_below(rng, (uint64_t)(to - from + 1));
        value = i % 2001 == 7 ? value * 10 : i % 20001 == 20000 ? value * 600 : value;
        if (is_packed) {
            add_leb(out, value);
        } else {
            strbuf_add_byte(out, (char)(value & 255));
            strbuf_add_byte(out, (char)(value >> 8 & 255));
        }
    }
    if (is_packed) {
        uint32_t len = (uint32_t)(out->len - start - 21);
        for (int i = 0; i < 4; i++) {
            out->ptr[start + 17 + (size_t)i] = (char)(len >> 8 * i & 255);
        }
    }
}

/* A file with wrong hashes and a text that says nothing. */
static void write_net(Rng *rng, const Kind *kind, StrBuf *out) {
    const FeatureSet *set = features_named(kind->set);
    bool is_sfnn = kind->stacks > 0;
    add_u32(out, 0x7AF32F16);
    add_u32(out, 123);
    add_u32(out, 3);
    strbuf_add_str(out, "odd");
    add_u32(out, 0);
    add_weights(rng, out, (size_t)kind->sums, -20, 120, is_sfnn);
    add_weights(rng, out, (size_t)kind->sums * (size_t)set->inputs, -18, 18, is_sfnn);
    for (int k = 0; k < (is_sfnn ? kind->stacks : 1); k++) {
        bool has_skip = is_sfnn;
        int second_inputs = is_sfnn ? 2 * (kind->first - has_skip) : kind->first;
        add_u32(out, 0);
        add_layer(rng, out, is_sfnn ? kind->sums : 2 * kind->sums, kind->first, 20);
        add_layer(rng, out, second_inputs, kind->second, 60);
        add_layer(rng, out, kind->second, 1, 90);
    }
}

static NnueNet *make_net(Rng *rng, const Kind *kind) {
    StrBuf file = STRBUF_INIT;
    write_net(rng, kind, &file);
    NnueNet *net = NULL;
    CHECK_INT(net_read(file.ptr, file.len, &net), NET_OK);
    strbuf_free(&file);
    return net;
}

/* The board mirrored left to right. */
static Setup setup_mirrored(const Setup *setup) {
    Setup mirrored = *setup;
    for (Square sq = 0; sq < SQ_NB; sq++) {
        mirrored.board[features_mirror(sq)] = setup->board[sq];
    }
    return mirrored;
}

static int32_t output_of_setup(const NnueNet *net, const Setup *setup) {
    Position pos;
    pos_init(&pos);
    pos_set(&pos, setup);
    int32_t output = (int32_t)nnue_output_fresh(net, &pos);
    pos_free(&pos);
    return output;
}

/* Plays and takes back random moves. Every kernel, which has seen the positions before, agrees with
 * the scalar kernels from scratch; so does the position turned round or, where it must, mirrored.
 */
static void walk_net(Rng *rng, const NnueNet *net) {
    NnueEvaluator *evals[8] = {NULL};
    int count = 0;
    const NnueKernels *kernels;
    for (int i = 0; (kernels = kernels_get(i)) != NULL; i++) {
        if ((kernels->needs & ~cpu_features()) == 0) {
            evals[count++] = nnue_create(net, kernels->needs);
        }
    }
    Position pos = position_at(SFEN_START);
    int different = 0;
    int32_t last = 0;
    for (int step = 0; step < 200; step++) {
        Move move = random_move(rng, &pos);
        if (pos_moves_done(&pos) > 0 && (move == MOVE_NONE || rng_below(rng, 4) == 0)) {
            pos_undo(&pos);
        } else {
            pos_do(&pos, move);
        }
        int32_t want = (int32_t)nnue_output_fresh(net, &pos);
        different += want != last;
        last = want;
        for (int i = 0; i < count; i++) {
            CHECK_INT(nnue_output(evals[i], &pos), want);
        }
        if (step % 10 == 0) {
            Setup setup = pos_get(&pos);
            Setup turned = setup_turned(&setup);
            CHECK_INT(output_of_setup(net, &turned), want);
            Setup mirrored = setup_mirrored(&setup);
            /* A king on file 5 keeps the files of its view. */
            bool is_middle = pos.king[BLACK] / 9 == 4 || pos.king[WHITE] / 9 == 4;
            if (net->set->mirror != MIRROR_NEVER && !is_middle) {
                CHECK_INT(output_of_setup(net, &mirrored), want);
            }
        }
    }
    CHECK(different > 150);
    pos_free(&pos);
    for (int i = 0; i < count; i++) {
        nnue_free(evals[i]);
    }
}

static void test_kinds(void) {
    Rng rng = rng_init(5);
    for (size_t k = 0; k < COUNTOF(kinds); k++) {
        NnueNet *net = make_net(&rng, &kinds[k]);
        if (net != NULL) {
            StrBuf name = STRBUF_INIT;
            net_describe(net, &name);
            CHECK_STR(name.ptr, kinds[k].name);
            strbuf_free(&name);
            walk_net(&rng, net);
        }
        net_free(net);
    }
}

/* Handicap games, tsume boards without a king, and full hands. */
static void test_rare_positions(void) {
    static const char *const sfens[] = {
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
        "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
        "4k4/9/9/9/9/9/9/9/4K4 w 2r2b4g4s4n4l18p 1",
    };
    Rng rng = rng_init(6);
    for (size_t k = 0; k < COUNTOF(kinds); k++) {
        NnueNet *net = k == 0 || k == 3 || k == 8 || k == 9 ? make_net(&rng, &kinds[k]) : NULL;
        NnueEvaluator *eval = net != NULL ? nnue_create(net, cpu_features()) : NULL;
        for (size_t i = 0; i < COUNTOF(sfens) && eval != NULL; i++) {
            Position pos = position_at(sfens[i]);
            CHECK_INT(nnue_output(eval, &pos), nnue_output_fresh(net, &pos));
            pos_free(&pos);
        }
        nnue_free(eval);
        net_free(net);
    }
}

static void check_refused(StrView file) {
    NnueNet *net = NULL;
    CHECK(net_read(file.ptr, file.len, &net) != NET_OK);
    CHECK(net == NULL);
    net_free(net);
}

/* Files that are cut or one byte too long, and lying lengths. */
static void test_hostile_files(void) {
    Rng rng = rng_init(7);
    static const int which[] = {0, 10};
    for (size_t k = 0; k < COUNTOF(which); k++) {
        StrBuf file = STRBUF_INIT;
        write_net(&rng, &kinds[which[k]], &file);
        StrView whole = strbuf_view(&file);
        for (size_t len = 0; len < whole.len; len += 1 + len / 40) {
            check_refused(sv_prefix(whole, len));
        }
        check_refused(sv_prefix(whole, whole.len - 1));
        strbuf_add_byte(&file, 0);
        check_refused(strbuf_view(&file));
        memset(file.ptr + 8, 255, 4); /* the length of the text */
        check_refused(strbuf_view(&file));
        strbuf_free(&file);
    }
    StrBuf file = STRBUF_INIT;
    write_net(&rng, &kinds[10], &file);
    const size_t block = 12 + 3 + 4 + 17; /* the length of the first block */
    char kept = file.ptr[block];
    file.ptr[block] = (char)(kept + 1);
    check_refused(strbuf_view(&file));
    file.ptr[block] = (char)(kept - 1);
    check_refused(strbuf_view(&file));
    file.ptr[block] = kept;
    memset(file.ptr + block + 4, 255, 5); /* a number that does not end */
    check_refused(strbuf_view(&file));
    strbuf_free(&file);
}

UNIT_MAIN({"every feature set", test_kinds}, {"rare positions", test_rare_positions},
          {"hostile files", test_hostile_files})
