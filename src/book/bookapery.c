/* bookapery.c: computes the keys with the Mersenne Twister and finds positions by binary search. */
#include "book/bookapery.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"

enum { PIECES = 31, HAND_KINDS = 7, HAND_COUNTS = 19, ORDER_LOOKS = 1000 };

struct AperyBook {
    const uint8_t *bytes;
    size_t count;
    uint64_t piece[PIECES][SQ_NB];
    uint64_t hand[HAND_KINDS][HAND_COUNTS];
    uint64_t side;
};

/* ---- the generator --------------------------------------------------------------------------- */

enum { MT_WORDS = 312, MT_MIDDLE = 156 };

typedef struct Twister {
    uint64_t word[MT_WORDS];
    int next;
} Twister;

static void twister_begin(Twister *twister) {
    twister->word[0] = 5489;
    for (int i = 1; i < MT_WORDS; i++) {
        uint64_t before = twister->word[i - 1];
        twister->word[i] = 6364136223846793005u * (before ^ before >> 62) + (uint64_t)i;
    }
    twister->next = MT_WORDS;
}

static void twister_turn(Twister *twister) {
    uint64_t *word = twister->word;
    for (int i = 0; i < MT_WORDS; i++) {
        uint64_t joined = (word[i] & 0xFFFFFFFF80000000) | (word[(i + 1) % MT_WORDS] & 0x7FFFFFFF);
        uint64_t twist = (joined & 1) != 0 ? 0xB5026F5AA96619E9 : 0;
        word[i] = word[(i + MT_MIDDLE) % MT_WORDS] ^ joined >> 1 ^ twist;
    }
    twister->next = 0;
}

static uint64_t twister_next(Twister *twister) {
    if (twister->next == MT_WORDS) {
        twister_turn(twister);
    }
    uint64_t x = twister->word[twister->next++];
    x ^= x >> 29 & 0x5555555555555555;
    x ^= x << 17 & 0x71D67FFFEDA60000;
    x ^= x << 37 & 0xFFF7EEE000000000;
    return x ^ x >> 43;
}

/* ---- the book -------------------------------------------------------------------------------- */

static uint64_t key_at(const AperyBook *book, size_t index) {
    uint64_t key;
    memcpy(&key, book->bytes + index * APERY_ENTRY_SIZE, sizeof(key));
    return key;
}

/* True if the entry's origin and target differ, because a file of zeros is not a book. */
static bool has_move(const AperyBook *book, size_t index) {
    const uint8_t *at = book->bytes + index * APERY_ENTRY_SIZE + sizeof(uint64_t);
    return at[0] != 0 || at[1] != 0;
}

/* Compares the keys of every `step`th entry. */
static bool is_in_order(const AperyBook *book, size_t step) {
    for (size_t i = step; i < book->count; i += step) {
        if (key_at(book, i) < key_at(book, i - step)) {
            return false;
        }
    }
    return true;
}

AperyBook *bookapery_open(const void *bytes, size_t len) {
    AperyBook *book = xmem_calloc(1, sizeof(AperyBook));
    book->bytes = bytes;
    book->count = len / APERY_ENTRY_SIZE;
    size_t step = book->count / ORDER_LOOKS + 1; /* the order is checked throughout the file */
    if (len == 0 || len % APERY_ENTRY_SIZE != 0 || !has_move(book, 0) || !is_in_order(book, step)) {
        free(book);
        return NULL;
    }
    Twister twister;
    twister_begin(&twister);
    for (int piece = 0; piece < PIECES; piece++) {
        for (Square sq = 0; sq < SQ_NB; sq++) {
            book->piece[piece][sq] = twister_next(&twister);
        }
    }
    for (int kind = 0; kind < HAND_KINDS; kind++) {
        for (int count = 0; count < HAND_COUNTS; count++) {
            book->hand[kind][count] = twister_next(&twister);
        }
    }
    book->side = twister_next(&twister);
    return book;
}

void bookapery_free(AperyBook *book) {
    free(book);
}

size_t bookapery_count(const AperyBook *book) {
    return book->count;
}

bool bookapery_is_sorted(const AperyBook *book) {
    return is_in_order(book, 1);
}

/* Apery numbers piece codes and squares as we do (types.h), but gold comes before bishop in
 * hand. */
uint64_t bookapery_key(const AperyBook *book, const Setup *setup) {
    static const PieceType kinds[HAND_KINDS] = {PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK};
    uint64_t key = setup->side == WHITE ? book->side : 0;
    for (Square sq = 0; sq < SQ_NB; sq++) {
        if (setup->board[sq] != NO_PIECE) {
            key ^= book->piece[setup->board[sq]][sq];
        }
    }
    for (int i = 0; i < HAND_KINDS; i++) {
        key ^= book->hand[i][hand_count(setup->hand[setup->side], kinds[i])];
    }
    return key;
}

/* Converts one of Apery's moves: bits 0-6 are the target, bits 7-13 the origin (80 + type for
 * drops), and bit 14 is set for a promotion. Only drops differ from our format. */
static Move read_move(unsigned bits) {
    unsigned origin = bits >> 7 & 127;
    return (Move)(origin >= SQ_NB ? bits + (1 << 7) : bits);
}

bool bookapery_find(const AperyBook *book, const Setup *setup, BookEntry *entry) {
    uint64_t key = bookapery_key(book, setup);
    size_t low = 0, high = book->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (key_at(book, middle) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    entry->count = 0;
    entry->ply = 0;
    for (; low < book->count && key_at(book, low) == key && entry->count < BOOK_MAX_MOVES; low++) {
        const uint8_t *at = book->bytes + low * APERY_ENTRY_SIZE + 8;
        uint16_t bits, count;
        int32_t score;
        memcpy(&bits, at, 2);
        memcpy(&count, at + 2, 2);
        memcpy(&score, at + 4, 4);
        entry->moves[entry->count++] =
            (BookMove){.move = read_move(bits),
                       .score = (int16_t)int_clamp(score, -BOOK_MAX_SCORE, BOOK_MAX_SCORE),
                       .others = count};
    }
    return entry->count > 0;
}
