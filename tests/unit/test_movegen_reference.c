/* Compares the move generator with a second one that shares only types with it. The reference has a
 * mailbox board, makes moves on a copy, tests afterwards whether the king can be captured, and
 * decides pawn-drop mate by trying every reply. Both judge every 16-bit pattern on thousands of
 * random positions. */
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

/* ---- the reference --------------------------------------------------------------------------- */

enum { PATTERNS = 1 << 16 };

/* Files and ranks from 0; black moves towards rank 0. */
typedef struct RefBoard {
    Piece piece[FILE_NB][RANK_NB];
    int hand[COLOR_NB][HAND_TYPE_NB];
    Color side;
} RefBoard;

typedef struct RefMove {
    int from_file, from_rank; /* origin; not used for drops */
    int to_file, to_rank;
    PieceType drop; /* NO_PIECE_TYPE for a move on the board */
    bool promotes;
} RefMove;

static RefBoard ref_from(const Setup *setup) {
    RefBoard board = {.side = setup->side};
    for (int file = 0; file < FILE_NB; file++) {
        for (int rank = 0; rank < RANK_NB; rank++) {
            board.piece[file][rank] = setup->board[file * 9 + rank];
        }
    }
    for (int color = BLACK; color <= WHITE; color++) {
        for (int type = PAWN; type <= GOLD; type++) {
            board.hand[color][type] = hand_count(setup->hand[color], (PieceType)type);
        }
    }
    return board;
}

/* How black's pieces move: one letter per direction, as seen on the board with rank 0 at the top.
 * Lower-case letters are steps, capitals lines; 'x' and 'y' are the knight's jumps. */
static const char *ref_directions(PieceType type) {
    static const char *const directions[PIECE_TYPE_NB] = {
        [NO_PIECE_TYPE] = "",    [PAWN] = "n",           [LANCE] = "N",
        [KNIGHT] = "xy",         [SILVER] = "nqepc",     [BISHOP] = "QEPC",
        [ROOK] = "NSOW",         [GOLD] = "nqeswo",      [KING] = "nsowqepc",
        [PRO_PAWN] = "nqeswo",   [PRO_LANCE] = "nqeswo", [PRO_KNIGHT] = "nqeswo",
        [PRO_SILVER] = "nqeswo", [HORSE] = "QEPCnsow",   [DRAGON] = "NSOWqepc"};
    return directions[type];
}

/* Converts a letter to a step: n and s lead towards and away from rank 0, o and w to higher and
 * lower files, q and e along the two forward diagonals, p and c along the two backward
 * diagonals. */
static void ref_step(char direction, int *file_step, int *rank_step) {
    char lower = direction >= 'a' ? direction : (char)(direction - 'A' + 'a');
    *file_step = strchr("oqpx", lower) != NULL ? 1 : strchr("wecy", lower) != NULL ? -1 : 0;
    *rank_step = strchr("nqe", lower) != NULL ? -1 : strchr("spc", lower) != NULL ? 1 : 0;
    if (lower == 'x' || lower == 'y') {
        *rank_step = -2;
    }
}

/* True if the piece on the first square could go to the second square if no piece of its own side
 * is there. */
static bool ref_reaches(const RefBoard *board, int file, int rank, int to_file, int to_rank) {
    Piece piece = board->piece[file][rank];
    for (const char *d = ref_directions(piece_type(piece)); *d != '\0'; d++) {
        int file_step;
        int rank_step;
        ref_step(*d, &file_step, &rank_step);
        rank_step = piece_color(piece) == BLACK ? rank_step : -rank_step;
        int f = file + file_step;
        int r = rank + rank_step;
        bool is_line = *d < 'a';
        while (f >= 0 && f < FILE_NB && r >= 0 && r < RANK_NB) {
            if (f == to_file && r == to_rank) {
                return true;
            }
            if (!is_line || board->piece[f][r] != NO_PIECE) {
                break;
            }
            f += file_step;
            r += rank_step;
        }
    }
    return false;
}

static bool ref_find_king(const RefBoard *board, Color color, int *file, int *rank) {
    for (*file = 0; *file < FILE_NB; ++*file) {
        for (*rank = 0; *rank < RANK_NB; ++*rank) {
            if (board->piece[*file][*rank] == piece_make(color, KING)) {
                return true;
            }
        }
    }
    return false;
}

/* Marks every enemy piece that attacks the king of `color`. Returns false if there is none. */
static bool ref_checkers(const RefBoard *board, Color color, bool checks[FILE_NB][RANK_NB]) {
    int king_file;
    int king_rank;
    bool is_in_check = false;
    memset(checks, 0, sizeof(bool) * FILE_NB * RANK_NB);
    if (!ref_find_king(board, color, &king_file, &king_rank)) {
        return false;
    }
    for (int file = 0; file < FILE_NB; file++) {
        for (int rank = 0; rank < RANK_NB; rank++) {
            Piece piece = board->piece[file][rank];
            if (piece != NO_PIECE && piece_color(piece) != color &&
                ref_reaches(board, file, rank, king_file, king_rank)) {
                checks[file][rank] = true;
                is_in_check = true;
            }
        }
    }
    return is_in_check;
}

static bool ref_in_check(const RefBoard *board, Color color) {
    bool checks[FILE_NB][RANK_NB];
    return ref_checkers(board, color, checks);
}

/* Decodes a 16-bit pattern. Returns false if it does not have the form of a move. */
static bool ref_decode(int pattern, RefMove *move) {
    int to = pattern & 127;
    int from = pattern >> 7 & 127;
    *move = (RefMove){.to_file = to / 9, .to_rank = to % 9, .promotes = (pattern >> 14 & 1) != 0};
    if (pattern >> 15 != 0 || to >= 81 || from == to || from == 81 || from > 88) {
        return false;
    }
    if (from > 81) {
        move->drop = (PieceType)(from - 81);
        return !move->promotes;
    }
    move->from_file = from / 9;
    move->from_rank = from % 9;
    return true;
}

static RefBoard ref_make(const RefBoard *board, const RefMove *move) {
    RefBoard next = *board;
    Piece *to = &next.piece[move->to_file][move->to_rank];
    if (move->drop != NO_PIECE_TYPE) {
        next.hand[board->side][move->drop]--;
        *to = piece_make(board->side, move->drop);
    } else {
        Piece *from = &next.piece[move->from_file][move->from_rank];
        if (*to != NO_PIECE && piece_type(*to) != KING) {
            int type = piece_type(*to);
            next.hand[board->side][type > KING ? type - KING : type]++;
        }
        *to = (Piece)(*from + (move->promotes ? 8 : 0));
        *from = NO_PIECE;
    }
    next.side = board->side == BLACK ? WHITE : BLACK;
    return next;
}

static int ref_rank_from_far(Color color, int rank) {
    return color == BLACK ? rank : 8 - rank;
}

static bool ref_is_dead(Color color, PieceType type, int rank) {
    int far = ref_rank_from_far(color, rank);
    return (far == 0 && (type == PAWN || type == LANCE)) || (far <= 1 && type == KNIGHT);
}

static KmdLegality ref_drop_form(const RefBoard *board, const RefMove *move) {
    if (board->hand[board->side][move->drop] == 0) {
        return KMD_ILLEGAL_NOT_IN_HAND;
    }
    if (board->piece[move->to_file][move->to_rank] != NO_PIECE) {
        return KMD_ILLEGAL_OCCUPIED;
    }
    if (ref_is_dead(board->side, move->drop, move->to_rank)) {
        return KMD_ILLEGAL_DEAD_PIECE;
    }
    for (int rank = 0; rank < RANK_NB && move->drop == PAWN; rank++) {
        if (board->piece[move->to_file][rank] == piece_make(board->side, PAWN)) {
            return KMD_ILLEGAL_NIFU;
        }
    }
    return KMD_LEGAL;
}

static KmdLegality ref_step_form(const RefBoard *board, const RefMove *move) {
    Piece piece = board->piece[move->from_file][move->from_rank];
    Piece target = board->piece[move->to_file][move->to_rank];
    Color us = board->side;
    if (piece == NO_PIECE) {
        return KMD_ILLEGAL_NO_PIECE;
    }
    if (piece_color(piece) != us) {
        return KMD_ILLEGAL_NOT_YOURS;
    }
    if (target != NO_PIECE && piece_color(target) == us) {
        return KMD_ILLEGAL_OCCUPIED;
    }
    if (!ref_reaches(board, move->from_file, move->from_rank, move->to_file, move->to_rank)) {
        return KMD_ILLEGAL_PIECE_MOVE;
    }
    bool is_in_zone =
        ref_rank_from_far(us, move->from_rank) <= 2 || ref_rank_from_far(us, move->to_rank) <= 2;
    PieceType type = piece_type(piece);
    if (move->promotes && (!is_in_zone || type >= GOLD)) {
        return KMD_ILLEGAL_PROMOTION;
    }
    bool is_dead = !move->promotes && ref_is_dead(us, type, move->to_rank);
    return is_dead ? KMD_ILLEGAL_DEAD_PIECE : KMD_LEGAL;
}

/* The reason why the side's own king can be captured after the move: either the king moved into
 * check, or another piece ignored a check or was pinned. */
static KmdLegality ref_king_reason(const RefBoard *board, const RefBoard *next,
                                   const RefMove *move) {
    bool before[FILE_NB][RANK_NB];
    bool after[FILE_NB][RANK_NB];
    Color us = board->side;
    bool moves_king = move->drop == NO_PIECE_TYPE &&
                      board->piece[move->from_file][move->from_rank] == piece_make(us, KING);
    ref_checkers(board, us, before);
    ref_checkers(next, us, after);
    for (int i = 0; i < SQ_NB && !moves_king; i++) {
        if (before[i / 9][i % 9] && after[i / 9][i % 9]) {
            return KMD_ILLEGAL_IGNORES_CHECK;
        }
    }
    return KMD_ILLEGAL_KING_IN_CHECK;
}

static KmdLegality ref_legality(const RefBoard *board, int pattern);

/* The number of legal moves, at most `limit`. */
static int ref_count(const RefBoard *board, int limit) {
    int count = 0;
    for (int pattern = 0; pattern < PATTERNS / 2 && count < limit; pattern++) {
        count += ref_legality(board, pattern) == KMD_LEGAL;
    }
    return count;
}

static KmdLegality ref_legality(const RefBoard *board, int pattern) {
    RefMove move;
    if (!ref_decode(pattern, &move)) {
        return KMD_ILLEGAL_NOT_A_MOVE;
    }
    KmdLegality form =
        move.drop != NO_PIECE_TYPE ? ref_drop_form(board, &move) : ref_step_form(board, &move);
    if (form != KMD_LEGAL) {
        return form;
    }
    RefBoard next = ref_make(board, &move);
    if (ref_in_check(&next, board->side)) {
        return ref_king_reason(board, &next, &move);
    }
    /* A dropped pawn that checks cannot be answered by another pawn drop, so this ends. */
    bool is_mate = move.drop == PAWN && ref_in_check(&next, next.side) && ref_count(&next, 1) == 0;
    return is_mate ? KMD_ILLEGAL_UCHIFUZUME : KMD_LEGAL;
}

/* The non-promotions that movegen.h leaves out. */
static bool ref_is_declined(const RefBoard *board, const RefMove *move) {
    Color us = board->side;
    if (move->drop != NO_PIECE_TYPE || move->promotes) {
        return false;
    }
    int to_far = ref_rank_from_far(us, move->to_rank);
    bool can_promote = to_far <= 2 || ref_rank_from_far(us, move->from_rank) <= 2;
    switch (piece_type(board->piece[move->from_file][move->from_rank])) {
    case PAWN:
    case BISHOP:
    case ROOK:
        return can_promote;
    case LANCE:
        return to_far == 1;
    default:
        return false;
    }
}

/* ---- the comparison -------------------------------------------------------------------------- */

/* The reference's verdict on every pattern of a position. */
typedef struct Verdict {
    KmdLegality legality[PATTERNS];
    bool is_declined[PATTERNS];
    bool is_noisy[PATTERNS]; /* captures or promotes */
    bool gives_check[PATTERNS];
    int legal_count;
} Verdict;

static void judge_all(const RefBoard *board, Verdict *verdict) {
    verdict->legal_count = 0;
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        verdict->legality[pattern] = ref_legality(board, pattern);
        if (verdict->legality[pattern] != KMD_LEGAL) {
            continue;
        }
        RefMove move;
        ref_decode(pattern, &move);
        RefBoard next = ref_make(board, &move);
        verdict->legal_count++;
        verdict->is_declined[pattern] = ref_is_declined(board, &move);
        verdict->is_noisy[pattern] =
            move.promotes || board->piece[move.to_file][move.to_rank] != NO_PIECE;
        verdict->gives_check[pattern] = ref_in_check(&next, next.side);
    }
}

static bool belongs(const Verdict *verdict, GenKind kind, int pattern) {
    bool is_declined = verdict->is_declined[pattern];
    switch (kind) {
    case GEN_LEGAL:
        return true;
    case GEN_CAPTURES:
        return verdict->is_noisy[pattern] && !is_declined;
    case GEN_QUIETS:
        return !verdict->is_noisy[pattern] && !is_declined;
    case GEN_NON_PROMOTIONS:
        return is_declined;
    case GEN_EVASIONS:
        return !is_declined;
    case GEN_CHECKS:
        return verdict->gives_check[pattern];
    }
    return false;
}

/* The list contains each move of its kind once, and nothing else. */
static bool check_list(const Position *pos, const Verdict *verdict, GenKind kind) {
    static bool is_listed[PATTERNS];
    Move list[MAX_MOVES];
    int count = gen_moves(pos, kind, list);
    bool is_right = CHECK(count <= MAX_MOVES);
    memset(is_listed, 0, sizeof(is_listed));
    for (int i = 0; i < count; i++) {
        is_right &= CHECK(!is_listed[list[i]]);
        is_listed[list[i]] = true;
    }
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        bool want = verdict->legality[pattern] == KMD_LEGAL && belongs(verdict, kind, pattern);
        if (is_listed[pattern] != want) {
            char text[USI_MOVE_SIZE];
            CHECK(is_listed[pattern] == want);
            printf("    kind %d, move %s\n", (int)kind, usimove_write((Move)pattern, text));
            is_right = false;
        }
    }
    return is_right;
}

static bool check_legality(const Position *pos, const Verdict *verdict) {
    bool is_right = true;
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        KmdLegality got = legality_of(pos, (Move)pattern);
        bool is_legal = verdict->legality[pattern] == KMD_LEGAL;
        if (got != verdict->legality[pattern] || move_is_legal(pos, (Move)pattern) != is_legal) {
            char text[USI_MOVE_SIZE];
            CHECK_INT(got, verdict->legality[pattern]);
            printf("    pattern %d, move %s\n", pattern, usimove_write((Move)pattern, text));
            is_right = false;
        }
    }
    return is_right;
}

/* Plays every legal move. Checks that pos_gives_check is right, that replies are counted correctly,
 * and that undo restores everything. */
static bool check_each_move(Position *pos, const Verdict *verdict) {
    Move list[MAX_MOVES];
    Move replies[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    bool is_right = true;
    uint64_t key = pos_key(pos);
    uint64_t all_answers = 0;
    for (int i = 0; i < count; i++) {
        int counted = (int)gen_count_answers(pos, &list[i], 1);
        bool is_foreseen = pos_gives_check(pos, list[i]) == verdict->gives_check[list[i]];
        pos_do(pos, list[i]);
        bool is_sound = pos_ok(pos) && pos_in_check(pos) == verdict->gives_check[list[i]];
        int answers = gen_moves(pos, GEN_LEGAL, replies);
        bool is_counted = counted == answers;
        all_answers += (uint64_t)answers;
        pos_undo(pos);
        if (!CHECK(is_foreseen && is_sound && is_counted && pos_key(pos) == key)) {
            char text[USI_MOVE_SIZE];
            printf("    move %s: %d %d %d\n", usimove_write(list[i], text), is_foreseen, is_sound,
                   is_counted);
            is_right = false;
        }
    }
    is_right &= CHECK_INT((int64_t)gen_count_answers(pos, list, count), (int64_t)all_answers);
    return is_right & CHECK(pos_ok(pos));
}

static void check_position(Position *pos) {
    static Verdict verdict;
    Setup setup = pos_get(pos);
    RefBoard board = ref_from(&setup);
    judge_all(&board, &verdict);
    bool is_in_check = ref_in_check(&board, board.side);
    bool is_right = CHECK(pos_in_check(pos) == is_in_check);
    is_right &= CHECK_INT(gen_count(pos), verdict.legal_count);
    is_right &= CHECK(gen_has_move(pos) == (verdict.legal_count > 0));
    is_right &= check_list(pos, &verdict, GEN_LEGAL);
    is_right &= check_list(pos, &verdict, GEN_CHECKS);
    if (is_in_check) {
        is_right &= check_list(pos, &verdict, GEN_EVASIONS);
    } else {
        is_right &= check_list(pos, &verdict, GEN_CAPTURES);
        is_right &= check_list(pos, &verdict, GEN_QUIETS);
        is_right &= check_list(pos, &verdict, GEN_NON_PROMOTIONS);
    }
    is_right &= check_legality(pos, &verdict);
    is_right &= check_each_move(pos, &verdict);
    if (!is_right) {
        StrBuf sfen = STRBUF_INIT;
        pos_get_sfen(pos, &sfen);
        printf("    in %s\n", sfen.ptr);
        strbuf_free(&sfen);
    }
}

/* ---- positions ------------------------------------------------------------------------------- */

static bool play_random_move(Position *pos, Rng *rng) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    if (count == 0) {
        return false;
    }
    pos_do(pos, list[rng_below(rng, (uint64_t)count)]);
    return true;
}

/* Parameters of a random position. */
typedef struct Scatter {
    bool has_king[COLOR_NB];
    int on_board;       /* pieces apart from kings */
    int in_hand;        /* percentage of the other pieces that go to a hand; the rest are missing */
    int spread;         /* pieces are at most this many squares from a king; 9 means anywhere */
    int strong_white;   /* percentage of pieces that are white's */
    bool kings_at_home; /* the kings are on their last rank */
} Scatter;

static Square random_square_near(Rng *rng, Square centre, int spread) {
    if (spread >= 9 || centre == SQ_NONE) {
        return (Square)rng_below(rng, SQ_NB);
    }
    int reach = 2 * spread + 1;
    int file = sq_file(centre) + (int)rng_below(rng, (uint64_t)reach) - spread;
    int rank = sq_rank(centre) + (int)rng_below(rng, (uint64_t)reach) - spread;
    return sq_make(int_clamp(file, 0, 8), int_clamp(rank, 0, 8));
}

/* Puts a piece of the type on a random square where it may be. Returns false if the attempt
 * fails. */
static bool scatter_piece(Setup *setup, Rng *rng, PieceType raw, const Scatter *how,
                          const Square king[COLOR_NB]) {
    Color color = (int)rng_below(rng, 100) < how->strong_white ? WHITE : BLACK;
    Square sq = random_square_near(rng, king[rng_below(rng, 2)], how->spread);
    PieceType type = raw;
    if (pt_can_promote(raw) && rng_below(rng, 4) == 0) {
        type = pt_promote(raw);
    }
    if (setup->board[sq] != NO_PIECE) {
        return false;
    }
    setup->board[sq] = piece_make(color, type);
    KmdError fault = setup_check(setup, NULL);
    if (fault == KMD_ERROR_SFEN_NIFU || fault == KMD_ERROR_SFEN_DEAD_PIECE) {
        setup->board[sq] = NO_PIECE;
        return false;
    }
    return true;
}

static void place_kings(Setup *setup, Rng *rng, const Scatter *how, Square king[COLOR_NB]) {
    for (int color = BLACK; color <= WHITE; color++) {
        king[color] = SQ_NONE;
        while (how->has_king[color] && king[color] == SQ_NONE) {
            Square sq = (Square)rng_below(rng, SQ_NB);
            if (how->kings_at_home) {
                sq = sq_make(sq_file(sq), color == BLACK ? RANK_NB - 1 : 0);
            }
            if (setup->board[sq] == NO_PIECE) {
                king[color] = sq;
                setup->board[sq] = piece_make((Color)color, KING);
            }
        }
    }
}

/* Makes a random position. Returns false if, with either side to move, the king of the other side
 * is in check. */
static bool scatter(Rng *rng, const Scatter *how, Setup *setup) {
    static const PieceType raw[] = {ROOK,   BISHOP, GOLD,  GOLD, SILVER, SILVER, KNIGHT,
                                    KNIGHT, LANCE,  LANCE, PAWN, PAWN,   PAWN,   PAWN,
                                    PAWN,   PAWN,   PAWN,  PAWN, PAWN};
    int left[HAND_TYPE_NB] = {0};
    Square king[COLOR_NB];
    *setup = (Setup){.side = (Color)rng_below(rng, 2), .ply = 1};
    place_kings(setup, rng, how, king);
    for (int type = PAWN; type <= GOLD; type++) {
        left[type] = pt_total((PieceType)type);
    }
    int placed = 0;
    for (int tries = 0; tries < 300 && placed < how->on_board; tries++) {
        PieceType type = raw[rng_below(rng, COUNTOF(raw))];
        if (left[type] > 0 && scatter_piece(setup, rng, type, how, king)) {
            left[type]--;
            placed++;
        }
    }
    for (int type = PAWN; type <= GOLD; type++) {
        for (; left[type] > 0; left[type]--) {
            if ((int)rng_below(rng, 100) < how->in_hand) {
                Hand *hand = &setup->hand[rng_below(rng, 2)];
                *hand = hand_add(*hand, (PieceType)type);
            }
        }
    }
    if (setup_check(setup, NULL) == KMD_ERROR_SFEN_OPPONENT_IN_CHECK) {
        setup->side = color_flip(setup->side);
    }
    return setup_check(setup, NULL) == KMD_OK;
}

/* The number of answers, up to 3, to a pawn dropped with check; 3 if there is no such drop. Whether
 * a position with few answers is a pawn-drop mate is hard to judge. */
static int pawn_check_answers(const Setup *setup) {
    RefBoard board = ref_from(setup);
    RefMove drop = {.drop = PAWN};
    Color them = board.side == BLACK ? WHITE : BLACK;
    if (!ref_find_king(&board, them, &drop.to_file, &drop.to_rank)) {
        return 3;
    }
    drop.to_rank += board.side == BLACK ? 1 : -1;
    if (drop.to_rank < 0 || drop.to_rank >= RANK_NB || ref_drop_form(&board, &drop) != KMD_LEGAL) {
        return 3;
    }
    RefBoard next = ref_make(&board, &drop);
    return ref_in_check(&next, board.side) ? 3 : ref_count(&next, 3);
}

static void test_pawn_drop_mates(void) {
    Rng rng = rng_init(15);
    Position pos;
    pos_init(&pos);
    int mates = 0;
    for (int done = 0; done < 600;) {
        Scatter how = {.has_king = {rng_below(&rng, 4) > 0, rng_below(&rng, 4) > 0},
                       .on_board = 6 + (int)rng_below(&rng, 14),
                       .in_hand = 80,
                       .spread = 2 + (int)rng_below(&rng, 2),
                       .strong_white = 30 + (int)rng_below(&rng, 40),
                       .kings_at_home = rng_below(&rng, 4) > 0};
        Setup setup;
        int answers = scatter(&rng, &how, &setup) ? pawn_check_answers(&setup) : 3;
        bool is_mate = answers == 0;
        if (is_mate || (answers < 3 && rng_below(&rng, 4) == 0)) {
            pos_set(&pos, &setup);
            check_position(&pos);
            mates += is_mate;
            done++;
        }
    }
    /* There must be enough positions with and without mate; otherwise they are unsuitable. */
    CHECK(mates > 80 && mates < 520);
    pos_free(&pos);
}

/* Checks `positions` positions of this kind, or in a quick run half of them, and some positions
 * after random moves. */
static void check_scattered(const Scatter *how, uint64_t seed, int positions) {
    positions = unit_wants_all() ? positions : positions / 2;
    Rng rng = rng_init(seed);
    Position pos;
    pos_init(&pos);
    for (int done = 0; done < positions;) {
        Setup setup;
        if (!scatter(&rng, how, &setup)) {
            continue;
        }
        pos_set(&pos, &setup);
        check_position(&pos);
        done++;
        for (int ply = 0; ply < 2 && play_random_move(&pos, &rng); ply++) {
            check_position(&pos);
            done++;
        }
    }
    pos_free(&pos);
}

static void test_random_games(void) {
    Rng rng = rng_init(2026);
    Position pos;
    pos_init(&pos);
    Setup start = setup_start();
    for (int game = 0; game < 12; game++) {
        pos_set(&pos, &start);
        for (int ply = 0; ply < 400 && play_random_move(&pos, &rng); ply++) {
            if (ply % 8 == 0) {
                check_position(&pos);
            }
        }
        check_position(&pos);
    }
    pos_free(&pos);
}

static void test_sparse_boards(void) {
    check_scattered(&(Scatter){{true, true}, 6, 30, 9, 50, false}, 1, 300);
    check_scattered(&(Scatter){{true, true}, 12, 60, 9, 50, false}, 2, 300);
}

static void test_crowded_boards(void) {
    check_scattered(&(Scatter){{true, true}, 24, 60, 9, 50, false}, 3, 300);
    check_scattered(&(Scatter){{true, true}, 36, 100, 9, 50, false}, 4, 200);
}

static void test_big_hands(void) {
    check_scattered(&(Scatter){{true, true}, 3, 100, 9, 50, false}, 5, 200);
    check_scattered(&(Scatter){{true, true}, 8, 100, 3, 50, false}, 6, 300);
}

static void test_crowds_round_kings(void) {
    check_scattered(&(Scatter){{true, true}, 10, 80, 2, 50, false}, 7, 500);
    check_scattered(&(Scatter){{true, true}, 14, 80, 2, 70, false}, 8, 400);
    check_scattered(&(Scatter){{true, true}, 14, 80, 3, 30, false}, 9, 400);
}

static void test_one_king(void) {
    check_scattered(&(Scatter){{false, true}, 10, 90, 2, 50, false}, 10, 400);
    check_scattered(&(Scatter){{true, false}, 12, 90, 3, 40, false}, 11, 300);
    check_scattered(&(Scatter){{true, false}, 20, 50, 9, 60, false}, 12, 200);
}

static void test_no_king(void) {
    check_scattered(&(Scatter){{false, false}, 10, 60, 9, 50, false}, 13, 100);
    check_scattered(&(Scatter){{false, false}, 30, 100, 9, 50, false}, 14, 100);
}

/* Cases that are very rare in random positions. */
static void test_rare_positions(void) {
    static const char *const sfen[] = {
        /* The only piece that can capture the pawn is pinned along the pawn's own file. */
        "3nkn3/3l1l3/4g4/3N5/9/9/9/9/4R3K b P 1",
        "k3r4/9/9/9/9/5n3/4G4/3L1L3/3NKN3 w p 1",
        /* The only piece that could capture the pawn is pinned on a diagonal and cannot capture. */
        "3nkn3/3l1g3/6B2/3N5/9/9/9/9/8K b P 1",
        /* Double checks by a silver that uncovers a rook. */
        "4k4/9/4S4/9/9/9/9/9/4R3K b - 1",
        /* The position with the most legal moves. */
        "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    };
    Position pos;
    pos_init(&pos);
    for (size_t i = 0; i < COUNTOF(sfen); i++) {
        if (CHECK_INT(pos_set_sfen(&pos, sv_from(sfen[i]), NULL), KMD_OK)) {
            check_position(&pos);
        }
    }
    pos_free(&pos);
}

UNIT_MAIN({"rare positions", test_rare_positions}, {"random games", test_random_games},
          {"sparse boards", test_sparse_boards}, {"crowded boards", test_crowded_boards},
          {"big hands", test_big_hands}, {"pawn-drop mates", test_pawn_drop_mates},
          {"crowds round the kings", test_crowds_round_kings}, {"one king", test_one_king},
          {"no king", test_no_king})
