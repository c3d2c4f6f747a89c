/* komadori/shogi.h: the rules of shogi as a library. This header is its manual.
 *
 * WHAT IT IS
 *
 *   A KmdPosition holds a board, both hands, the side to move, and the moves played since it was
 *   set up. The library reads and writes SFEN and USI move text, lists legal moves, says why a move
 *   is illegal, plays moves and takes them back, and detects the end of a game: mate, repetition,
 *   perpetual check, or a declaration with an entering king. Compile with -I and the folder that
 *   contains komadori/, and link with -lkomadori -lm -pthread.
 *
 *       KmdPosition *pos = kmd_position_new();          // the start of an even game
 *       KmdMove list[KMD_MAX_MOVES];
 *       int count = kmd_legal_moves(pos, list);         // 30
 *       if (kmd_do(pos, kmd_move_read("7g7f")) != KMD_OK) { ... }
 *       char sfen[KMD_SFEN_SIZE];
 *       kmd_position_sfen(pos, sfen, sizeof sfen);
 *       kmd_position_free(pos);
 *
 * ERRORS
 *
 *   A function that can fail returns a KmdError. A function that fails changes nothing.
 *   kmd_error_name and kmd_error_text return its name and a description. Pointers must not be NULL
 *   unless stated otherwise. Passing any other number outside its stated range is undefined
 *   behaviour, but any KmdMove may be passed anywhere: a meaningless one is treated as illegal. If
 *   there is not enough memory for a table or a result, the function returns KMD_ERROR_MEMORY. If a
 *   smaller allocation fails, the library calls the handler set with kmd_on_memory_shortage.
 *   Without a handler, the program prints a line on stderr and exits. Otherwise the library never
 *   prints, exits or reads the environment.
 *
 * THREADS
 *
 *   The handler set with kmd_on_memory_shortage is the only state that threads share. Different
 *   threads may use different positions at the same time. Several threads may read one position
 *   (const KmdPosition *) as long as no thread changes it. Functions that take no position may be
 *   called from any thread.
 *
 * COMPATIBILITY
 *
 *   C11 and C++11 or later. Enumeration values and the layouts described here only change with the
 *   number of the shared library (libkomadori.so.1); new values may be added after the last one. */
#ifndef KMD_KOMADORI_SHOGI_H
#define KMD_KOMADORI_SHOGI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The shared library exports these functions and no others. */
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* ---- errors ---------------------------------------------------------------------------------- */

typedef enum KmdError {
    KMD_OK = 0,
    /* Errors in the text of a position. Functions that return such an error also return its
     * column. */
    KMD_ERROR_SFEN_EMPTY,      /* empty text */
    KMD_ERROR_SFEN_PIECE,      /* unknown letter, or '+' before a piece that cannot promote */
    KMD_ERROR_SFEN_RANK,       /* a rank without exactly 9 squares */
    KMD_ERROR_SFEN_RANK_COUNT, /* not exactly 9 ranks */
    KMD_ERROR_SFEN_SIDE,       /* side to move missing or neither b nor w */
    KMD_ERROR_SFEN_HAND,       /* malformed pieces in hand */
    KMD_ERROR_SFEN_PLY,        /* move number not from 0 to 1,000,000 */
    KMD_ERROR_SFEN_TRAILING,   /* extra words at the end */
    KMD_ERROR_SFEN_TOO_MANY,   /* more pieces of a type than in a set */
    KMD_ERROR_SFEN_TWO_KINGS,  /* two kings of the same colour */
    KMD_ERROR_SFEN_NIFU,       /* two unpromoted pawns of the same side on a file */
    KMD_ERROR_SFEN_DEAD_PIECE, /* a piece that can never move */
    KMD_ERROR_SFEN_OPPONENT_IN_CHECK, /* the side not to move is in check */
    /* Other errors. */
    KMD_ERROR_MOVE_TEXT,    /* not the text of a move */
    KMD_ERROR_ILLEGAL_MOVE, /* kmd_legality returns the reason */
    KMD_ERROR_NO_MOVE,      /* no move to take back */
    KMD_ERROR_RANGE,        /* a number outside its range */
    KMD_ERROR_MEMORY        /* not enough memory for the table or the result */
} KmdError;

/* The constant's name, such as "KMD_ERROR_SFEN_NIFU", and a short English phrase. Static storage;
 * for unknown values they are "KMD_ERROR_UNKNOWN" and "unknown error". */
const char *kmd_error_name(KmdError error);
const char *kmd_error_text(KmdError error);

/* Called when the library cannot get `bytes` bytes, on the thread that needs them. If the handler
 * frees memory and returns true, the library tries the allocation again, as often as needed. If it
 * returns false, perhaps after saving the user's work, the program prints a line on stderr and
 * exits. The handler must not use any position or record that a library call is using at that
 * moment. */
typedef bool KmdMemoryHandler(size_t bytes, void *context);

/* Sets the handler and the `context` passed to it. NULL, the initial value, means no handler. Call
 * it before other threads use the library. */
void kmd_on_memory_shortage(KmdMemoryHandler *handler, void *context);

/* The version of the linked library: the value of KMD_VERSION (komadori/version.h) when the library
 * was compiled. */
const char *kmd_version(void);

/* The compiler and target that the library was built with and for, such as "gcc 12.2.0, Linux,
 * x86-64-v3". Static storage. */
const char *kmd_build(void);

/* ---- sides, squares, pieces, moves ----------------------------------------------------------- */

/* Black (sente) moves towards rank 1. */
typedef enum KmdColor { KMD_BLACK, KMD_WHITE } KmdColor;

/* A square is (file - 1) * 9 + (rank - 1), with files and ranks from 1 to 9 as players count them.
 * File 1 is at black's far right; rank 1 (USI letter a) is the farthest from black. */
typedef int KmdSquare;

enum { KMD_SQUARE_COUNT = 81, KMD_SQUARE_NONE = 81 };

/* KMD_SQUARE(7, 6) is 7f. */
#define KMD_SQUARE(file, rank) (((file)-1) * 9 + (rank)-1)

/* A promoted type is the type plus KMD_PROMOTED. */
typedef enum KmdPieceType {
    KMD_NO_PIECE_TYPE = 0,
    KMD_PAWN = 1,
    KMD_LANCE = 2,
    KMD_KNIGHT = 3,
    KMD_SILVER = 4,
    KMD_BISHOP = 5,
    KMD_ROOK = 6,
    KMD_GOLD = 7,
    KMD_KING = 8,
    KMD_PRO_PAWN = 9,
    KMD_PRO_LANCE = 10,
    KMD_PRO_KNIGHT = 11,
    KMD_PRO_SILVER = 12,
    KMD_HORSE = 13,
    KMD_DRAGON = 14,
    KMD_PROMOTED = 8
} KmdPieceType;

/* A piece on the board, or KMD_NO_PIECE_TYPE in `type` for an empty square. */
typedef struct KmdPiece {
    KmdPieceType type;
    KmdColor color;
} KmdPiece;

/* A move: bits 0-6 hold the target square; bits 7-13 hold the origin or, for a drop, 81 + the piece
 * type; bit 14 is set for a promotion. The position tells which piece moves and which is
 * captured. */
typedef uint16_t KmdMove;

enum {
    KMD_MOVE_NONE = 0,
    KMD_MOVE_PASS = 1 | 1 << 7,   /* never legal */
    KMD_MOVE_RESIGN = 2 | 2 << 7, /* exists only as the text "resign" */
    KMD_MOVE_WIN = 3 | 3 << 7,    /* exists only as the text "win", a declaration */
    KMD_MAX_MOVES = 593,          /* no position has more legal moves */
    KMD_MOVE_TEXT_SIZE = 8        /* room for any move's text and its NUL */
};

/* Make a move from its parts: squares are 0 to 80, types KMD_PAWN to KMD_GOLD. Legality is not
 * checked. */
KmdMove kmd_move_make(KmdSquare from, KmdSquare to, bool promotes);
KmdMove kmd_move_make_drop(KmdPieceType type, KmdSquare to);

/* The parts of a move. For a drop, `from` is KMD_SQUARE_NONE. For a board move, the dropped type is
 * KMD_NO_PIECE_TYPE. For the special moves above, both have these values. */
KmdSquare kmd_move_from(KmdMove move);
KmdSquare kmd_move_to(KmdMove move);
KmdPieceType kmd_move_drop_type(KmdMove move);
bool kmd_move_promotes(KmdMove move);

/* Reads USI text: "7g7f", "8h2b+", "P*5e", "resign", "win", "pass". Returns KMD_MOVE_NONE for any
 * other text. Legality is not checked. */
KmdMove kmd_move_read(const char *text);

/* Writes USI text and a NUL to out, and returns out. KMD_MOVE_NONE is written "none". */
const char *kmd_move_write(KmdMove move, char out[KMD_MOVE_TEXT_SIZE]);

/* ---- positions ------------------------------------------------------------------------------- */

typedef struct KmdPosition KmdPosition;

/* A buffer of this size holds any position's SFEN and its NUL. */
enum { KMD_SFEN_SIZE = 256 };

/* A new position at the start of an even game. Free it with kmd_position_free. */
KmdPosition *kmd_position_new(void);

/* A deep copy with all moves played so far. */
KmdPosition *kmd_position_copy(const KmdPosition *pos);

/* NULL is allowed. */
void kmd_position_free(KmdPosition *pos);

/* Sets up "BOARD SIDE HANDS [PLY]" or "startpos" and discards the moves played. Kings may be
 * missing. On failure *column (may be NULL) is the column of the error in text, from 1. */
KmdError kmd_position_set_sfen(KmdPosition *pos, const char *sfen, int *column);

/* Sets up the arguments of USI's "position" command, or the whole command: "startpos" or "sfen
 * ...", optionally followed by "moves" and moves; "resign" or "win" after the last move is ignored.
 * On failure *column (may be NULL) is the column of the error. */
KmdError kmd_position_set_usi(KmdPosition *pos, const char *text, int *column);

/* Writes the SFEN with all four fields to out. Like snprintf, it writes at most size - 1 bytes and
 * a NUL. Returns the full length, which is less than KMD_SFEN_SIZE. */
size_t kmd_position_sfen(const KmdPosition *pos, char *out, size_t size);

KmdColor kmd_side_to_move(const KmdPosition *pos);

/* The number of the next move, counted from 1. */
int kmd_ply(const KmdPosition *pos);

/* The piece on a square from 0 to 80. */
KmdPiece kmd_piece_on(const KmdPosition *pos, KmdSquare square);

/* The number of pieces of a type (KMD_PAWN to KMD_GOLD) that a side has in hand. */
int kmd_hand_count(const KmdPosition *pos, KmdColor color, KmdPieceType type);

/* A 64-bit hash. Within a process, equal positions (board, hands, side to move) have equal
 * hashes. */
uint64_t kmd_position_key(const KmdPosition *pos);

/* ---- playing --------------------------------------------------------------------------------- */

/* Writes each legal move once to list and returns the number of moves. */
int kmd_legal_moves(const KmdPosition *pos, KmdMove list[KMD_MAX_MOVES]);

/* The number of legal moves, without writing them. */
int kmd_legal_count(const KmdPosition *pos);

/* Why a move is illegal: the first reason that applies, in this order. */
typedef enum KmdLegality {
    KMD_LEGAL,
    KMD_ILLEGAL_NOT_A_MOVE,  /* invalid square or piece type, a promoting drop, or a special move */
    KMD_ILLEGAL_NO_PIECE,    /* the origin is empty */
    KMD_ILLEGAL_NOT_YOURS,   /* the piece on the origin belongs to the other side */
    KMD_ILLEGAL_NOT_IN_HAND, /* drop of a piece that is not in hand */
    KMD_ILLEGAL_OCCUPIED,   /* a piece of the same side is on the target, or any piece for a drop */
    KMD_ILLEGAL_PIECE_MOVE, /* the piece does not move that way, or its path is blocked */
    KMD_ILLEGAL_PROMOTION,  /* neither square is in the zone, or the piece cannot promote */
    KMD_ILLEGAL_DEAD_PIECE, /* pawn, lance or knight that could never move again */
    KMD_ILLEGAL_NIFU,       /* second unpromoted pawn on the file */
    KMD_ILLEGAL_IGNORES_CHECK, /* the mover's king remains in check */
    KMD_ILLEGAL_KING_IN_CHECK, /* the king moves into check, or a pinned piece leaves its line */
    KMD_ILLEGAL_UCHIFUZUME     /* mate by dropping a pawn */
} KmdLegality;

/* Returns KMD_LEGAL, or the reason why the move is illegal for the side to move. */
KmdLegality kmd_legality(const KmdPosition *pos, KmdMove move);

/* A short English phrase, such as "two pawns on the file (nifu)". Static storage. */
const char *kmd_legality_text(KmdLegality reason);

/* Plays a move. Returns KMD_ERROR_ILLEGAL_MOVE if it is illegal. */
KmdError kmd_do(KmdPosition *pos, KmdMove move);

/* Takes the last move back. Returns KMD_ERROR_NO_MOVE if no move was played since the position was
 * set up. */
KmdError kmd_undo(KmdPosition *pos);

/* The number of moves played since the position was set up. */
int kmd_moves_played(const KmdPosition *pos);

/* The move with this index among the moves played, from 0; KMD_MOVE_NONE if the index is out of
 * range. */
KmdMove kmd_move_played(const KmdPosition *pos, int index);

/* ---- the end of a game ----------------------------------------------------------------------- */

/* The side to move is in check. */
bool kmd_is_check(const KmdPosition *pos);

/* The side to move is in check and has no legal move. */
bool kmd_is_mate(const KmdPosition *pos);

/* The move is legal and gives check. */
bool kmd_gives_check(const KmdPosition *pos, KmdMove move);

/* How often the current position (board, hands, side to move) has occurred since the position was
 * set up, counting now. */
int kmd_repetition_count(const KmdPosition *pos);

/* The result of the game at the fourth occurrence of a position. */
typedef enum KmdRepetition {
    KMD_REPETITION_NONE, /* not the fourth occurrence */
    KMD_REPETITION_DRAW,
    KMD_REPETITION_WIN, /* the side to move wins: every move of the opponent gave check */
    KMD_REPETITION_LOSS /* the side to move loses: each of its own moves gave check */
} KmdRepetition;

KmdRepetition kmd_repetition(const KmdPosition *pos);

/* The rules for declaring a win with an entering king. The rules ending in H credit white, who
 * gives the handicap, with the pieces that are missing from a full set. */
typedef enum KmdDeclareRule {
    KMD_DECLARE_NONE, /* NoEnteringKing */
    KMD_DECLARE_24,   /* CSARule24: 31 points win, 24 to 30 are a draw */
    KMD_DECLARE_24H,  /* CSARule24H */
    KMD_DECLARE_27,   /* CSARule27: black needs 28 points, white 27 */
    KMD_DECLARE_27H,  /* CSARule27H */
    KMD_DECLARE_TRY   /* TryRule: reach the other king's unattacked home square */
} KmdDeclareRule;

enum { KMD_DECLARE_COUNT = KMD_DECLARE_TRY + 1 };

/* The result for the side to move if it declares now. */
typedef enum KmdDeclaration {
    KMD_DECLARATION_REFUSED, /* the conditions are not met: declaring would lose */
    KMD_DECLARATION_DRAW,    /* 24-point rules only */
    KMD_DECLARATION_WIN
} KmdDeclaration;

KmdDeclaration kmd_declaration(const KmdPosition *pos, KmdDeclareRule rule);

/* The facts that decide a declaration. */
typedef struct KmdDeclareCount {
    bool king_in_zone;
    bool in_check;
    int pieces_in_zone;  /* own pieces in the promotion zone, without the king */
    int points;          /* sum over pieces in the zone and in hand: rook and bishop 5, king 0,
                            others 1 */
    int handicap_points; /* for white: points of the pieces missing from a full set; for black: 0 */
} KmdDeclareCount;

/* The counts of either side, whether or not it is to move. */
KmdDeclareCount kmd_declare_count(const KmdPosition *pos, KmdColor side);

/* How a game, or one line of a game record, ended. "To move" is the side that would have played
 * next. */
typedef enum KmdEnding {
    KMD_END_NONE,          /* the game continues, or the record just stops */
    KMD_END_RESIGN,        /* the side to move resigned */
    KMD_END_INTERRUPT,     /* interrupted */
    KMD_END_SENNICHITE,    /* fourth occurrence */
    KMD_END_IMPASSE,       /* impasse, drawn */
    KMD_END_DRAW,          /* drawn by agreement or declaration */
    KMD_END_MAX_MOVES,     /* drawn by the limit of moves */
    KMD_END_MATE,          /* the side to move is mated */
    KMD_END_NO_MATE,       /* a mate problem without a solution */
    KMD_END_TIMEOUT,       /* the side to move overstepped the time */
    KMD_END_ILLEGAL_LOSS,  /* the side to move made an illegal move and lost */
    KMD_END_ILLEGAL_WIN,   /* the side that moved last had made an illegal move and lost */
    KMD_END_DECLARATION,   /* the side to move declared a win by impasse */
    KMD_END_FORFEIT_WIN,   /* won because the opponent was absent */
    KMD_END_FORFEIT_LOSS,  /* lost by absence */
    KMD_END_TRY,           /* a king reached the other's home square */
    KMD_END_TAKE_BACK,     /* a move was taken back (CSA's MATTA) */
    KMD_END_ERROR,         /* interrupted by an error */
    KMD_END_OTHER,         /* another ending, named by the node's label */
    KMD_END_NO_MOVES,      /* the side to move has no legal move and is not in check: a loss */
    KMD_END_PERPETUAL_WIN, /* fourth occurrence; the side that moved last gave perpetual check */
    KMD_END_PERPETUAL_LOSS /* fourth occurrence; the side to move gave perpetual check */
} KmdEnding;

enum { KMD_ENDING_COUNT = KMD_END_PERPETUAL_LOSS + 1 };

typedef enum KmdWinner {
    KMD_WINNER_NONE, /* the game continues */
    KMD_WINNER_BLACK,
    KMD_WINNER_WHITE,
    KMD_WINNER_DRAW
} KmdWinner;

typedef struct KmdOutcome {
    KmdEnding kind;
    KmdWinner winner;
} KmdOutcome;

/* Returns whether the game has ended by mate, lack of moves, repetition, try or the move limit. Of
 * the declaration rules, only KMD_DECLARE_TRY ends a game without a declaration. A game is a draw
 * after max_plies plies, counted as by kmd_ply; 0 means no limit. */
KmdOutcome kmd_outcome(const KmdPosition *pos, KmdDeclareRule rule, int max_plies);

/* A short English phrase. Static storage. */
const char *kmd_ending_text(KmdEnding ending);

/* ---- mate ------------------------------------------------------------------------------------ */

typedef enum KmdMate {
    KMD_MATE_FOUND,  /* proved, against every defence */
    KMD_MATE_NONE,   /* proved: there is no mate by checks alone */
    KMD_MATE_UNKNOWN /* the limit ended the search */
} KmdMate;

enum { KMD_MATE_LINE_MAX = 4000, KMD_MATE_MAX_HASH_MB = 65536 };

/* Looks for a mate in which every move of the side to move gives check, as in mate problems. If the
 * opponent has no king and the side to move is in check, looks for a mate by the opponent instead;
 * the line then begins with the defender's move, and is empty if he is mated already. Tries
 * at most `nodes` moves (0: no limit) with a table of hash_mb MiB, 1 to KMD_MATE_MAX_HASH_MB. If
 * there is a mate, line[0] to line[*length - 1] are its moves against the longest defence found;
 * otherwise *length is 0. On failure returns KMD_ERROR_RANGE, KMD_ERROR_MEMORY, or
 * KMD_ERROR_NO_MOVE if the opponent has no king and the side to move is not in check. */
KmdError kmd_mate(const KmdPosition *pos, uint64_t nodes, size_t hash_mb, KmdMate *verdict,
                  KmdMove line[KMD_MATE_LINE_MAX], int *length);

/* ---- counting -------------------------------------------------------------------------------- */

enum { KMD_PERFT_MAX_DEPTH = 30, KMD_PERFT_MAX_THREADS = 1024 };

/* A legal move and the number of sequences that start with it. */
typedef struct KmdPerftLine {
    KmdMove move;
    uint64_t count;
} KmdPerftLine;

/* Counts the legal sequences of `depth` moves, 0 to KMD_PERFT_MAX_DEPTH, on `threads` threads, 1 to
 * KMD_PERFT_MAX_THREADS, with a table of hash_mb MiB (0: none). A large depth may take a long time.
 * If `lines` is not NULL, it receives one line for each legal move in the order of kmd_legal_moves
 * (none for depth 0). Returns KMD_ERROR_RANGE or KMD_ERROR_MEMORY on failure. */
KmdError kmd_perft(const KmdPosition *pos, int depth, int threads, size_t hash_mb, uint64_t *total,
                   KmdPerftLine lines[KMD_MAX_MOVES]);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
