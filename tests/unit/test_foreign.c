/* Foreign networks, made here with random weights. Their expected outputs come from other
 * tests (tests/nets): here, what must hold for every network. */
#include "eval/net.h"

#include <math.h>
#include <string.h>

#include "base/cpu.h"
#include "base/xmem.h"
#include "eval/foreign.h"
#include "eval/layers.h"
#include "eval/nnue.h"
#include "random_net.h"

/* What other writers do in other ways. */
enum { LAYERED = 1, COUNTED = 2, ONE_BLOCK = 4, NO_HASHES = 8 };

/* No weight is so large that the rows of a small set cannot be packed into bytes. */
enum { SMALL = 32 };

typedef struct Kind {
    const char *set;
    int sums;
    int first; /* outputs of the first layer on disk */
    int second;
    int stacks;       /* 0: plain */
    unsigned dialect; /* bits of the enum above; 0: as YaneuraOu has it */
    const char *name;
} Kind;

static const Kind kinds[] = {
    {"kp", 64, 32, 32, 0, 0, "kp 64x2-32-32"},
    {"ka2", 32, 16, 32, 0, 0, "ka2 32x2-16-32"},
    {"halfkp", 32, 32, 32, 0, 0, "halfkp 32x2-32-32"},
    {"halfkpvm", 32, 8, 64, 0, 0, "halfkpvm 32x2-8-64"},
    {"halfka1", 32, 8, 96, 0, 0, "halfka1 32x2-8-96"},
    {"halfkahm1", 32, 16, 64, 0, 0, "halfkahm1 32x2-16-64"},
    {"halfkpe9", 32, 8, 32, 0, 0, "halfkpe9 32x2-8-32"},
    {"halfka2", 64, 8, 64, 9, 0, "SFNN halfka2 64-7-64 k3k3"},
    {"halfkahm2", 64, 16, 32, 9, 0, "SFNN halfkahm2 64-15-32 k3k3"},
    {"ka2", 128, 16, 32, 841, 0, "SFNN ka2 128-15-32 k29k29"},
    {"kp", 64, 32, 96, 16, 0, "SFNN kp 64-31-96 hand16"},
    {"kp", 96, 32, 32, 0, SMALL, "kp 96x2-32-32"},
    {"kp", 320, 16, 32, 9, SMALL, "SFNN kp 320-15-32 k3k3"},
    /* Dialects of other trainers. */
    {"kp", 32, 16, 32, 0, NO_HASHES, "kp 32x2-16-32"},
    {"kp", 32, 16, 64, 0, LAYERED, "kp 32x2-16-64"},
    {"ka2", 64, 16, 32, 9, LAYERED | ONE_BLOCK, "SFNN ka2 64-15-32 k3k3"},
    {"kp", 64, 16, 64, 9, COUNTED, "SFNN kp 64-15-64 k3k3"},
    {"kp", 64, 16, 64, 9, NO_HASHES, "SFNN kp 64-15-64 k3k3"},
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
static void add_weights(Rng *rng, StrBuf *out, size_t count, int from, int to, const Kind *kind) {
    bool is_packed = kind->stacks > 0, has_large = (kind->dialect & SMALL) == 0;
    size_t start = out->len;
    if (is_packed) {
        strbuf_add_str(out, "COMPRESSED_LEB128");
        add_u32(out, 0);
    }
    for (size_t i = 0; i < count; i++) {
        int value = from + (int)rng_below(rng, (uint64_t)(to - from + 1));
        value = i % 2001 == 7 ? value * 10 : has_large && i % 20001 == 20000 ? value * 600 : value;
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

/* A hash, which is wrong. */
static void add_hash(const Kind *kind, StrBuf *out) {
    if ((kind->dialect & NO_HASHES) == 0) {
        add_u32(out, 0);
    }
}

/* A file with wrong hashes. */
static void write_net_with(Rng *rng, const Kind *kind, const char *text, StrBuf *out) {
    const FeatureSet *set = features_named(kind->set);
    bool is_sfnn = kind->stacks > 0;
    size_t sums = (size_t)kind->sums, weights = sums * (size_t)set->inputs;
    add_u32(out, (kind->dialect & LAYERED) != 0   ? 0x7AF32F20
                 : (kind->dialect & COUNTED) != 0 ? 0x7AF32F21
                                                  : 0x7AF32F16);
    add_u32(out, 123);
    add_u32(out, (uint32_t)strlen(text));
    strbuf_add_str(out, text);
    if ((kind->dialect & COUNTED) != 0) {
        add_u32(out, (uint32_t)kind->stacks);
    }
    add_hash(kind, out);
    if ((kind->dialect & ONE_BLOCK) != 0) {
        add_weights(rng, out, sums + weights, -18, 18, kind);
    } else {
        add_weights(rng, out, sums, -20, 120, kind);
        add_weights(rng, out, weights, -18, 18, kind);
    }
    for (int k = 0; k < (is_sfnn ? kind->stacks : 1); k++) {
        bool has_skip = is_sfnn;
        int second_inputs = is_sfnn ? 2 * (kind->first - has_skip) : kind->first;
        add_hash(kind, out);
        add_layer(rng, out, is_sfnn ? kind->sums : 2 * kind->sums, kind->first, 20);
        add_layer(rng, out, second_inputs, kind->second, 60);
        add_layer(rng, out, kind->second, 1, 90);
    }
}

/* A text that says nothing. */
static void write_net(Rng *rng, const Kind *kind, StrBuf *out) {
    write_net_with(rng, kind, "odd", out);
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

/* Plays and takes back random moves and null moves. Every kernel, which has seen some of the
 * positions before, agrees with the scalar kernels from scratch; so does the position turned round
 * or, where it must, mirrored. */
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
            if (pos.now->move == MOVE_NULL) {
                pos_undo_null(&pos);
            } else {
                pos_undo(&pos);
            }
        } else if (!pos_in_check(&pos) && rng_below(rng, 8) == 0) {
            pos_do_null(&pos);
        } else {
            pos_do(&pos, move);
        }
        int32_t want = (int32_t)nnue_output_fresh(net, &pos);
        different += want != last;
        last = want;
        for (int i = 0; i < count; i++) {
            if (rng_below(rng, 2) == 0) {
                CHECK_INT(nnue_output(evals[i], &pos), want);
            }
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
            CHECK((net->rows != NULL) == ((kinds[k].dialect & SMALL) != 0));
            strbuf_free(&name);
            walk_net(&rng, net);
        }
        net_free(net);
    }
}

/* Handicap games, tsume boards without a king, full hands, and empty boards, whose keys are 0. */
static void test_rare_positions(void) {
    static const char *const sfens[] = {
        "9/9/9/9/9/9/9/9/9 b - 1",
        "k8/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "9/9/9/9/9/9/9/9/9 b - 1",
        "1k7/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
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

/* ---- dialects of other trainers -------------------------------------------------------------- */

/* Networks that cannot be evaluated are named after what is missing, as the text says. */
static void test_named_refusals(void) {
    static const struct {
        const char *text;
        NetError error;
    } cases[] = {
        {"Features=HalfKA_hm2(Friend)[73305->512x2],Threat=216720", NET_HAS_THREATS},
        {"Features=HalfKA,ThreatProfile=3", NET_HAS_THREATS},
        {"Features=HalfKA,PSQT=9", NET_HAS_PSQT},
        {"Features=HalfKP,Factorizer", NET_UNFINISHED},
        {"Features=HalfKP-SCReLU[125388->512x2],qa=255", NET_ACTIVATION},
        {"Features=HalfKP-Pairwise[125388->512/2x2]", NET_ACTIVATION},
        {"Features=HalfKP,qa=255,qb=64", NET_ACTIVATION},
        {"Features=HalfKP,qb=32", NET_ACTIVATION},
    };
    Rng rng = rng_init(8);
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        StrBuf file = STRBUF_INIT;
        NnueNet *net = NULL;
        write_net_with(&rng, &kinds[0], cases[i].text, &file);
        CHECK_INT(net_read(file.ptr, file.len, &net), cases[i].error);
        CHECK(net == NULL);
        strbuf_free(&file);
    }
}

/* The text of a file decides what its contents leave open. */
static void test_texts(void) {
    Rng rng = rng_init(9);
    StrBuf file = STRBUF_INIT;
    NnueNet *net = NULL;
    write_net_with(&rng, &kinds[0], "Features=K+P,qa=127,qb=64,fv_scale=28,l2=32", &file);
    CHECK_INT(net_read(file.ptr, file.len, &net), NET_OK);
    CHECK_INT(net_fv_scale(net, 0).scale, 28);
    net_free(net);
    strbuf_clear(&file);
    Kind kind = {"kp", 64, 16, 32, 16, COUNTED, ""};
    write_net_with(&rng, &kind, "LayerStack=16,hand16", &file);
    CHECK_INT(net_read(file.ptr, file.len, &net), NET_OK);
    StrBuf name = STRBUF_INIT;
    net_describe(net, &name);
    CHECK_STR(name.ptr, "SFNN kp 64-15-32 hand16");
    net_free(net);
    memset(file.ptr + 12 + 20, 255, 4); /* the number of networks */
    CHECK_INT(net_read(file.ptr, file.len, &net), NET_BAD_SHAPE);
    strbuf_free(&name);
    strbuf_free(&file);
}

/* Writes a network with this text and reads it as a file of this name. Returns the error, or NET_OK
 * with its description in *out. */
static NetError read_named(Rng *rng, const Kind *kind, const char *text, const char *name,
                           StrBuf *out) {
    StrBuf file = STRBUF_INIT;
    write_net_with(rng, kind, text, &file);
    NnueNet *net = xmem_calloc(1, sizeof(*net));
    NetError error = foreign_read(strbuf_view(&file), sv_from(name), false, net);
    strbuf_clear(out);
    if (error == NET_OK) {
        net_describe(net, out);
    }
    net_free(net);
    strbuf_free(&file);
    return error;
}

/* The text or the name decides what the sizes leave open; where neither does, a file is refused
 * unless only one of the possibilities is usual. */
static void test_names(void) {
    static const struct {
        Kind kind; /* .name: the result; NULL: refused */
        const char *text, *name;
    } cases[] = {
        /* Rare sizes. */
        {{"kp", 32, 12, 20, 0, 0, "kp 32x2-12-20"}, "odd", "/nets/kp_32x2-12-20.bin"},
        {{"kp", 32, 12, 20, 0, 0, "kp 32x2-12-20"}, "[1<-20]([20<-12]([12<-64]))", "nn.bin"},
        {{"kp", 32, 12, 20, 0, 0, NULL}, "odd", "nn.bin"},
        {{"kp", 32, 12, 20, 0, 0, NULL}, "odd", "kp_132x2-12-20.bin"},
        {{"kp", 32, 12, 20, 0, 0, NULL}, "odd", "kp_32x2-12-200.bin"},
        {{"kp", 64, 24, 48, 9, 0, "SFNN kp 64-23-48 k3k3"}, "odd", "SFNN_kp_64_23_48_k3k3.bin"},
        {{"kp", 64, 24, 48, 9, 0, NULL}, "odd", "nn.bin"},
        /* Both fit the same number of bytes. */
        {{"kp", 32, 64, 16, 0, 0, "kp 32x2-64-16"}, "odd", "kp_32x2-64-16.bin"},
        {{"kp", 32, 48, 32, 0, 0, "kp 32x2-48-32"}, "odd", "kp_32x2-48-32.bin"},
        {{"kp", 32, 48, 32, 0, 0, NULL}, "odd", "nn.bin"},
        {{"ka2", 32, 8, 32, 0, 0, "ka2 32x2-8-32"}, "odd", "nn.bin"},
        {{"kp", 32, 32, 128, 0, 0, "kp 32x2-32-128"}, "Features=K+P", "nn.bin"},
        /* The skip output. */
        {{"kp", 64, 8, 64, 9, 0, "SFNN kp 64-7-64 k3k3"}, "odd", "nn.bin"},
        {{"kp", 64, 8, 64, 9, 0, "SFNN kp 64-8-64 k3k3"}, "odd", "SFNN_kp_64_8_64_k3k3/nn.bin"},
        {{"kp", 64, 16, 64, 9, 0, "SFNN kp 64-15-64 k3k3"}, "odd", "nn.bin"},
        {{"kp", 64, 16, 64, 9, 0, "SFNN kp 64-16-64 k3k3"}, "SFNN_KP_64_16_64_K3K3", "nn.bin"},
        {{"kp", 64, 16, 64, 9, LAYERED, "SFNN kp 64-15-64 k3k3"}, "64x16x64", "nn.bin"},
        /* How a stack is selected. */
        {{"kp", 64, 8, 32, 81, 0, "SFNN kp 64-7-32 k9k9"}, "odd", "SFNN_kp_64_7_32_k9k9.bin"},
        {{"kp", 64, 8, 32, 81, 0, "SFNN kp 64-7-32 k9k9z"}, "{K9K9Z}", "nn.bin"},
        {{"kp", 64, 8, 32, 81, 0, NULL}, "odd", "nn.bin"},
        {{"kp", 64, 8, 32, 81, 0, NULL}, "odd", "k9k9/k9k9z.bin"},
        {{"kp", 64, 8, 32, 64, 0, "SFNN kp 64-7-32 hand64z"}, "odd", "nn_hand64z.bin"},
        {{"kp", 64, 8, 32, 64, 0, NULL}, "odd", "nn.bin"},
        {{"kp", 64, 8, 32, 36, 0, "SFNN kp 64-7-32 hand4 k3k3"}, "odd", "nn.bin"},
        {{"kp", 64, 8, 32, 7, 0, NULL}, "odd", "nn.bin"},
        /* Common inputs and shards. */
        {{"kp", 192, 16, 32, 9, 0, "SFNN kp 192-15-32 c64 s64x2 k3k3"}, "odd", "x_c64_s64x2.bin"},
        {{"kp", 192, 16, 32, 9, 0, "SFNN kp 192-15-32 k3k3"}, "odd", "x_c64_s64x3.bin"},
    };
    Rng rng = rng_init(12);
    StrBuf found = STRBUF_INIT;
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        NetError error = read_named(&rng, &cases[i].kind, cases[i].text, cases[i].name, &found);
        if (cases[i].kind.name == NULL) {
            CHECK(error == NET_BAD_SHAPE || error == NET_AMBIGUOUS);
        } else {
            CHECK_INT(error, NET_OK);
            CHECK_STR(found.len > 0 ? found.ptr : "", cases[i].kind.name);
        }
    }
    strbuf_free(&found);
}

/* Appends a file progress.bin in which all pieces have the same weight. */
static void write_progress(double weight, StrBuf *out) {
    for (int i = 0; i < LAYERS_PROGRESS_INPUTS; i++) {
        strbuf_add_bytes(out, &weight, sizeof(weight));
    }
}

/* Stacks selected by a progress whose weights are in a file: floor(8 / (1 + exp(-S))), where S is
 * the sum of the weights of 38 pieces in both views; missing pieces do not count. */
static void test_progress_file(void) {
    static const struct {
        int stacks;
        const char *sfen;
        double weight;
        int stack;
    } cases[] = {
        {8, SFEN_START, 0, 4},
        {8, SFEN_START, 1, 7},
        {8, SFEN_START, -1, 0},
        {8, SFEN_START, 0.01, 5},
        {8, SFEN_START, -0.01, 2},
        {9, SFEN_START, 0.02, 6},
        {9, SFEN_START, 100, 7},
        {8, "4k4/9/9/9/9/9/9/9/4K4 b - 1", 1000, 4},
        {8, "4k4/9/9/9/9/9/9/9/4K4 b 2P 1", 0.5, 7},
    };
    Rng rng = rng_init(10);
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        Kind kind = {"kp", 64, 16, 32, cases[i].stacks, COUNTED, ""};
        StrBuf file = STRBUF_INIT, progress = STRBUF_INIT;
        write_net_with(&rng, &kind, "Network=LayerStack,progress8kpabs", &file);
        write_progress(cases[i].weight, &progress);
        NnueNet *net = NULL;
        /* Bytes have no folder in which the file could be. */
        CHECK_INT(net_read(file.ptr, file.len, &net), NET_BAD_PROGRESS);
        net = xmem_calloc(1, sizeof(*net));
        CHECK_INT(foreign_read(strbuf_view(&file), SV(""), false, net), NET_OK);
        CHECK_INT(net->layers->progress_file, LAYERS_NEED_FILE);
        CHECK_INT(foreign_read_progress(strbuf_view(&progress), net), NET_OK);
        Position pos = position_at(cases[i].sfen);
        CHECK_INT(layers_select(net->layers, &pos), cases[i].stack);
        pos_free(&pos);
        net_free(net);
        strbuf_free(&file);
        strbuf_free(&progress);
    }
}

/* The same bytes are different networks under names that say so. */
static void test_same_bytes(void) {
    static const char *const names[] = {"SFNN_kp_64_8_64_k3k3.bin", "SFNN_kp_64_7_64_k3k3.bin"};
    Kind kind = {"kp", 64, 8, 64, 9, 0, ""};
    Rng rng = rng_init(13);
    StrBuf file = STRBUF_INIT, words[2] = {STRBUF_INIT, STRBUF_INIT};
    NnueNet *nets[2];
    write_net(&rng, &kind, &file);
    for (int i = 0; i < 2; i++) {
        nets[i] = xmem_calloc(1, sizeof(*nets[i]));
        CHECK_INT(foreign_read(strbuf_view(&file), sv_from(names[i]), false, nets[i]), NET_OK);
        net_describe(nets[i], &words[i]);
    }
    CHECK(nets[0]->id == nets[1]->id);
    CHECK(!sv_equal(strbuf_view(&words[0]), strbuf_view(&words[1])));
    strbuf_free(&words[0]);
    strbuf_free(&words[1]);
    net_free(nets[0]);
    net_free(nets[1]);
    strbuf_free(&file);
}

static void test_padding(void) {
    Kind kind = {"kp", 32, 16, 64, 0, LAYERED, ""};
    Rng rng = rng_init(15);
    StrBuf file = STRBUF_INIT;
    write_net(&rng, &kind, &file);
    for (int i = 0; i < 64; i++) {
        NnueNet *net = NULL;
        strbuf_add_byte(&file, "bullet"[i % 6]);
        CHECK_INT(net_read(file.ptr, file.len, &net), NET_OK);
        net_free(net);
    }
    /* The last weight of a file may look like padding, also in one without hashes. */
    for (int i = 0; i < 2; i++) {
        kind.dialect = i == 0 ? LAYERED : NO_HASHES;
        strbuf_clear(&file);
        write_net(&rng, &kind, &file);
        file.ptr[file.len - 1] = 'b';
        NnueNet *net = NULL;
        CHECK_INT(net_read(file.ptr, file.len, &net), NET_OK);
        net_free(net);
    }
    strbuf_free(&file);
}

/* A file that has lost its last eight bytes has the size of one without the two hashes of the
 * sections. If the hashes are right, it is not taken for one. */
static void test_cut_by_hashes(void) {
    Kind kind = {"kp", 32, 8, 32, 0, 0, ""};
    Rng rng = rng_init(14);
    StrBuf file = STRBUF_INIT;
    write_net(&rng, &kind, &file);
    size_t text_len = (unsigned char)file.ptr[8];
    size_t second = 12 + text_len + 4 + 2 * 32 * ((size_t)features_named("kp")->inputs + 1);
    for (int is_right = 0; is_right < 2; is_right++) {
        memcpy(file.ptr + 12 + text_len, "\1\2\3\4", 4);
        memcpy(file.ptr + second, "\x70\x60\x50\x40", 4);
        memcpy(file.ptr + 4, is_right ? "\x71\x62\x53\x44" : "\x71\x62\x53\x45", 4);
        NnueNet *net = xmem_calloc(1, sizeof(*net));
        CHECK_INT(foreign_read(strbuf_view(&file), SV(""), false, net), NET_OK);
        net_free(net);
        net = xmem_calloc(1, sizeof(*net));
        CHECK_INT(foreign_read(sv_prefix(strbuf_view(&file), file.len - 8), SV(""), false, net),
                  is_right ? NET_BAD_SHAPE : NET_OK);
        net_free(net);
    }
    strbuf_free(&file);
}

/* A progress.bin that is cut, or has numbers that are none. */
static void test_bad_progress_files(void) {
    Rng rng = rng_init(11);
    Kind kind = {"kp", 64, 16, 32, 8, COUNTED, ""};
    StrBuf file = STRBUF_INIT, progress = STRBUF_INIT;
    write_net_with(&rng, &kind, "progress8kpabs", &file);
    write_progress(1, &progress);
    static const double bad[] = {(double)INFINITY, (double)NAN, 1e300};
    for (size_t i = 0; i <= COUNTOF(bad); i++) {
        NnueNet *net = xmem_calloc(1, sizeof(*net));
        CHECK_INT(foreign_read(strbuf_view(&file), SV(""), false, net), NET_OK);
        StrView bytes = strbuf_view(&progress);
        if (i < COUNTOF(bad)) {
            memcpy(progress.ptr + 8000, &bad[i], sizeof(bad[i]));
        } else {
            bytes.len -= 8;
        }
        CHECK_INT(foreign_read_progress(bytes, net), NET_BAD_PROGRESS);
        net_free(net);
    }
    strbuf_free(&file);
    strbuf_free(&progress);
}

/* ---- hostile files --------------------------------------------------------------------------- */

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
          {"what cannot be evaluated is named", test_named_refusals}, {"texts", test_texts},
          {"names", test_names}, {"the file of the progress", test_progress_file},
          {"bad files of the progress", test_bad_progress_files},
          {"the same bytes under other names", test_same_bytes}, {"padding", test_padding},
          {"cut files", test_cut_by_hashes}, {"hostile files", test_hostile_files})
