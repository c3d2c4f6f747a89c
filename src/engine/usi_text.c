/* usi_text.c: parses the words of `go` and `setoption`, recording the first error, and composes
 * each line from its fields in the order of the protocol. */
#include "engine/usi_text.h"

#include <stddef.h>

#include "rules/perft.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "search/search.h"

/* Longer times than this, which is more than two years, are reduced to it, so that sums cannot
 * overflow. */
#define MAX_MS ((int64_t)1 << 36)

/* The thinking time if an error leaves a line without usable limits, the increment of a side whose
 * clock is unreadable, and the time of a mate search with an unreadable time. */
#define FAULTY_GO_MS 1000

/* ---- parsing --------------------------------------------------------------------------------- */

typedef struct GoReader {
    Tokenizer tok;
    GoLimits *limits;
    UsiFault *fault;
    StrView unknown;       /* the first unknown word */
    bool has_faulty_clock; /* the number of a clock could not be read */
} GoReader;

static void note_fault(GoReader *reader, const char *text, StrView word) {
    if (reader->fault->text == NULL) {
        *reader->fault = (UsiFault){.text = text, .word = word};
    }
}

/* Reads a number up to its decimal point, because some clients send "1000.0". A number that is too
 * large becomes the largest. */
static bool read_whole(StrView word, int64_t *number) {
    size_t whole = 0, digits = 0;
    while (whole < word.len && word.ptr[whole] != '.') {
        whole++;
    }
    for (size_t i = 0; i < word.len; i++) {
        bool is_digit = str_is_digit(word.ptr[i]);
        bool is_sign = i == 0 && (word.ptr[i] == '-' || word.ptr[i] == '+');
        if (!is_digit && !is_sign && i != whole) {
            return false;
        }
        digits += is_digit;
    }
    if (digits == 0) {
        return false;
    }
    bool is_negative = word.ptr[0] == '-';
    size_t start = is_negative || word.ptr[0] == '+';
    if (whole == start) { /* ".5" */
        *number = 0;
    } else if (!sv_to_i64((StrView){word.ptr + start, whole - start}, 0, INT64_MAX, number)) {
        *number = INT64_MAX;
    }
    *number = is_negative ? -*number : *number;
    return true;
}

/* Reads the number after a parameter, limited to low..high. A word that is not a number is not
 * taken, so that a missing value does not hide the next parameter. */
static bool read_number(GoReader *reader, StrView parameter, int64_t low, int64_t high,
                        int64_t *value) {
    StrView word = tok_peek(&reader->tok);
    int64_t number;
    if (!read_whole(word, &number)) {
        note_fault(reader, "no number after", parameter);
        return false;
    }
    tok_next(&reader->tok, &word);
    *value = i64_clamp(number, low, high);
    return true;
}

/* The parameters with a number, and where each goes. */
typedef struct GoNumber {
    const char *name;
    size_t offset, size; /* of an int or a 64-bit member of GoLimits */
    int64_t low, high;
    bool is_clock;
} GoNumber;

#define GO_NUMBER(name, member, ...)                                                               \
    { name, offsetof(GoLimits, member), sizeof(((GoLimits *)0)->member), __VA_ARGS__ }

static const GoNumber go_numbers[] = {
    GO_NUMBER("btime", time_ms[BLACK], 0, MAX_MS, true),
    GO_NUMBER("wtime", time_ms[WHITE], 0, MAX_MS, true),
    GO_NUMBER("binc", inc_ms[BLACK], 0, MAX_MS, true),
    GO_NUMBER("winc", inc_ms[WHITE], 0, MAX_MS, true),
    GO_NUMBER("byoyomi", byoyomi_ms, 0, MAX_MS, true),
    GO_NUMBER("movetime", movetime_ms, 1, MAX_MS, false),
    GO_NUMBER("rtime", rtime_ms, 1, MAX_MS, false),
    GO_NUMBER("depth", depth, 1, MAX_PLY, false),
    GO_NUMBER("nodes", nodes, 1, INT64_MAX, false),
    GO_NUMBER("movestogo", moves_to_go, 0, 1000, false),
    GO_NUMBER("perft", perft_depth, 1, PERFT_MAX_DEPTH, false),
};

/* Reads the parameter if it is one of the table. */
static bool read_go_number(GoReader *reader, StrView word) {
    int index = SV_INDEX(word, go_numbers, name);
    if (index < 0) {
        return false;
    }
    const GoNumber *row = &go_numbers[index];
    char *place = (char *)reader->limits + row->offset;
    int64_t value;
    if (!read_number(reader, word, row->low, row->high, &value)) {
        reader->has_faulty_clock |= row->is_clock;
        return true;
    }
    if (row->size == sizeof(int)) {
        *(int *)(void *)place = (int)value;
    } else {
        *(int64_t *)(void *)place = value;
    }
    reader->limits->has_clock |= row->is_clock;
    return true;
}

static void read_mate_words(GoReader *reader) {
    GoLimits *limits = reader->limits;
    StrView word = tok_peek(&reader->tok);
    limits->is_mate = true;
    if (sv_equal(word, SV("infinite"))) {
        tok_next(&reader->tok, &word);
    } else if (word.len > 0 && !read_number(reader, SV("mate"), 1, MAX_MS, &limits->mate_ms)) {
        limits->mate_ms = FAULTY_GO_MS;
    }
}

/* Reads moves up to the first word that is not a move. */
static void read_search_moves(GoReader *reader) {
    GoLimits *limits = reader->limits;
    StrView word = tok_peek(&reader->tok);
    for (Move move; move_is_real(move = usimove_read(word)); word = tok_peek(&reader->tok)) {
        if (limits->search_move_count < MAX_MOVES) {
            limits->search_moves[limits->search_move_count++] = move;
        }
        tok_next(&reader->tok, &word);
    }
    if (limits->search_move_count == 0) {
        note_fault(reader, "no moves after", SV("searchmoves"));
    }
}

static bool asks_for_nothing(const GoLimits *limits) {
    return !limits->has_clock && limits->movetime_ms == 0 && limits->rtime_ms == 0 &&
           limits->depth == 0 && limits->nodes == 0 && !limits->is_infinite && !limits->is_ponder &&
           !limits->is_mate && limits->perft_depth == 0;
}

void usi_parse_go(StrView args, int64_t usual_ms, GoLimits *limits, UsiFault *fault) {
    *limits = (GoLimits){.has_clock = false};
    *fault = (UsiFault){.text = NULL};
    GoReader reader = {.tok = {args}, .limits = limits, .fault = fault};
    StrView word;
    while (tok_next(&reader.tok, &word)) {
        if (read_go_number(&reader, word)) {
            continue;
        }
        if (sv_equal(word, SV("infinite"))) {
            limits->is_infinite = true;
        } else if (sv_equal(word, SV("ponder"))) {
            limits->is_ponder = true;
        } else if (sv_equal(word, SV("mate"))) {
            read_mate_words(&reader);
        } else if (sv_equal(word, SV("searchmoves"))) {
            read_search_moves(&reader);
        } else if (reader.unknown.len == 0) {
            reader.unknown = word;
        }
    }
    /* The protocol requires that unknown words be ignored if they follow known ones. */
    bool is_empty = asks_for_nothing(limits) && limits->search_move_count == 0;
    if (is_empty && reader.unknown.len > 0 && fault->text == NULL) {
        *fault = (UsiFault){.text = "unknown", .word = reader.unknown, .is_nonsense = true};
        return;
    }
    if (asks_for_nothing(limits)) {
        limits->movetime_ms = fault->text == NULL ? usual_ms : FAULTY_GO_MS;
        limits->is_infinite = limits->movetime_ms == 0;
    }
    /* A clock that could not be read must not look like one that has run out. */
    for (int side = BLACK; side <= WHITE && reader.has_faulty_clock; side++) {
        if (limits->time_ms[side] + limits->inc_ms[side] + limits->byoyomi_ms == 0) {
            limits->inc_ms[side] = FAULTY_GO_MS;
        }
    }
}

bool usi_parse_setoption(StrView args, StrView *name, StrView *value) {
    Tokenizer tok = {args};
    StrView word;
    *name = (StrView){NULL, 0};
    *value = (StrView){NULL, 0};
    if (!tok_next(&tok, &word) || !sv_equal(word, SV("name"))) {
        return false;
    }
    StrView all = tok_rest(&tok);
    *name = all;
    while (tok_next(&tok, &word)) {
        if (sv_equal(word, SV("value"))) {
            *name = sv_trim(sv_prefix(all, (size_t)(word.ptr - all.ptr)));
            *value = tok_rest(&tok);
            *value = sv_equal(*value, SV("<empty>")) ? sv_prefix(*value, 0) : *value;
            break;
        }
    }
    return name->len > 0;
}

/* ---- formatting ------------------------------------------------------------------------------ */

void usi_format_score(Score score, StrBuf *out) {
    if (score == score_mated_in(0)) {
        strbuf_add_str(out, "mate -0");
    } else if (score_is_mate(score)) {
        strbuf_addf(out, "mate %d", score_mate_plies(score));
    } else {
        strbuf_addf(out, "cp %d", score);
    }
}

static uint64_t per_second(uint64_t nodes, int64_t ms) {
    return nodes * 1000 / (uint64_t)i64_max(ms, 1);
}

/* Appends "nodes N nps R hashfull H time T". */
static void add_effort(uint64_t nodes, int hashfull, int64_t time_ms, StrBuf *out) {
    strbuf_add_str(out, " nodes ");
    strbuf_add_u64(out, nodes);
    strbuf_add_str(out, " nps ");
    strbuf_add_u64(out, per_second(nodes, time_ms));
    strbuf_addf(out, " hashfull %d time ", hashfull);
    strbuf_add_i64(out, time_ms);
}

static void append_info_pv(const Move *line, int len, StrBuf *out) {
    strbuf_add_str(out, len > 0 ? " pv" : "");
    usimove_append_line(line, len, out);
}

void usi_format_info(const SearchInfo *info, StrBuf *out) {
    strbuf_addf(out, "info depth %d seldepth %d", info->depth,
                int_max(info->seldepth, info->depth));
    if (info->line_count > 1) {
        strbuf_addf(out, " multipv %d", info->rank);
    }
    if (info->score != SCORE_NONE) {
        strbuf_add_str(out, " score ");
        usi_format_score(info->score, out);
    }
    if (info->bound == BOUND_LOWER || info->bound == BOUND_UPPER) {
        strbuf_add_str(out, info->bound == BOUND_LOWER ? " lowerbound" : " upperbound");
    }
    add_effort(info->nodes, info->hashfull, info->time_ms, out);
    append_info_pv(info->pv, info->pv_len, out);
}

void usi_format_progress(const SearchProgress *progress, StrBuf *out) {
    strbuf_addf(out, "info depth %d", progress->depth);
    add_effort(progress->nodes, progress->hashfull, progress->time_ms, out);
}

void usi_format_mate_info(const MateInfo *info, StrBuf *out) {
    strbuf_addf(out, "info depth %d", info->depth);
    if (info->rank > 0) {
        strbuf_addf(out, " multipv %d", info->rank);
    }
    if (info->mate != 0) {
        strbuf_addf(out, " score mate %d", info->mate);
    }
    add_effort(info->nodes, info->hash_permille, info->time_ms, out);
    append_info_pv(info->line, info->line_len, out);
}

void usi_format_checkmate(const MateAnswer *answer, StrBuf *out) {
    strbuf_add_str(out, "checkmate");
    if (answer->verdict != MATE_FOUND) {
        strbuf_add_str(out, answer->verdict == MATE_NONE ? " nomate" : " timeout");
        return;
    }
    usimove_append_line(answer->line, answer->line_len, out);
}

void usi_format_bestmove(const SearchResult *result, StrBuf *out) {
    strbuf_add_str(out, "bestmove ");
    usimove_append(result->best, out);
    if (move_is_real(result->best) && result->ponder != MOVE_NONE) {
        strbuf_add_str(out, " ponder ");
        usimove_append(result->ponder, out);
    }
}

void usi_format_option(const ArgOption *option, StrBuf *out) {
    static const char *const types[] = {
        [ARG_BOOL] = "check",   [ARG_INT] = "spin",      [ARG_U64] = "spin",
        [ARG_CHOICE] = "combo", [ARG_STRING] = "string", [ARG_FILE] = "filename"};
    strbuf_addf(out, "option name %s type %s default ", option->name, types[option->kind]);
    size_t begin = out->len;
    cmdline_add_default(option, out);
    if (out->len == begin) {
        strbuf_add_str(out, "<empty>");
    }
    if (option->low < option->high) {
        strbuf_addf(out, " min %.0f max %.0f", option->low, option->high);
    }
    for (int i = 0; option->kind == ARG_CHOICE && cmdline_choice(option, i).len > 0; i++) {
        strbuf_add_str(out, " var ");
        strbuf_add(out, cmdline_choice(option, i));
    }
}

static void add_hand(Hand hand, StrBuf *out) {
    static const PieceType order[] = {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN};
    for (size_t i = 0; i < COUNTOF(order); i++) {
        int count = hand_count(hand, order[i]);
        if (count > 0) {
            strbuf_addf(out, " %c", sfen_letter(order[i]));
            if (count > 1) {
                strbuf_add_i64(out, count);
            }
        }
    }
    strbuf_add_byte(out, '\n');
}

static void add_square(Piece piece, StrBuf *out) {
    if (piece == NO_PIECE) {
        strbuf_add_str(out, "  .");
        return;
    }
    PieceType type = piece_type(piece);
    char letter = sfen_letter(type);
    bool is_black = piece_color(piece) == BLACK;
    strbuf_addf(out, " %c%c", pt_is_promoted(type) ? '+' : ' ',
                is_black ? letter : letter - 'A' + 'a');
}

void usi_format_board(const Position *pos, StrBuf *out) {
    strbuf_add_str(out, "  9  8  7  6  5  4  3  2  1\n");
    for (int rank = 0; rank < RANK_NB; rank++) {
        for (int file = FILE_NB - 1; file >= 0; file--) {
            add_square(pos_piece(pos, sq_make(file, rank)), out);
        }
        strbuf_addf(out, "  %c\n", 'a' + rank);
    }
    strbuf_add_str(out, "black in hand:");
    add_hand(pos->hand[BLACK], out);
    strbuf_add_str(out, "white in hand:");
    add_hand(pos->hand[WHITE], out);
    strbuf_addf(out, "to move: %s\nsfen ", pos->side == BLACK ? "black" : "white");
    pos_get_sfen(pos, out);
    strbuf_addf(out, "\nkey %016llx", (unsigned long long)pos_key(pos));
}
