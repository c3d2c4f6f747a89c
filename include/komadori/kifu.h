/* komadori/kifu.h: game records as a library. This header is its manual.
 *
 * WHAT IT IS
 *
 *   A KmdRecord holds one game: the start position, headers, a tree of moves with times, comments
 *   and bookmarks, and how each line ended. The library reads and writes records in KIF, KI2, CSA,
 *   USI lines, SFEN, EPD, JKF, USEN and BOD, encoded in UTF-8, Shift_JIS or EUC-JP.
 *
 *       KmdRecordStream *stream = kmd_stream_open("games.kif", NULL);
 *       KmdForm form = kmd_form(kmd_format_by_name("csa"));
 *       KmdRecord *record = kmd_record_new();
 *       KmdFault fault;
 *       KmdNext next;
 *       for (int i = 0; (next = kmd_stream_next(stream, record, &fault)) == KMD_NEXT_GAME; i++) {
 *           KmdBytes bytes = kmd_record_write(record, &form);
 *           fputs(i > 0 ? form.format->separator : "", stdout);
 *           fwrite(bytes.data, 1, bytes.len, stdout);
 *           kmd_bytes_free(&bytes);
 *       }
 *       if (next != KMD_NEXT_END) { ... }
 *       kmd_record_free(record);
 *       kmd_stream_close(stream);
 *
 * ERRORS, THREADS, COMPATIBILITY
 *
 *   The rules of komadori/shogi.h apply here too. A record or a stream belongs to one thread at a
 *   time. All text is UTF-8; only files may use other encodings. A KmdText points into its record
 *   and is valid until the record changes; it does not end with a NUL. */
#ifndef KMD_KOMADORI_KIFU_H
#define KMD_KOMADORI_KIFU_H

#include "komadori/shogi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The shared library exports these functions and no others. */
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* ---- formats --------------------------------------------------------------------------------- */

/* What a format can store besides a start position. A format without KMD_HOLDS_MOVES cannot store a
 * game. */
enum {
    KMD_HOLDS_HEADERS = 1,
    KMD_HOLDS_TIMES = 2,
    KMD_HOLDS_COMMENTS = 4,
    KMD_HOLDS_VARIATIONS = 8,
    KMD_HOLDS_ENDINGS = 16,
    KMD_HOLDS_BOOKMARKS = 32,
    KMD_HOLDS_MOVES = 64,
    KMD_HOLDS_SOME_ENDINGS = 128, /* has words only for the common endings */
    KMD_HOLDS_FRACTIONS = 256,    /* times with fractions of a second */
    KMD_HOLDS_REMARKS = 512,      /* lines for human readers only: # in KIF, ' in CSA */
    KMD_HOLDS_ILLEGAL = 1024,     /* the illegal move with which a game ended */
    KMD_HOLDS_NUMBER = 2048       /* the number of the first move, if the game starts later */
};

typedef struct KmdFormat {
    const char *name;       /* short and in lower case: "kif" */
    const char *title;      /* name for people: "CSA V3.0" */
    const char *extensions; /* separated by spaces; the first is used for writing */
    int holds;              /* KMD_HOLDS_... */
    const char *separator;  /* text between games; NULL if a file holds only one game */
} KmdFormat;

/* The formats, in the order in which to list them; NULL for an index after the last. Static
 * storage. */
const KmdFormat *kmd_format(int index);

/* Finds a format by its name or extension, ignoring case, or by the extension of a path. NULL if
 * unknown. */
const KmdFormat *kmd_format_by_name(const char *name);
const KmdFormat *kmd_format_by_path(const char *path);

typedef enum KmdEncoding { KMD_UTF8, KMD_SHIFT_JIS, KMD_EUC_JP } KmdEncoding;

/* Reads "utf-8", "shift_jis", "sjis", "cp932", "euc-jp" and similar names; returns false if
 * unknown. */
bool kmd_encoding_read(const char *name, KmdEncoding *encoding);

/* The width of a text in terminal columns; East Asian wide characters count as two. */
int kmd_text_columns(const char *text, size_t len);

/* How a file is written. */
typedef struct KmdForm {
    const KmdFormat *format;
    KmdEncoding encoding;
    bool bom;  /* a byte-order mark, in UTF-8 only */
    bool crlf; /* lines end in CR LF */
} KmdForm;

/* A format with its usual encoding, LF line ends and no byte-order mark. */
KmdForm kmd_form(const KmdFormat *format);

/* Like kmd_form, but with the encoding that the path implies: .kifu and .ki2u use UTF-8. */
KmdForm kmd_form_by_path(const KmdFormat *format, const char *path);

/* ---- reading and writing --------------------------------------------------------------------- */

typedef struct KmdRecord KmdRecord;

/* A new even game without moves. Free it with kmd_record_free, which accepts NULL. */
KmdRecord *kmd_record_new(void);
void kmd_record_free(KmdRecord *record);

/* Where and why reading stopped. If the whole game was read, this is a note about input that is
 * unusual but not an error, such as a start position with two pawns of one side on a file, or an
 * ending given twice. */
typedef struct KmdFault {
    const char *reason; /* plain English, static storage; NULL: no error and no note */
    int line;           /* line number from 1; 0 if the fault is not in one line */
    int ply;            /* the number of the move, from 1; 0 outside the moves */
    char near_text[64]; /* the text at the fault, truncated */
} KmdFault;

/* Reads one game from the bytes of a whole file. If form->format is NULL, the format is detected.
 * On return *form is the form of the file. Returns false, with *fault filled in, at the first
 * error. The record then contains what came before the error. */
bool kmd_record_read(KmdRecord *record, const void *bytes, size_t len, KmdForm *form,
                     KmdFault *fault);

/* Bytes of a file, and the number of characters that the encoding cannot represent. Free with
 * kmd_bytes_free. */
typedef struct KmdBytes {
    char *data;
    size_t len;
    size_t lacking;
} KmdBytes;

/* Writes a game as the bytes of a file. CSA V3 states its encoding but has no name for EUC-JP, so
 * it is written in UTF-8 instead. */
KmdBytes kmd_record_write(const KmdRecord *record, const KmdForm *form);
void kmd_bytes_free(KmdBytes *bytes);

/* A file that may hold many games, such as a CSA file or one with a USI line for each game. Memory
 * use depends only on the largest game. */
typedef struct KmdRecordStream KmdRecordStream;

/* Opens a file; "-" is standard input. Returns NULL with errno set if it cannot be opened. If
 * format is NULL, the extension of the path decides unless the first lines are clearly in another
 * format; without a known extension, the first lines decide. */
KmdRecordStream *kmd_stream_open(const char *path, const KmdFormat *format);

/* NULL is allowed. */
void kmd_stream_close(KmdRecordStream *stream);

typedef enum KmdNext {
    KMD_NEXT_GAME,   /* a game was read */
    KMD_NEXT_BROKEN, /* a game with an error; the record contains what came before it */
    KMD_NEXT_END,
    KMD_NEXT_FAILED /* the file could not be read; errno is set */
} KmdNext;

/* Reads the next game. Lines in *fault count from the start of the file. */
KmdNext kmd_stream_next(KmdRecordStream *stream, KmdRecord *record, KmdFault *fault);

/* The form of the game that was read last. Its `crlf` is that of the first line. */
KmdForm kmd_stream_form(const KmdRecordStream *stream);

/* The number of invalid byte sequences in the game read last. Each was replaced by U+FFFD. */
size_t kmd_stream_unreadable(const KmdRecordStream *stream);

/* The number of lines that the record does not contain, of the text it was last read from: they are
 * lost if the record is written over its file. */
int kmd_record_skipped(const KmdRecord *record);

/* ---- looking into a record ------------------------------------------------------------------- */

typedef struct KmdText {
    const char *ptr;
    size_t len;
} KmdText;

/* Headers in the order of the file. Header keys are those of KIF (先手, 後手, 棋戦, 開始日時
 * ...). */
int kmd_header_count(const KmdRecord *record);
KmdText kmd_header_key(const KmdRecord *record, int index);
KmdText kmd_header_value(const KmdRecord *record, int index);

/* The value of the header with this key; empty if there is none. */
KmdText kmd_header(const KmdRecord *record, const char *key);

/* A player's name; empty if unknown. */
KmdText kmd_player(const KmdRecord *record, KmdColor color);

/* The Japanese name of the handicap, or "" if the start position has no name. Static storage. */
const char *kmd_handicap(const KmdRecord *record);

/* A node is a move or the ending of a line; KMD_ROOT is the start. */
enum { KMD_ROOT = 0, KMD_NODE_NONE = -1 };

/* The neighbours of a node in the tree, or KMD_NODE_NONE. The first child is the main continuation;
 * its siblings are the variations. */
int kmd_node_parent(const KmdRecord *record, int node);
int kmd_node_child(const KmdRecord *record, int node);
int kmd_node_sibling(const KmdRecord *record, int node);

/* The number of moves from the start up to and including this node. */
int kmd_node_depth(const KmdRecord *record, int node);

/* The contents of a node. The move is KMD_MOVE_NONE at the root and at endings. Times are in ms; -1
 * if unknown. The label is a bookmark or, for KMD_END_OTHER, the name of the ending. */
KmdMove kmd_node_move(const KmdRecord *record, int node);
KmdEnding kmd_node_ending(const KmdRecord *record, int node);
int64_t kmd_node_time(const KmdRecord *record, int node);
KmdText kmd_node_comment(const KmdRecord *record, int node);
KmdText kmd_node_label(const KmdRecord *record, int node);

/* The illegal move with which a line ended, at its ending; KMD_MOVE_NONE if it is not known. */
KmdMove kmd_node_illegal_move(const KmdRecord *record, int node);

/* The ending's word in KIF. Static storage. */
const char *kmd_ending_word(KmdEnding ending);

/* The number of moves in the main line, the last node of the main line, and the number of
 * variations. */
int kmd_main_length(const KmdRecord *record);
int kmd_main_end(const KmdRecord *record);
int kmd_variation_count(const KmdRecord *record);

/* The winner according to the ending of the main line; KMD_WINNER_NONE if the ending does not say
 * who won. */
KmdWinner kmd_record_winner(const KmdRecord *record);

/* Sets pos to the position after a node's move, including the moves that led to it. */
void kmd_record_position(const KmdRecord *record, int node, KmdPosition *pos);

/* ---- making a record ------------------------------------------------------------------------- */

/* Clears the record and starts a game from the current position in pos. */
void kmd_record_start(KmdRecord *record, const KmdPosition *pos);

/* Adds a move or an ending as the last child of a node. Returns the new node,
 * or KMD_NODE_NONE if the move is illegal there, the node is an ending or removed, or the record is
 * full. */
int kmd_record_add_move(KmdRecord *record, int node, KmdMove move);
int kmd_record_add_ending(KmdRecord *record, int node, KmdEnding ending);

/* Removes a node and everything after it; other nodes keep their numbers, and nothing can be added
 * to the removed ones. */
void kmd_record_remove(KmdRecord *record, int node);

/* Moves a node to place `index`, from 0, among its parent's children. The first child is the main
 * line. An index that is too large means the last place. */
void kmd_record_set_order(KmdRecord *record, int node, int index);

/* Set the contents of a node, replacing the old ones. Times are in ms, up to 99,999:59 minutes; any
 * other time becomes -1 (unknown). The root has no time. A CR in a comment is left out. A label is
 * a bookmark or, for KMD_END_OTHER, the name of the ending; its line breaks become spaces. */
void kmd_record_set_time(KmdRecord *record, int node, int64_t time_ms);
void kmd_record_set_comment(KmdRecord *record, int node, const char *comment);
void kmd_record_set_label(KmdRecord *record, int node, const char *label);
void kmd_record_set_header(KmdRecord *record, const char *key, const char *value);

/* ---- diagrams -------------------------------------------------------------------------------- */

/* A position as text in the format of BOD files, in UTF-8. Free it with kmd_bytes_free. */
KmdBytes kmd_diagram_text(const KmdPosition *pos);

/* How to draw a position. If zero-initialised, the picture is plain and has kanji pieces. */
typedef struct KmdDiagramLook {
    bool flip;            /* show white at the bottom */
    bool letters;         /* show pieces as P or +R instead of kanji */
    const char *names[2]; /* names of the players; may be NULL */
    const char *note;     /* text below the board; NULL: the side to move */
    const KmdMove *arrows;
    int arrow_count;
} KmdDiagramLook;

/* A position as an SVG picture with the last move marked. Arrows that are not legal moves are
 * omitted. look may be NULL. Free it with kmd_bytes_free. */
KmdBytes kmd_diagram_svg(const KmdPosition *pos, const KmdDiagramLook *look);

/* ---- notations ------------------------------------------------------------------------------- */

typedef enum KmdNotation {
    KMD_NOTATION_USI,      /* 7g7f */
    KMD_NOTATION_JAPANESE, /* ７六歩, 同銀右 */
    KMD_NOTATION_WESTERN   /* P-7f, Bx2b+, S*5b */
} KmdNotation;

enum { KMD_NOTATION_COUNT = 3, KMD_NOTATION_SIZE = 64 };

/* The name of a notation, such as "usi" or "japanese"; NULL after the last. Static storage. */
const char *kmd_notation_name(int notation);

/* Writes a legal move in this notation and a NUL to out, and returns out. */
const char *kmd_notation_write(const KmdPosition *pos, KmdMove move, KmdNotation notation,
                               char out[KMD_NOTATION_SIZE]);

/* Reads one legal move in this notation, accepting common deviations. If the text is not a legal
 * move, returns KMD_MOVE_NONE with an English explanation in *reason (may be NULL; static
 * storage). */
KmdMove kmd_notation_read(const KmdPosition *pos, const char *text, KmdNotation notation,
                          const char **reason);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
