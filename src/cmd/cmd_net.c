#include "cmd/cmd_net.h"

#include <string.h>

#include "cmd/cmdargs.h"
#include "engine/evalfile.h"
#include "eval/features.h"
#include "eval/handwritten.h"
#include "eval/netfile.h"
#include "eval/nnue.h"
#include "rules/sfen.h"
#include "usi/output.h"

/* ---- net ------------------------------------------------------------------------------------- */

static int say_usage(const CommandContext *context, const char *usage) {
    output_linef(context->out, "info string error usage: %s", usage);
    return 2;
}

/* False when there is none; *why says it then. */
static bool load_net(StrView path, NnueNet **net, const char **why) {
    if (path.len == 0) {
        *net = evalfile_embedded();
        *why = net_error_text(NET_NO_NET);
        return *net != NULL;
    }
    StrBuf text = STRBUF_INIT;
    strbuf_add(&text, path);
    int system_error;
    NetError error = net_load(text.ptr, net, &system_error);
    strbuf_free(&text);
    *why = net_load_error_text(error, system_error);
    return error == NET_OK;
}

static void print_net(Output *out, const NnueNet *net) {
    output_linef(out, "network     %016llx", (unsigned long long)net->id);
    output_linef(out, "inputs      %d per view", NNUE_INPUTS);
    output_linef(out, "hidden      %d per view, %s", net->hidden,
                 net->is_layered ? "products of pairs -> 16, plain and squared -> 32"
                                 : "squared clipped ReLU");
    output_linef(out, "outputs     %d", net->buckets);
    output_linef(out, "scale       %d centipawns", net->scale);
}

int cmd_net(const CommandContext *context, StrView args) {
    Tokenizer tok = {args};
    StrView verb;
    StrView path;
    tok_next(&tok, &verb);
    bool has_path = cmdargs_next(&tok, &path);
    bool is_verify = sv_equal(verb, SV("verify"));
    if ((!is_verify && !sv_equal(verb, SV("info"))) || (is_verify && !has_path) ||
        tok_rest(&tok).len > 0) {
        return say_usage(context, "net info [FILE] | net verify FILE");
    }
    NnueNet *net = NULL;
    const char *why;
    if (!load_net(path, &net, &why)) {
        output_linef(context->out, "info string error net: %.*s: %s", (int)path.len,
                     path.len > 0 ? path.ptr : "", why);
        return 1;
    }
    if (is_verify) {
        output_linef(context->out, "whole: %016llx", (unsigned long long)net->id);
    } else {
        print_net(context->out, net);
    }
    net_free(net);
    return 0;
}

/* ---- eval ------------------------------------------------------------------------------------ */

/* A position through the eyes of a network: its inputs, in the order of nnue_list_inputs. */
typedef struct Look {
    const NnueNet *net;
    const Position *pos;
    NnueInputs views[2]; /* the mover's first */
    int bucket;
} Look;

static Look look_at(const NnueNet *net, const Position *pos) {
    Look look = {.net = net, .pos = pos, .bucket = nnue_bucket(pos, net->buckets)};
    nnue_list_inputs(pos, nnue_view(pos, pos->side), &look.views[0]);
    nnue_list_inputs(pos, nnue_view(pos, color_flip(pos->side)), &look.views[1]);
    return look;
}

/* In pawns for black. */
static double for_black(const Look *look, int score) {
    return (look->pos->side == BLACK ? score : -score) / 100.0;
}

/* What the score loses without input number `index`. */
static double worth_of(const Look *look, int index) {
    NnueInputs views[2] = {look->views[0], look->views[1]};
    for (int view = 0; view < 2; view++) {
        views[view].input[index] = views[view].input[--views[view].count];
    }
    int with = nnue_evaluate_inputs(look->net, look->views, look->bucket);
    return for_black(look, with - nnue_evaluate_inputs(look->net, views, look->bucket));
}

/* The number of the input of the piece on sq: occupied squares come in their order. */
static int input_of(const Position *pos, Square sq) {
    int index = 0;
    for (Square before = 0; before < sq; before++) {
        index += pos->board[before] != NO_PIECE;
    }
    return index;
}

static void add_cell(const Look *look, Square sq, StrBuf *line) {
    Piece piece = look->pos->board[sq];
    if (piece == NO_PIECE) {
        strbuf_add_str(line, "     .   ");
        return;
    }
    char letter = sfen_letter(piece_type(piece));
    letter = piece_color(piece) == BLACK ? letter : (char)(letter - 'A' + 'a');
    strbuf_addf(line, " %c%c", pt_is_promoted(piece_type(piece)) ? '+' : ' ', letter);
    if (piece_type(piece) == KING) {
        strbuf_add_str(line, "      ");
    } else {
        strbuf_addf(line, "%+6.2f", worth_of(look, input_of(look->pos, sq)));
    }
}

static void print_board(Output *out, const Look *look) {
    StrBuf line = STRBUF_INIT;
    for (int rank = 0; rank < RANK_NB; rank++) {
        strbuf_clear(&line);
        for (int file = FILE_NB - 1; file >= 0; file--) {
            add_cell(look, sq_make(file, rank), &line);
        }
        strbuf_addf(&line, "  %c", 'a' + rank);
        output_line(out, strbuf_view(&line));
    }
    strbuf_free(&line);
}

/* A hand's pieces follow those on the board, black's first, each with what it adds. */
static void print_hands(Output *out, const Look *look) {
    int index = bb_count(pos_occupied(look->pos));
    StrBuf line = STRBUF_INIT;
    for (int color = BLACK; color <= WHITE; color++) {
        strbuf_clear(&line);
        strbuf_add_str(&line, color == BLACK ? "black's hand:" : "white's hand:");
        for (int type = PAWN; type <= GOLD; type++) {
            int count = hand_count(look->pos->hand[color], (PieceType)type);
            for (int i = 0; i < count; i++) {
                strbuf_addf(&line, " %c%+.2f", sfen_letter((PieceType)type),
                            worth_of(look, index++));
            }
        }
        output_line(out, strbuf_view(&line));
    }
    strbuf_free(&line);
}

static void print_look(Output *out, const Look *look) {
    output_line(out, SV("pawns for black; behind a piece what the score loses without it"));
    print_board(out, look);
    print_hands(out, look);
    for (int bucket = 0; bucket < look->net->buckets; bucket++) {
        int score = nnue_evaluate_inputs(look->net, look->views, bucket);
        output_linef(out, "output %d  %+7.2f%s", bucket, for_black(look, score),
                     bucket == look->bucket ? "  <- this position's" : "");
    }
}

/* *net stays as it is where no network is named. */
static bool read_eval_args(StrView args, StrView *net, StrView *sfen) {
    Tokenizer tok = {args};
    StrView word;
    if (sv_equal(tok_peek(&tok), SV("--net"))) {
        if (!tok_next(&tok, &word) || !cmdargs_next(&tok, net)) {
            return false;
        }
    }
    *sfen = cmdargs_sfen(tok.rest);
    return !sv_starts_with(*sfen, SV("--"));
}

int cmd_eval(const CommandContext *context, StrView args) {
    StrView path = context->eval_file;
    StrView sfen;
    NnueNet *net = NULL;
    if (!read_eval_args(args, &path, &sfen)) {
        return say_usage(context, "eval [--net FILE] [sfen ...]");
    }
    const char *why;
    if (!evalfile_load(path, &net, &why)) {
        output_linef(context->out, "info string error eval: %.*s: %s", (int)path.len, path.ptr,
                     why);
        return 1;
    }
    Position pos;
    pos_init(&pos);
    pos_copy(&pos, context->pos);
    int column = 0;
    KmdError error = sfen.len > 0 ? pos_set_sfen(&pos, sfen, &column) : KMD_OK;
    if (error != KMD_OK) {
        output_linef(context->out, "info string error eval: %s, column %d", sfen_error_text(error),
                     column);
    } else {
        if (net != NULL) {
            Look look = look_at(net, &pos);
            print_look(context->out, &look);
        }
        int score = net != NULL ? nnue_evaluate_fresh(net, &pos) : evaluate(&pos);
        output_linef(context->out, "evaluation %d for %s, who moves", score,
                     pos.side == BLACK ? "black" : "white");
    }
    pos_free(&pos);
    net_free(net);
    return error == KMD_OK ? 0 : 2;
}
