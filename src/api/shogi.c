/* shogi.c: implements the public API for rules with the functions of rules/. */
#include "komadori/shogi.h"

#include <stdlib.h>
#include <string.h>

#include "api/handles.h"
#include "base/base.h"
#include "base/xmem.h"
#include "komadori/version.h"
#include "mate/matesolver.h"
#include "rules/declare.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/outcome.h"
#include "rules/perft.h"
#include "rules/position.h"
#include "rules/repetition.h"
#include "rules/sfen.h"
#include "rules/usimove.h"

/* ---- errors ---------------------------------------------------------------------------------- */

static const char *const error_names[] = {
    [KMD_OK] = "KMD_OK",
    [KMD_ERROR_SFEN_EMPTY] = "KMD_ERROR_SFEN_EMPTY",
    [KMD_ERROR_SFEN_PIECE] = "KMD_ERROR_SFEN_PIECE",
    [KMD_ERROR_SFEN_RANK] = "KMD_ERROR_SFEN_RANK",
    [KMD_ERROR_SFEN_RANK_COUNT] = "KMD_ERROR_SFEN_RANK_COUNT",
    [KMD_ERROR_SFEN_SIDE] = "KMD_ERROR_SFEN_SIDE",
    [KMD_ERROR_SFEN_HAND] = "KMD_ERROR_SFEN_HAND",
    [KMD_ERROR_SFEN_PLY] = "KMD_ERROR_SFEN_PLY",
    [KMD_ERROR_SFEN_TRAILING] = "KMD_ERROR_SFEN_TRAILING",
    [KMD_ERROR_SFEN_TOO_MANY] = "KMD_ERROR_SFEN_TOO_MANY",
    [KMD_ERROR_SFEN_TWO_KINGS] = "KMD_ERROR_SFEN_TWO_KINGS",
    [KMD_ERROR_SFEN_NIFU] = "KMD_ERROR_SFEN_NIFU",
    [KMD_ERROR_SFEN_DEAD_PIECE] = "KMD_ERROR_SFEN_DEAD_PIECE",
    [KMD_ERROR_SFEN_OPPONENT_IN_CHECK] = "KMD_ERROR_SFEN_OPPONENT_IN_CHECK",
    [KMD_ERROR_MOVE_TEXT] = "KMD_ERROR_MOVE_TEXT",
    [KMD_ERROR_ILLEGAL_MOVE] = "KMD_ERROR_ILLEGAL_MOVE",
    [KMD_ERROR_NO_MOVE] = "KMD_ERROR_NO_MOVE",
    [KMD_ERROR_RANGE] = "KMD_ERROR_RANGE",
    [KMD_ERROR_MEMORY] = "KMD_ERROR_MEMORY",
};

/* Descriptions of the errors that sfen_error_text does not cover. */
static const char *const error_texts[] = {
    [KMD_ERROR_MOVE_TEXT] = "not the text of a move",
    [KMD_ERROR_ILLEGAL_MOVE] = "illegal move",
    [KMD_ERROR_NO_MOVE] = "no move to take back",
    [KMD_ERROR_RANGE] = "a number outside its range",
    [KMD_ERROR_MEMORY] = "not enough memory for the table",
};

const char *kmd_error_name(KmdError error) {
    return (size_t)error < COUNTOF(error_names) ? error_names[error] : "KMD_ERROR_UNKNOWN";
}

const char *kmd_error_text(KmdError error) {
    if ((size_t)error >= COUNTOF(error_texts)) {
        return "unknown error";
    }
    return error < KMD_ERROR_MOVE_TEXT ? sfen_error_text(error) : error_texts[error];
}

void kmd_on_memory_shortage(KmdMemoryHandler *handler, void *context) {
    xmem_on_shortage(handler, context);
}

const char *kmd_version(void) {
    return KMD_VERSION;
}

const char *kmd_build(void) {
    return base_build_text();
}

/* ---- moves ----------------------------------------------------------------------------------- */

KmdMove kmd_move_make(KmdSquare from, KmdSquare to, bool promotes) {
    return promotes ? move_make_promotion(from, to) : move_make(from, to);
}

KmdMove kmd_move_make_drop(KmdPieceType type, KmdSquare to) {
    return move_make_drop((PieceType)type, to);
}

/* True for a drop; any 16 bits are allowed. */
static bool is_drop(KmdMove move) {
    return move_origin(move) > SQ_NB && move_origin(move) <= SQ_NB + GOLD;
}

KmdSquare kmd_move_from(KmdMove move) {
    bool has_origin = move_is_real(move) && move_origin(move) < SQ_NB;
    return has_origin ? move_origin(move) : KMD_SQUARE_NONE;
}

KmdSquare kmd_move_to(KmdMove move) {
    return move_is_real(move) && move_to(move) < SQ_NB ? move_to(move) : KMD_SQUARE_NONE;
}

KmdPieceType kmd_move_drop_type(KmdMove move) {
    return is_drop(move) ? (KmdPieceType)move_drop_type(move) : KMD_NO_PIECE_TYPE;
}

bool kmd_move_promotes(KmdMove move) {
    return move_is_promotion(move);
}

KmdMove kmd_move_read(const char *text) {
    return usimove_read(sv_from(text));
}

const char *kmd_move_write(KmdMove move, char out[KMD_MOVE_TEXT_SIZE]) {
    bool has_squares =
        kmd_move_to(move) != KMD_SQUARE_NONE && (is_drop(move) || move_origin(move) < SQ_NB);
    return usimove_write(has_squares || !move_is_real(move) ? move : MOVE_NONE, out);
}

/* ---- positions ------------------------------------------------------------------------------- */

/* Every position is created here, so the tables are filled before any position is used. */
static KmdPosition *new_position(void) {
    pos_init_tables();
    KmdPosition *pos = xmem_calloc(1, sizeof(*pos));
    pos_init(&pos->inner);
    return pos;
}

KmdPosition *kmd_position_new(void) {
    KmdPosition *pos = new_position();
    Setup start = setup_start();
    pos_set(&pos->inner, &start);
    return pos;
}

KmdPosition *kmd_position_copy(const KmdPosition *pos) {
    KmdPosition *copy = new_position();
    pos_copy(&copy->inner, &pos->inner);
    return copy;
}

void kmd_position_free(KmdPosition *pos) {
    if (pos != NULL) {
        pos_free(&pos->inner);
        free(pos);
    }
}

KmdError kmd_position_set_sfen(KmdPosition *pos, const char *sfen, int *column) {
    return pos_set_sfen(&pos->inner, sv_from(sfen), column);
}

/* Plays the moves in `tok`, and sets *column for the first one that is not legal. */
static KmdError play_words(Position *pos, Tokenizer *tok, StrView whole, int *column) {
    StrView word;
    while (tok_next(tok, &word)) {
        Move move = usimove_read(word);
        if (!move_is_legal(pos, move)) {
            *column = (int)(word.ptr - whole.ptr) + 1;
            return move == MOVE_NONE ? KMD_ERROR_MOVE_TEXT : KMD_ERROR_ILLEGAL_MOVE;
        }
        pos_do(pos, move);
    }
    return KMD_OK;
}

/* The part of a position's text before the word "moves"; *rest is the text after that word. */
static StrView split_moves(StrView text, StrView *rest) {
    Tokenizer tok = {text};
    StrView word;
    while (tok_next(&tok, &word)) {
        if (sv_equal(word, SV("moves"))) {
            *rest = tok.rest;
            return sv_prefix(text, (size_t)(word.ptr - text.ptr));
        }
    }
    *rest = sv_skip(text, text.len);
    return text;
}

KmdError kmd_position_set_usi(KmdPosition *pos, const char *text, int *column) {
    StrView whole = sv_from(text);
    StrView moves;
    StrView start = split_moves(whole, &moves);
    Tokenizer tok = {start};
    StrView word;
    if (tok_next(&tok, &word) && sv_equal(word, SV("sfen"))) {
        start = tok.rest;
    }
    int place = 0;
    Position next;
    pos_init(&next);
    KmdError error = pos_set_sfen(&next, start, &place);
    if (error == KMD_OK) {
        tok.rest = moves;
        error = play_words(&next, &tok, whole, &place);
    } else {
        place += (int)(start.ptr - whole.ptr);
    }
    if (error == KMD_OK) {
        Position old = pos->inner;
        pos->inner = next;
        next = old;
    } else if (column != NULL) {
        *column = place;
    }
    pos_free(&next);
    return error;
}

size_t kmd_position_sfen(const KmdPosition *pos, char *out, size_t size) {
    StrBuf text = STRBUF_INIT;
    pos_get_sfen(&pos->inner, &text);
    size_t len = text.len;
    if (size > 0) {
        size_t kept = len < size ? len : size - 1;
        memcpy(out, text.ptr, kept);
        out[kept] = '\0';
    }
    strbuf_free(&text);
    return len;
}

KmdColor kmd_side_to_move(const KmdPosition *pos) {
    return (KmdColor)pos->inner.side;
}

int kmd_ply(const KmdPosition *pos) {
    return pos->inner.ply;
}

KmdPiece kmd_piece_on(const KmdPosition *pos, KmdSquare square) {
    Piece piece = pos_piece(&pos->inner, square);
    return (KmdPiece){(KmdPieceType)piece_type(piece), (KmdColor)piece_color(piece)};
}

int kmd_hand_count(const KmdPosition *pos, KmdColor color, KmdPieceType type) {
    return hand_count(pos->inner.hand[color], (PieceType)type);
}

uint64_t kmd_position_key(const KmdPosition *pos) {
    return pos_key(&pos->inner);
}

/* ---- playing --------------------------------------------------------------------------------- */

int kmd_legal_moves(const KmdPosition *pos, KmdMove list[KMD_MAX_MOVES]) {
    return gen_moves(&pos->inner, GEN_LEGAL, list);
}

int kmd_legal_count(const KmdPosition *pos) {
    return gen_count(&pos->inner);
}

KmdLegality kmd_legality(const KmdPosition *pos, KmdMove move) {
    return legality_of(&pos->inner, move);
}

const char *kmd_legality_text(KmdLegality reason) {
    return legality_text(reason);
}

KmdError kmd_do(KmdPosition *pos, KmdMove move) {
    if (!move_is_legal(&pos->inner, move)) {
        return KMD_ERROR_ILLEGAL_MOVE;
    }
    pos_do(&pos->inner, move);
    return KMD_OK;
}

KmdError kmd_undo(KmdPosition *pos) {
    if (pos_moves_done(&pos->inner) == 0) {
        return KMD_ERROR_NO_MOVE;
    }
    pos_undo(&pos->inner);
    return KMD_OK;
}

int kmd_moves_played(const KmdPosition *pos) {
    return pos_moves_done(&pos->inner);
}

KmdMove kmd_move_played(const KmdPosition *pos, int index) {
    bool is_there = index >= 0 && index < pos_moves_done(&pos->inner);
    return is_there ? pos->inner.states[index + 1].move : (KmdMove)KMD_MOVE_NONE;
}

/* ---- the end of a game ----------------------------------------------------------------------- */

bool kmd_is_check(const KmdPosition *pos) {
    return pos_in_check(&pos->inner);
}

bool kmd_is_mate(const KmdPosition *pos) {
    return pos_in_check(&pos->inner) && !gen_has_move(&pos->inner);
}

bool kmd_gives_check(const KmdPosition *pos, KmdMove move) {
    return move_is_legal(&pos->inner, move) && pos_gives_check(&pos->inner, move);
}

int kmd_repetition_count(const KmdPosition *pos) {
    return repetition_count(&pos->inner);
}

KmdRepetition kmd_repetition(const KmdPosition *pos) {
    return (KmdRepetition)repetition_in_game(&pos->inner);
}

KmdDeclaration kmd_declaration(const KmdPosition *pos, KmdDeclareRule rule) {
    return declare_result(&pos->inner, rule);
}

KmdDeclareCount kmd_declare_count(const KmdPosition *pos, KmdColor side) {
    return declare_count(&pos->inner, (Color)side);
}

KmdOutcome kmd_outcome(const KmdPosition *pos, KmdDeclareRule rule, int max_plies) {
    OutcomeRules rules = {rule, max_plies};
    return outcome_of(&pos->inner, &rules);
}

const char *kmd_ending_text(KmdEnding ending) {
    return outcome_ending_text(ending);
}

/* ---- mate ------------------------------------------------------------------------------------ */

KmdError kmd_mate(const KmdPosition *pos, uint64_t nodes, size_t hash_mb, KmdMate *verdict,
                  KmdMove line[KMD_MATE_LINE_MAX], int *length) {
    if (hash_mb < 1 || hash_mb > KMD_MATE_MAX_HASH_MB) {
        return KMD_ERROR_RANGE;
    }
    bool is_defence = matesolver_can_only_defend(&pos->inner);
    if (pos->inner.king[color_flip(pos->inner.side)] == SQ_NONE && !is_defence) {
        return KMD_ERROR_NO_MOVE;
    }
    MateSolver *solver = matesolver_new(hash_mb << 20, 1);
    if (solver == NULL) {
        return KMD_ERROR_MEMORY;
    }
    MateAnswer *answer = xmem_try_calloc(1, sizeof(*answer));
    if (answer == NULL) {
        matesolver_free(solver);
        return KMD_ERROR_MEMORY;
    }
    MateSolverOptions options = {.is_defence = is_defence, .nodes = nodes};
    matesolver_solve(solver, &pos->inner, &options, answer);
    *verdict = (KmdMate)answer->verdict;
    *length = answer->verdict == MATE_FOUND ? answer->line_len : 0;
    memcpy(line, answer->line, (size_t)*length * sizeof(*line));
    free(answer);
    matesolver_free(solver);
    return KMD_OK;
}

/* ---- counting -------------------------------------------------------------------------------- */

KmdError kmd_perft(const KmdPosition *pos, int depth, int threads, size_t hash_mb, uint64_t *total,
                   KmdPerftLine lines[KMD_MAX_MOVES]) {
    if (depth < 0 || depth > PERFT_MAX_DEPTH || threads < 1 || threads > KMD_PERFT_MAX_THREADS) {
        return KMD_ERROR_RANGE;
    }
    PerftOptions options = {depth, threads, hash_mb, true};
    PerftResult *result = xmem_try_calloc(1, sizeof(*result));
    bool is_done = result != NULL && perft_run(&pos->inner, &options, NULL, result);
    if (is_done) {
        *total = result->total;
        for (int i = 0; i < result->line_count && lines != NULL; i++) {
            lines[i] = (KmdPerftLine){result->line[i].move, result->line[i].count};
        }
    }
    free(result);
    return is_done ? KMD_OK : KMD_ERROR_MEMORY;
}
