/* stream.c: buffers a part of the file, finds where each game ends, and decodes and reads one game
 * at a time. */
#include "record/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "record/detect.h"
#include "record/kifuio.h"

int kifu_stream_open(KifuStream *stream, const char *path, const Codec *codec) {
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY);
    if (fd < 0) {
        return errno;
    }
    *stream = (KifuStream){.fd = fd, .codec = codec};
    strbuf_add_str(&stream->path, is_stdin ? "" : path);
    file_lines_init(&stream->lines, fd);
    return 0;
}

void kifu_stream_open_bytes(KifuStream *stream, StrView bytes) {
    *stream = (KifuStream){.fd = -1};
    file_lines_init_bytes(&stream->lines, bytes);
}

void kifu_stream_free(KifuStream *stream) {
    file_lines_free(&stream->lines);
    strbuf_free(&stream->path);
    strbuf_free(&stream->sample);
    strbuf_free(&stream->game);
    strbuf_free(&stream->held);
    if (stream->fd >= 0 && stream->fd != STDIN_FILENO) {
        close(stream->fd);
    }
}

/* Reads lines ahead to detect the format and the line ends. A hundred lines suffice. */
static void take_sample(KifuStream *stream) {
    enum { SAMPLE_LINES = 100, SAMPLE_BYTES = 1 << 20 };
    StrView line;
    stream->is_sampled = true;
    for (int i = 0; i < SAMPLE_LINES && stream->sample.len < SAMPLE_BYTES &&
                    file_lines_next(&stream->lines, &line);
         i++) {
        stream->has_crlf = i == 0 ? stream->lines.buf.had_crlf : stream->has_crlf;
        strbuf_add(&stream->sample, line);
        strbuf_add_byte(&stream->sample, '\n');
    }
    kifu_end_lines_in_lf(&stream->sample);
    if (stream->codec == NULL) {
        stream->codec = kifu_guess(strbuf_view(&stream->path), strbuf_view(&stream->sample));
    }
}

static bool next_line(KifuStream *stream, StrView *line) {
    StrView rest = sv_skip(strbuf_view(&stream->sample), stream->sample_next);
    size_t before = rest.len;
    bool is_there = true;
    if (stream->is_held) {
        stream->is_held = false;
        *line = strbuf_view(&stream->held);
    } else if (sv_next_line(&rest, line)) {
        stream->sample_next += before - rest.len;
    } else {
        is_there = file_lines_next(&stream->lines, line);
    }
    stream->lines_read += is_there;
    return is_there;
}

/* Makes next_line return this line again. */
static void put_back(KifuStream *stream, StrView line) {
    strbuf_clear(&stream->held);
    strbuf_add(&stream->held, line);
    stream->is_held = true;
    stream->lines_read--;
}

static GameLine line_kind(const KifuStream *stream, StrView line) {
    const Codec *codec = stream->codec;
    StrView text = sv_trim(utf8_without_mark(kifu_without_padding(line)));
    return codec != NULL && codec->divide != NULL ? codec->divide(text)
           : text.len > 0                         ? GAME_TEXT
                                                  : GAME_REMARK;
}

static bool is_comment(StrView line) {
    line = sv_trim(line);
    return line.len > 0 && sv_has_byte(SV("#'*"), line.ptr[0]);
}

static int count_comments(StrView text) {
    StrView line;
    int count = 0;
    while (sv_next_line(&text, &line)) {
        count += is_comment(line);
    }
    return count;
}

/* Collects the bytes of the next game. Returns false at the end of the file, that is, if at most
 * comments or the first line of a game are left. */
static bool gather(KifuStream *stream) {
    StrView line;
    bool has_text = false, has_moves = false;
    strbuf_clear(&stream->game);
    stream->first_line = stream->lines_read + 1;
    while (next_line(stream, &line)) {
        GameLine kind = line_kind(stream, line);
        if (kind == GAME_BREAK) {
            if (has_text) {
                stream->dropped += is_comment(line);
                return true;
            }
            stream->first_line = stream->lines_read + 1;
            stream->dropped += count_comments(strbuf_view(&stream->game)) + is_comment(line);
            strbuf_clear(&stream->game);
            continue;
        }
        if (kind == GAME_START && has_moves) {
            put_back(stream, line);
            return true;
        }
        has_text |= kind != GAME_REMARK && kind != GAME_START;
        has_moves |= kind == GAME_MOVE;
        if (stream->game.len <= KIFU_MAX_GAME) {
            strbuf_add(&stream->game, line);
            strbuf_add_byte(&stream->game, '\n');
        }
        if (kind == GAME_WHOLE) {
            return true;
        }
    }
    stream->is_at_end = true;
    stream->dropped += has_text ? 0 : count_comments(strbuf_view(&stream->game));
    stream->file_error = stream->lines.error;
    return has_text && stream->file_error == 0;
}

KmdNext kifu_stream_next(KifuStream *stream, Record *record, KmdFault *error) {
    if (!stream->is_sampled) {
        take_sample(stream);
    }
    if (stream->is_at_end || !gather(stream)) {
        return stream->file_error != 0 ? KMD_NEXT_FAILED : KMD_NEXT_END;
    }
    /* Otherwise the codec of the game before is kept, because a game without a version has that of
     * the game before it. */
    if (stream->form.codec == NULL || stream->codec == NULL) {
        stream->form.codec = stream->codec;
    }
    bool is_good = kifu_read(strbuf_view(&stream->game), &stream->form, record, error);
    stream->form.has_crlf = stream->has_crlf;
    if (error->line > 0) {
        error->line += stream->first_line - 1;
    }
    for (int i = 0; i < record->note_count; i++) {
        int *line = &record->notes[i].line;
        *line += *line > 0 ? stream->first_line - 1 : 0;
    }
    return is_good ? KMD_NEXT_GAME : KMD_NEXT_BROKEN;
}

void kifu_append_fault(const char *path, const KmdFault *fault, StrBuf *out) {
    strbuf_add_str(out, path);
    if (fault->line > 0) {
        strbuf_addf(out, ":%d", fault->line);
    }
    if (fault->ply > 0) {
        strbuf_addf(out, ": move %d", fault->ply);
    }
    strbuf_addf(out, ": %s", fault->reason);
    if (fault->near_text[0] != '\0') {
        strbuf_addf(out, ": %s", fault->near_text);
    }
}
