/* gamerecord.c: builds a record of a game with the engines' lines, times and headers, and writes it
 * in a record format. */
#include "play/gamerecord.h"
#include "base/clock.h"

#include <stdlib.h>
#include <time.h>

#include "play/usiline.h"
#include "record/csa.h"
#include "record/kifuio.h"
#include "record/notation.h"
#include "record/words.h"
#include "rules/legality.h"
#include "rules/usimove.h"

/* The score of a mate in CSA's comments, and the longest line. */
enum { CSA_MATE = 30000, MAX_PV = 400 };

/* Sets codec and extension by the name of a format that can hold moves, such as csa or kifu. */
static bool read_record_format(const char *name, void *request) {
    GameRecordOptions *options = request;
    options->codec = kifu_codec_by_name(sv_from(name));
    if (options->codec == NULL || (options->codec->format.holds & KMD_HOLDS_MOVES) == 0) {
        return false;
    }
    options->extension = kifu_extension(options->codec, sv_from(name));
    return true;
}

static const char *record_format_name(int index) {
    for (int i = 0; kifu_codec(i) != NULL; i++) {
        bool has_moves = (kifu_codec(i)->format.holds & KMD_HOLDS_MOVES) != 0;
        if (has_moves && index-- == 0) {
            return kifu_codec_name(i);
        }
    }
    return NULL;
}

const ArgOption gamerecord_keys[] = {
    {"dir", "D", ARG_AT(GameRecordOptions, ARG_TEXT, dir), .help = "folder, created if necessary"},
    {"format", NULL, ARG_OTHER, .read = read_record_format, .word = record_format_name,
     .help = "format of the records (default csa)"},
    {.name = NULL},
};

bool gamerecord_complete(GameRecordOptions *options, StrBuf *error) {
    if (options->codec == NULL) {
        return read_record_format("csa", options);
    }
    if (options->dir == NULL) {
        strbuf_add_str(error, "-records: needs dir=, the folder to write to");
    }
    return options->dir != NULL;
}

/* The record of a game while it is built. */
typedef struct Writing {
    const GameRecordOptions *options;
    const PlayedGame *game;
    bool is_csa;
    Record record;
    Position pos; /* position after the move added last */
    StrBuf text;  /* buffer for a line */
} Writing;

/* Appends the moves that the player expects after the move added last, in a form that does not
 * depend on the move before them. Returns their number. */
static int append_pv(Writing *writing, StrView line) {
    Position *pos = &writing->pos;
    Move moves[MAX_PV];
    int count = gameresult_read_pv(line, pos, moves, MAX_PV);
    for (int i = 0; i < count; i++) {
        if (writing->is_csa) {
            strbuf_add_byte(&writing->text, ' ');
            csa_append_move(pos, moves[i], &writing->text);
        } else {
            strbuf_add_str(&writing->text, word_mark(pos->side));
            notation_append_ja(pos, moves[i], i == 0 ? JA_SQUARE : JA_PLAIN, &writing->text);
        }
        pos_do(pos, moves[i]);
    }
    pos_undo_moves(pos, count);
    return count;
}

static void end_comment_line(Writing *writing, int node) {
    record_add_comment(&writing->record, node, strbuf_view(&writing->text));
    strbuf_clear(&writing->text);
}

/* Adds a player's report on its move. In CSA it is written like floodgate's programs do, "* 123
 * +7776FU -3334FU #5000"; otherwise with one line per item, as ShogiHome does for players. Scores
 * are from black's point of view. */
static void add_thoughts(Writing *writing, const MoveNote *note, int node) {
    StrBuf *text = &writing->text;
    StrView pvs = strbuf_view(&writing->game->result->pvs);
    StrView pv = sv_prefix(sv_skip(pvs, note->pv), note->pv_len);
    bool is_mate = abs(note->score) > USI_SCORE_MATE;
    bool is_black = note->score > 0;
    if (note->has_score && writing->is_csa) {
        strbuf_addf(text, "* %d", is_mate ? (is_black ? CSA_MATE : -CSA_MATE) : note->score);
        (void)append_pv(writing, pv);
        if (note->nodes > 0) {
            strbuf_addf(text, " #%llu", (unsigned long long)note->nodes);
        }
        end_comment_line(writing, node);
    } else if (note->has_score) {
        if (is_mate) {
            int plies = 2 * USI_SCORE_MATE - abs(note->score);
            strbuf_addf(text, "*詰み=%s勝ち", word_side(is_black ? BLACK : WHITE));
            if (plies > 0) { /* 0: of unknown length */
                strbuf_addf(text, ":%d手", plies);
            }
        } else {
            strbuf_addf(text, "*評価値=%d", note->score);
        }
        end_comment_line(writing, node);
        strbuf_add_str(text, "*読み筋=");
        if (append_pv(writing, pv) > 0) {
            end_comment_line(writing, node);
        }
        strbuf_clear(text);
    }
    if (note->depth > 0) {
        strbuf_addf(text, "*深さ=%d", note->depth);
        end_comment_line(writing, node);
    }
    if (note->nodes > 0 && !writing->is_csa) {
        strbuf_addf(text, "*ノード数=%llu", (unsigned long long)note->nodes);
        end_comment_line(writing, node);
    }
    if (note->left_ns >= 0) {
        strbuf_addf(text, "*残り時間=%.3f", (double)note->left_ns / 1e9);
        end_comment_line(writing, node);
    }
}

/* Adds all moves, with times and the players' reports. Returns the last node. */
static int add_played_moves(Writing *writing, const Position *end) {
    const GameResult *result = writing->game->result;
    int count = pos_moves_done(end);
    int opening = count - result->plies;
    int node = KMD_ROOT;
    for (int i = 0; i < count; i++) {
        Move move = end->states[i + 1].move;
        node = record_add_move(&writing->record, node, move);
        pos_do(&writing->pos, move);
        if (i >= opening) {
            const MoveNote *note = &result->notes[i - opening];
            record_set_time(&writing->record, node, note->time_ns / NS_PER_MS);
            add_thoughts(writing, note, node);
        }
    }
    return node;
}

/* Adds a comment with details that the ending does not state. */
static void add_end_comment(const GameResult *result, Record *record, int node) {
    StrBuf text = STRBUF_INIT;
    bool is_adjudged =
        result->reason == ENDED_ADJUDGED_WIN || result->reason == ENDED_ADJUDGED_DRAW;
    if (!is_adjudged && !gameresult_is_fault(result->reason)) {
        return;
    }
    strbuf_addf(&text, "%s, winner: %s", gameresult_end_name(result->reason),
                gameresult_winner_name(result->winner));
    if (result->detail.len > 0) {
        strbuf_addf(&text, " (%s)", result->detail.ptr);
    }
    record_add_comment(record, node, strbuf_view(&text));
    strbuf_free(&text);
}

static void add_time_of_day(Record *record, const char *key, int64_t seconds) {
    char text[32];
    time_t at = (time_t)seconds;
    const struct tm *local = seconds > 0 ? localtime(&at) : NULL;
    if (local != NULL && strftime(text, sizeof(text), "%Y/%m/%d %H:%M:%S", local) > 0) {
        record_set_header(record, sv_from(key), sv_from(text));
    }
}

/* Appends a time control in words, such as "15分、秒読み60秒". */
static void add_time_in_words(const TimeControl *tc, StrBuf *out) {
    int64_t rest_ms = tc->main_ms % 60000;
    if (!tc->has_clock) {
        timecontrol_write(tc, "", out);
        return;
    }
    if (tc->main_ms >= 60000) {
        strbuf_addf(out, "%d分", (int)(tc->main_ms / 60000));
    }
    if (rest_ms > 0 || tc->main_ms == 0) {
        strbuf_addf(out, "%.12g秒", (double)rest_ms / 1e3);
    }
    if (tc->byoyomi_ms > 0) {
        strbuf_addf(out, "、秒読み%.12g秒", (double)tc->byoyomi_ms / 1e3);
    }
    if (tc->inc_ms > 0) {
        strbuf_addf(out, "、1手ごとに%.12g秒加算", (double)tc->inc_ms / 1e3);
    }
}

/* Adds the time control of one side, or of both. In CSA version 3 it is written in seconds. Older
 * versions use hours and minutes with byoyomi, and a comment if these cannot express it. */
static void add_time_control(Writing *writing, const TimeControl *tc, const char *key,
                             const char *csa3_key) {
    Record *record = &writing->record;
    StrBuf *text = &writing->text;
    bool is_round = tc->main_ms % 60000 == 0 && tc->byoyomi_ms % 1000 == 0 && tc->inc_ms == 0;
    strbuf_clear(text);
    if (sv_equal(sv_from(writing->options->codec->format.name), SV("csa3")) && tc->has_clock) {
        strbuf_addf(text, "%.12g+%.12g+%.12g", (double)tc->main_ms / 1e3,
                    (double)tc->byoyomi_ms / 1e3, (double)tc->inc_ms / 1e3);
        key = csa3_key;
    } else if (writing->is_csa && is_round && tc->has_clock) {
        strbuf_addf(text, "%02d:%02d+%02d", (int)(tc->main_ms / 3600000),
                    (int)(tc->main_ms / 60000 % 60), (int)(tc->byoyomi_ms / 1000));
    } else if (writing->is_csa) {
        timecontrol_write(tc, "", text);
        key = "TIME";
    } else {
        add_time_in_words(tc, text);
    }
    record_set_header(record, sv_from(key), strbuf_view(text));
    strbuf_clear(text);
}

static void add_game_headers(Writing *writing) {
    const PlayedGame *game = writing->game;
    const TimeControl *black = game->tc[BLACK], *white = game->tc[WHITE];
    Record *record = &writing->record;
    if (game->event != NULL) {
        record_set_header(record, SV("棋戦"), sv_from(game->event));
    }
    if (game->site != NULL) {
        record_set_header(record, SV("場所"), sv_from(game->site));
    }
    add_time_of_day(record, "開始日時", writing->game->result->start_time);
    add_time_of_day(record, "終了日時", writing->game->result->end_time);
    record_set_header(record, SV("先手"), sv_from(game->name[BLACK]));
    record_set_header(record, SV("後手"), sv_from(game->name[WHITE]));
    StrBuf other = STRBUF_INIT;
    timecontrol_write(black, "", &writing->text);
    timecontrol_write(white, "", &other);
    bool is_same = sv_equal(strbuf_view(&writing->text), strbuf_view(&other));
    strbuf_free(&other);
    if (is_same) {
        add_time_control(writing, black, "持ち時間", "$TIME");
    } else {
        add_time_control(writing, black, "先手の持ち時間", "$TIME+");
        add_time_control(writing, white, "後手の持ち時間", "$TIME-");
    }
}

void gamerecord_append(const GameRecordOptions *options, const PlayedGame *game, StrBuf *out) {
    StrBuf name = STRBUF_INIT;
    strbuf_addf(&name, "game.%.*s", (int)options->extension.len, options->extension.ptr);
    KifuForm form = kifu_form_by_path(options->codec, strbuf_view(&name));
    strbuf_free(&name);
    Writing writing = {.options = options,
                       .game = game,
                       .is_csa = sv_starts_with(sv_from(form.codec->format.name), SV("csa"))};
    pos_init_copy(&writing.pos, game->pos);
    pos_undo_moves(&writing.pos, pos_moves_done(&writing.pos));
    record_init(&writing.record);
    writing.record.start = pos_get(&writing.pos);
    add_game_headers(&writing);
    int node = add_played_moves(&writing, game->pos);
    add_end_comment(game->result, &writing.record, node);
    record_add_ending(&writing.record, node, gameresult_ending(game->result, game->pos->side));
    (void)kifu_write(&writing.record, &form, out);
    record_free(&writing.record);
    pos_free(&writing.pos);
    strbuf_free(&writing.text);
}
