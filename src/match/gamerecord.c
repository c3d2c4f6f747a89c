/* gamerecord.c: builds a record of a game with the engines' lines, times and headers, and writes it
 * with a kifu codec; writes games as USI lines. */
#include "match/gamerecord.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/fileio.h"
#include "base/outguard.h"
#include "play/newfile.h"
#include "play/player.h"
#include "record/csa.h"
#include "record/kifuio.h"
#include "record/notation_ja.h"
#include "record/words.h"
#include "rules/legality.h"
#include "rules/usimove.h"

/* The score of a mate in CSA's comments. */
enum { CSA_MATE = 30000 };

/* The record of a game while it is built. */
typedef struct Writing {
    const GameRecordOptions *options;
    const Contest *contest;
    const EngineSpec *players[COLOR_NB];
    const GameResult *result;
    bool is_csa;
    Record record;
    Position pos; /* position after the move added last */
    StrBuf text;  /* buffer for a line */
} Writing;

/* Appends a line of moves from the position, as far as they are legal, in a form that does not
 * depend on the move before it. Returns the number of moves. */
static int add_pv(Writing *writing, StrView moves) {
    Position *pos = &writing->pos;
    Tokenizer tok = {moves};
    StrView word;
    int count = 0;
    while (tok_next(&tok, &word)) {
        Move move = usimove_read(word);
        if (!move_is_legal(pos, move)) {
            break;
        }
        if (writing->is_csa) {
            strbuf_add_byte(&writing->text, ' ');
            csa_append_move(pos, move, &writing->text);
        } else {
            strbuf_add_str(&writing->text, word_mark(pos->side));
            notation_append_ja(pos, move, count == 0 ? JA_SQUARE : JA_PLAIN, &writing->text);
        }
        pos_do(pos, move);
        count++;
    }
    for (int i = 0; i < count; i++) {
        pos_undo(pos);
    }
    return count;
}

/* The moves that follow the played move in the line that the player reported with it. */
static StrView line_after(const Writing *writing, const MoveNote *note, Move move) {
    StrView pvs = strbuf_view(&writing->result->pvs);
    StrView word;
    Tokenizer tok = {sv_prefix(sv_skip(pvs, note->pv), note->pv_len)};
    bool is_it = tok_next(&tok, &word) && usimove_read(word) == move;
    return is_it ? tok_rest(&tok) : (StrView){NULL, 0};
}

static void end_line(Writing *writing, int node) {
    record_add_comment(&writing->record, node, strbuf_view(&writing->text));
    strbuf_clear(&writing->text);
}

/* Adds a player's report on its move. In CSA it is written like floodgate's programs do, "* 123
 * +7776FU -3334FU #5000"; otherwise with one line per item, as ShogiHome does for players. Scores
 * are from black's point of view. */
static void add_thoughts(Writing *writing, const MoveNote *note, int node) {
    StrBuf *text = &writing->text;
    StrView pv = line_after(writing, note, writing->pos.now->move);
    bool is_mate = abs(note->score) > USI_SCORE_MATE;
    bool is_black = note->score > 0;
    if (note->has_score && writing->is_csa) {
        strbuf_addf(text, "* %d", is_mate ? (is_black ? CSA_MATE : -CSA_MATE) : note->score);
        (void)add_pv(writing, pv);
        if (note->nodes > 0) {
            strbuf_addf(text, " #%llu", (unsigned long long)note->nodes);
        }
        end_line(writing, node);
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
        end_line(writing, node);
        strbuf_add_str(text, "*読み筋=");
        if (add_pv(writing, pv) > 0) {
            end_line(writing, node);
        }
        strbuf_clear(text);
    }
    if (note->depth > 0) {
        strbuf_addf(text, "*深さ=%d", note->depth);
        end_line(writing, node);
    }
    if (note->nodes > 0 && !writing->is_csa) {
        strbuf_addf(text, "*ノード数=%llu", (unsigned long long)note->nodes);
        end_line(writing, node);
    }
    if (note->left_ns >= 0) {
        strbuf_addf(text, "*残り時間=%.3f", (double)note->left_ns / 1e9);
        end_line(writing, node);
    }
}

/* Adds all moves, with times and the players' reports. Returns the last node. */
static int add_moves(Writing *writing, const Position *end) {
    const GameResult *result = writing->result;
    int count = pos_moves_done(end);
    int opening = count - result->plies;
    int node = KMD_ROOT;
    for (int i = 0; i < count; i++) {
        Move move = end->states[i + 1].move;
        node = record_add_move(&writing->record, node, move);
        pos_do(&writing->pos, move);
        if (i >= opening) {
            const MoveNote *note = &result->notes[i - opening];
            record_set_time(&writing->record, node, note->time_ns / 1000000);
            add_thoughts(writing, note, node);
        }
    }
    return node;
}

/* Adds a comment with details that the ending does not state. */
static void add_comment(const GameResult *result, Record *record, int node) {
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
        timecontrol_write(tc, out);
        return;
    }
    if (tc->moves > 0) {
        strbuf_addf(out, "%d手ごとに", tc->moves);
    }
    if (tc->main_ms >= 60000) {
        strbuf_addf(out, "%d分", (int)(tc->main_ms / 60000));
    }
    if (rest_ms > 0 || tc->main_ms == 0) {
        strbuf_addf(out, "%g秒", (double)rest_ms / 1e3);
    }
    if (tc->byoyomi_ms > 0) {
        strbuf_addf(out, "、秒読み%g秒", (double)tc->byoyomi_ms / 1e3);
    }
    if (tc->inc_ms > 0) {
        strbuf_addf(out, "、1手ごとに%g秒加算", (double)tc->inc_ms / 1e3);
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
        strbuf_addf(text, "%g+%g+%g", (double)tc->main_ms / 1e3, (double)tc->byoyomi_ms / 1e3,
                    (double)tc->inc_ms / 1e3);
        key = csa3_key;
    } else if (writing->is_csa && is_round && tc->has_clock && tc->moves == 0) {
        strbuf_addf(text, "%02d:%02d+%02d", (int)(tc->main_ms / 3600000),
                    (int)(tc->main_ms / 60000 % 60), (int)(tc->byoyomi_ms / 1000));
    } else if (writing->is_csa) {
        timecontrol_write(tc, text);
        key = "TIME";
    } else {
        add_time_in_words(tc, text);
    }
    record_set_header(record, sv_from(key), strbuf_view(text));
    strbuf_clear(text);
}

static void add_headers(Writing *writing) {
    const Contest *contest = writing->contest;
    const EngineSpec *black = writing->players[BLACK], *white = writing->players[WHITE];
    Record *record = &writing->record;
    if (contest->event != NULL) {
        record_set_header(record, SV("棋戦"), sv_from(contest->event));
    }
    if (contest->site != NULL) {
        record_set_header(record, SV("場所"), sv_from(contest->site));
    }
    add_time_of_day(record, "開始日時", writing->result->start_time);
    add_time_of_day(record, "終了日時", writing->result->end_time);
    record_set_header(record, SV("先手"), sv_from(black->name));
    record_set_header(record, SV("後手"), sv_from(white->name));
    StrBuf other = STRBUF_INIT;
    timecontrol_write(&black->tc, &writing->text);
    timecontrol_write(&white->tc, &other);
    bool is_same = sv_equal(strbuf_view(&writing->text), strbuf_view(&other));
    strbuf_free(&other);
    if (is_same) {
        add_time_control(writing, &black->tc, "持ち時間", "$TIME");
    } else {
        add_time_control(writing, &black->tc, "先手の持ち時間", "$TIME+");
        add_time_control(writing, &white->tc, "後手の持ち時間", "$TIME-");
    }
    if (contest->schedule.has_furigoma) {
        record_set_header(record, SV("振り駒"), sv_from(black->name));
    }
}

void gamerecord_append(const GameRecordOptions *options, const MatchEvent *event, StrBuf *out) {
    const Contest *contest = event->contest;
    const GameResult *result = event->result;
    const Position *end = event->pos;
    StrBuf name = STRBUF_INIT;
    strbuf_addf(&name, "game.%.*s", (int)options->extension.len, options->extension.ptr);
    KifuForm form = kifu_form_by_path(options->codec, strbuf_view(&name));
    strbuf_free(&name);
    Writing writing = {.options = options,
                       .contest = contest,
                       .players = {&contest->engines[schedule_black(event->game)],
                                   &contest->engines[schedule_white(event->game)]},
                       .result = result,
                       .is_csa = sv_starts_with(sv_from(form.codec->format.name), SV("csa"))};
    pos_init_copy(&writing.pos, end);
    while (pos_moves_done(&writing.pos) > 0) {
        pos_undo(&writing.pos);
    }
    record_init(&writing.record);
    writing.record.start = pos_get(&writing.pos);
    add_headers(&writing);
    int node = add_moves(&writing, end);
    add_comment(result, &writing.record, node);
    record_add_ending(&writing.record, node, gameresult_ending(result, end->side));
    (void)kifu_write(&writing.record, &form, out);
    record_free(&writing.record);
    pos_free(&writing.pos);
    strbuf_free(&writing.text);
}

/* ---- Files. ---- */

#define FILE_START "game-"

/* The number in a file name has at least this many digits, so that the names sort in the order of
 * the games. */
enum { FILE_DIGITS = 6 };

/* True for the names of the records of games 1..total; *number is the number of the game. */
static bool is_game_file(const GameRecordOptions *options, StrView name, int total, int *number) {
    if (!sv_starts_with(name, SV(FILE_START))) {
        return false;
    }
    name = sv_skip(name, SV(FILE_START).len);
    size_t dot = sv_find_byte(name, '.');
    return dot >= FILE_DIGITS && sv_to_int(sv_prefix(name, dot), 1, total, number) &&
           sv_equal(sv_skip(name, dot + 1), options->extension);
}

bool gamerecord_check(const GameRecordOptions *options, int total,
                      bool (*is_played)(const void *context, int index), const void *context,
                      StrBuf *error) {
    const char *path = options->dir;
    int number = 0;
    StrBuf names = STRBUF_INIT;
    if (path == NULL) {
        return true;
    }
    int failure = file_list(path, &names);
    failure = failure == ENOENT ? file_make_folder(path) : failure;
    if (failure == 0 && access(path, W_OK) != 0) {
        failure = errno;
    }
    if (failure != 0) {
        strbuf_addf(error, "-records: %s: %s", path, file_error_text(failure));
    }
    StrView rest = strbuf_view(&names);
    StrView name;
    while (error->len == 0 && !options->may_replace && sv_next_line(&rest, &name)) {
        if (is_game_file(options, name, total, &number) && is_played(context, number - 1)) {
            StrBuf file = STRBUF_INIT;
            file_join(path, name, &file);
            (void)outguard_keep_old(file.ptr, "name another folder", error);
            strbuf_free(&file);
        }
    }
    strbuf_free(&names);
    return error->len == 0;
}

bool gamerecord_hear(void *self, const MatchEvent *event) {
    const GameRecordOptions *options = self;
    if (options->dir == NULL || event->kind != EVENT_END) {
        return true;
    }
    StrBuf path = STRBUF_INIT, text = STRBUF_INIT;
    strbuf_addf(&path, "%s/" FILE_START "%0*d.", options->dir, FILE_DIGITS, event->game->index + 1);
    strbuf_add(&path, options->extension);
    gamerecord_append(options, event, &text);
    int error = file_write(path.ptr, text.ptr, text.len);
    strbuf_free(&path);
    strbuf_free(&text);
    errno = error;
    return error == 0;
}

/* ---- All games in one file of USI lines. ---- */

bool gamerecord_open_usi(UsiGamesFile *file, const char *path, bool resumes, StrBuf *error) {
    file->stream = path != NULL ? newfile_open(path, resumes, "name another file", error) : NULL;
    if (file->stream == NULL || newfile_is_empty(file->stream)) {
        return path == NULL || file->stream != NULL;
    }
    StrBuf text = STRBUF_INIT;
    bool is_good =
        newfile_read(path, &text, error) && newfile_cut(file->stream, path, text.len, error);
    strbuf_free(&text);
    return is_good;
}

bool gamerecord_hear_usi(void *self, const MatchEvent *event) {
    FILE *stream = ((UsiGamesFile *)self)->stream;
    if (stream == NULL || event->kind != EVENT_END) {
        return true;
    }
    const GameResult *result = event->result;
    const EngineSpec *engines = event->contest->engines;
    const char *start = result->start.ptr;
    bool has_moves = sv_find(sv_from(start), SV(" moves ")) < result->start.len;
    fprintf(stream, "# game %d: %s - %s, %s: %s\n", event->game->index + 1,
            engines[schedule_black(event->game)].name, engines[schedule_white(event->game)].name,
            result->winner == KMD_WINNER_DRAW ? "draw" : gameresult_winner_name(result->winner),
            gameresult_end_name(result->reason));
    fprintf(stream, "position %s%s%s\n", start,
            result->plies == 0 ? ""
            : has_moves        ? " "
                               : " moves ",
            result->plies == 0 ? "" : result->moves.ptr);
    return fflush(stream) == 0;
}

bool gamerecord_close_usi(UsiGamesFile *file) {
    return file->stream == NULL || fclose(file->stream) == 0;
}
