/* The public names over the modules of rules/. Enumerations have the same values on both sides,
 * which is asserted here, so a conversion is a cast. */
#include "komadori/shogi.h"

#include <stdlib.h>
#include <string.h>

#include "api/handles.h"
#include "base/buildinfo.h"
#include "base/xmem.h"
#include "komadori/version.h"
#include "rules/count.h"
#include "rules/declare.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/outcome.h"
#include "rules/perft.h"
#include "rules/repetition.h"
#include "rules/rules.h"
#include "rules/sfen.h"
#include "rules/usimove.h"

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #ours)

SAME(KMD_ERROR_SFEN_EMPTY, SFEN_EMPTY);
SAME(KMD_ERROR_SFEN_PIECE, SFEN_BAD_PIECE);
SAME(KMD_ERROR_SFEN_RANK, SFEN_BAD_RANK);
SAME(KMD_ERROR_SFEN_RANK_COUNT, SFEN_BAD_RANK_COUNT);
SAME(KMD_ERROR_SFEN_SIDE, SFEN_BAD_SIDE);
SAME(KMD_ERROR_SFEN_HAND, SFEN_BAD_HAND);
SAME(KMD_ERROR_SFEN_PLY, SFEN_BAD_PLY);
SAME(KMD_ERROR_SFEN_TRAILING, SFEN_TRAILING);
SAME(KMD_ERROR_SFEN_TOO_MANY, SFEN_TOO_MANY);
SAME(KMD_ERROR_SFEN_TWO_KINGS, SFEN_TWO_KINGS);
SAME(KMD_ERROR_SFEN_NIFU, SFEN_NIFU);
SAME(KMD_ERROR_SFEN_DEAD_PIECE, SFEN_DEAD_PIECE);
SAME(KMD_ERROR_SFEN_OPPONENT_IN_CHECK, SFEN_OPPONENT_IN_CHECK);

SAME(KMD_BLACK, BLACK);
SAME(KMD_WHITE, WHITE);
SAME(KMD_SQUARE(7, 6), SQ(7, 6));
SAME(KMD_SQUARE_NONE, SQ_NONE);
SAME(KMD_PAWN, PAWN);
SAME(KMD_LANCE, LANCE);
SAME(KMD_KNIGHT, KNIGHT);
SAME(KMD_SILVER, SILVER);
SAME(KMD_BISHOP, BISHOP);
SAME(KMD_ROOK, ROOK);
SAME(KMD_GOLD, GOLD);
SAME(KMD_KING, KING);
SAME(KMD_PRO_PAWN, PRO_PAWN);
SAME(KMD_PRO_LANCE, PRO_LANCE);
SAME(KMD_PRO_KNIGHT, PRO_KNIGHT);
SAME(KMD_PRO_SILVER, PRO_SILVER);
SAME(KMD_HORSE, HORSE);
SAME(KMD_DRAGON, DRAGON);
SAME(KMD_PROMOTED, PROMOTED);

SAME(KMD_MOVE_NONE, MOVE_NONE);
SAME(KMD_MOVE_PASS, MOVE_NULL);
SAME(KMD_MOVE_RESIGN, MOVE_RESIGN);
SAME(KMD_MOVE_WIN, MOVE_WIN);
SAME(KMD_MAX_MOVES, MAX_MOVES);
SAME(KMD_MOVE_TEXT_SIZE, USI_MOVE_SIZE);

SAME(KMD_LEGAL, MOVE_LEGAL);
SAME(KMD_ILLEGAL_NOT_A_MOVE, ILLEGAL_NOT_A_MOVE);
SAME(KMD_ILLEGAL_NO_PIECE, ILLEGAL_NO_PIECE);
SAME(KMD_ILLEGAL_NOT_YOURS, ILLEGAL_NOT_YOURS);
SAME(KMD_ILLEGAL_NOT_IN_HAND, ILLEGAL_NOT_IN_HAND);
SAME(KMD_ILLEGAL_OCCUPIED, ILLEGAL_OCCUPIED);
SAME(KMD_ILLEGAL_PIECE_MOVE, ILLEGAL_PIECE_MOVE);
SAME(KMD_ILLEGAL_PROMOTION, ILLEGAL_PROMOTION);
SAME(KMD_ILLEGAL_DEAD_PIECE, ILLEGAL_DEAD_PIECE);
SAME(KMD_ILLEGAL_NIFU, ILLEGAL_NIFU);
SAME(KMD_ILLEGAL_IGNORES_CHECK, ILLEGAL_IGNORES_CHECK);
SAME(KMD_ILLEGAL_KING_IN_CHECK, ILLEGAL_KING_IN_CHECK);
SAME(KMD_ILLEGAL_UCHIFUZUME, ILLEGAL_UCHIFUZUME);

SAME(KMD_REPETITION_NONE, REP_NONE);
SAME(KMD_REPETITION_DRAW, REP_DRAW);
SAME(KMD_REPETITION_WIN, REP_WIN);
SAME(KMD_REPETITION_LOSS, REP_LOSS);
SAME(KMD_DECLARE_NONE, DECLARE_NONE);
SAME(KMD_DECLARE_24, DECLARE_24);
SAME(KMD_DECLARE_24H, DECLARE_24H);
SAME(KMD_DECLARE_27, DECLARE_27);
SAME(KMD_DECLARE_27H, DECLARE_27H);
SAME(KMD_DECLARE_TRY, DECLARE_TRY);
SAME(KMD_DECLARATION_REFUSED, DECLARE_REFUSED);
SAME(KMD_DECLARATION_DRAW, DECLARE_DRAW);
SAME(KMD_DECLARATION_WIN, DECLARE_WIN);
SAME(KMD_OUTCOME_ONGOING, OUTCOME_ONGOING);
SAME(KMD_OUTCOME_MATE, OUTCOME_MATE);
SAME(KMD_OUTCOME_NO_MOVES, OUTCOME_NO_MOVES);
SAME(KMD_OUTCOME_SENNICHITE, OUTCOME_SENNICHITE);
SAME(KMD_OUTCOME_PERPETUAL_CHECK, OUTCOME_PERPETUAL_CHECK);
SAME(KMD_OUTCOME_TRY, OUTCOME_TRY);
SAME(KMD_OUTCOME_MAX_PLIES, OUTCOME_MAX_PLIES);
SAME(KMD_WINNER_NONE, WINNER_NONE);
SAME(KMD_WINNER_BLACK, WINNER_BLACK);
SAME(KMD_WINNER_WHITE, WINNER_WHITE);
SAME(KMD_WINNER_DRAW, WINNER_DRAW);
SAME(KMD_PERFT_MAX_DEPTH, PERFT_MAX_DEPTH);

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

/* The words for errors that are not sfen_error_text's. */
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
    return error < KMD_ERROR_MOVE_TEXT ? sfen_error_text((SfenError)error) : error_texts[error];
}

const char *kmd_version(void) {
    return KMD_VERSION;
}

const char *kmd_build(void) {
    return buildinfo_text();
}

/* ---- moves ----------------------------------------------------------------------------------- */

KmdMove kmd_move_make(KmdSquare from, KmdSquare to, bool promotes) {
    return promotes ? move_make_promotion(from, to) : move_make(from, to);
}

KmdMove kmd_move_make_drop(KmdPieceType type, KmdSquare to) {
    return move_make_drop((PieceType)type, to);
}

/* Any 16 bits may come in. */
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

/* Every position comes from here, so the tables are filled before any is used. */
static KmdPosition *new_position(void) {
    rules_init();
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
    return (KmdError)pos_set_sfen(&pos->inner, sv_from(sfen), column);
}

/* Plays the words of `tok` and reports the place of the first that is no legal move. */
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

/* The part of a position's text before the word "moves"; *rest is what follows that word. */
static StrView split_moves(StrView text, StrView *rest) {
    Tokenizer tok = {text};
    StrView word;
    while (tok_next(&tok, &word)) {
        if (sv_equal(word, SV("moves"))) {
            *rest = tok.rest;
            return sv_take(text, (size_t)(word.ptr - text.ptr));
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
    KmdError error = (KmdError)pos_set_sfen(&next, start, &place);
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
    return count_legal(&pos->inner);
}

KmdLegality kmd_legality(const KmdPosition *pos, KmdMove move) {
    return (KmdLegality)legality_of(&pos->inner, move);
}

const char *kmd_legality_text(KmdLegality reason) {
    return legality_text((Legality)reason);
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
    return pos_in_check(&pos->inner) && !has_legal_move(&pos->inner);
}

bool kmd_gives_check(const KmdPosition *pos, KmdMove move) {
    return move_is_legal(&pos->inner, move) && pos_gives_check(&pos->inner, move);
}

int kmd_repetition_count(const KmdPosition *pos) {
    return rep_count(&pos->inner);
}

KmdRepetition kmd_repetition(const KmdPosition *pos) {
    return (KmdRepetition)rep_game(&pos->inner);
}

KmdDeclaration kmd_declaration(const KmdPosition *pos, KmdDeclareRule rule) {
    return (KmdDeclaration)declare_result(&pos->inner, (DeclareRule)rule);
}

KmdDeclareCount kmd_declare_count(const KmdPosition *pos, KmdColor side) {
    DeclareCount count = declare_count(&pos->inner, (Color)side);
    return (KmdDeclareCount){count.king_in_zone, count.in_check, count.pieces_in_zone, count.points,
                             count.handicap_points};
}

KmdOutcome kmd_outcome(const KmdPosition *pos, KmdDeclareRule rule, int max_plies) {
    OutcomeRules rules = {(DeclareRule)rule, max_plies};
    Outcome outcome = outcome_of(&pos->inner, &rules);
    return (KmdOutcome){(KmdOutcomeKind)outcome.kind, (KmdWinner)outcome.winner};
}

const char *kmd_outcome_text(KmdOutcomeKind kind) {
    return outcome_text((OutcomeKind)kind);
}

/* ---- counting -------------------------------------------------------------------------------- */

KmdError kmd_perft(const KmdPosition *pos, int depth, int threads, size_t hash_mb, uint64_t *total,
                   KmdPerftLine lines[KMD_MAX_MOVES]) {
    if (depth < 0 || depth > PERFT_MAX_DEPTH || threads < 1 || threads > KMD_PERFT_MAX_THREADS) {
        return KMD_ERROR_RANGE;
    }
    PerftOptions options = {depth, threads, hash_mb, true};
    PerftResult *result = xmem_calloc(1, sizeof(*result));
    bool is_done = perft_run(&pos->inner, &options, NULL, result);
    if (is_done) {
        *total = result->total;
        for (int i = 0; i < result->line_count && lines != NULL; i++) {
            lines[i] = (KmdPerftLine){result->line[i].move, result->line[i].count};
        }
    }
    free(result);
    return is_done ? KMD_OK : KMD_ERROR_MEMORY;
}
