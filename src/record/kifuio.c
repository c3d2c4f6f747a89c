/* kifuio.c: decodes bytes, chooses the codec, and encodes the output. */
#include "record/kifuio.h"

#include "base/textenc.h"
#include "base/utf8.h"
#include "record/codecs.h"
#include "record/detect.h"
#include "record/reader.h"

KifuForm kifu_form(const Codec *codec) {
    return (KifuForm){.codec = codec, .encoding = codec->usual_encoding};
}

StrView kifu_extension(const Codec *codec, StrView wanted) {
    StrView word;
    StrView first = {NULL, 0};
    Tokenizer words = {sv_from(codec->format.extensions)};
    while (tok_next(&words, &word)) {
        first = first.ptr == NULL ? word : first;
        if (sv_equal_nocase(word, wanted)) {
            return word;
        }
    }
    return first;
}

KifuForm kifu_form_by_path(const Codec *codec, StrView path) {
    KifuForm form = kifu_form(codec);
    StrView extension = kifu_path_extension(path);
    if (codec->utf8_extension != NULL &&
        sv_equal_nocase(extension, sv_from(codec->utf8_extension))) {
        form.encoding = TEXT_UTF8;
    }
    return form;
}

bool kifu_has_encoding(const Codec *codec, TextEncoding encoding) {
    return !codec->must_state_encoding || codec->encoding_lines[encoding] != NULL;
}

/* The codec for the version of its format that the text states, or else the given codec. */
static const Codec *version_of(const Codec *codec, StrView text) {
    const Codec *stated = codec->version != NULL ? codec->version(text) : NULL;
    return stated != NULL ? stated : codec;
}

bool kifu_read(StrView bytes, KifuForm *form, Record *record, KmdFault *error) {
    StrBuf text = STRBUF_INIT;
    *error = (KmdFault){.reason = NULL};
    record_clear(record);
    bytes = kifu_without_padding(bytes);
    form->encoding = kifu_detect_encoding(bytes);
    form->has_bom = sv_starts_with(bytes, SV(UTF8_MARK));
    form->has_crlf = sv_find(bytes, SV("\r\n")) < bytes.len;
    form->unreadable = textenc_decode(form->encoding, bytes, &text);
    form->is_of_file = true;
    form->states_encoding = kifu_states_encoding(utf8_without_mark(bytes));
    kifu_end_lines_in_lf(&text);
    if (form->codec == NULL) {
        form->codec = kifu_detect(strbuf_view(&text));
    }
    bool is_good = false;
    if (bytes.len > KIFU_MAX_GAME) {
        error->reason = "the game is too long";
    } else if (sv_starts_with(bytes, SV("\xFF\xFE")) || sv_starts_with(bytes, SV("\xFE\xFF"))) {
        error->reason = "in UTF-16: save it as UTF-8";
    } else if (sv_has_byte(bytes, 0)) {
        error->reason = "not a text file: it contains a zero byte";
    } else if (form->codec == NULL) {
        error->reason = "unknown format";
    } else {
        RecordReader reader;
        reader_init(&reader, record, error);
        form->codec = version_of(form->codec, strbuf_view(&text));
        is_good = form->codec->read(&reader, strbuf_view(&text));
        reader_free(&reader);
    }
    strbuf_free(&text);
    return is_good;
}

/* True if a file in this form has a line that says so. Version 3 of CSA is in Shift_JIS without it.
 */
static bool needs_encoding_line(const KifuForm *form, TextEncoding encoding) {
    const Codec *codec = form->codec;
    if (form->is_of_file && (!codec->must_state_encoding || encoding == TEXT_CP932)) {
        return form->states_encoding;
    }
    return codec->must_state_encoding || codec->states_encoding[encoding];
}

size_t kifu_write(const Record *record, const KifuForm *form, StrBuf *out) {
    StrBuf text = STRBUF_INIT;
    TextEncoding encoding = form->encoding;
    if (!kifu_has_encoding(form->codec, encoding)) {
        encoding = TEXT_UTF8;
    }
    const char *encoding_line = form->codec->encoding_lines[encoding];
    if (encoding_line != NULL && needs_encoding_line(form, encoding)) {
        strbuf_addf(&text, "%s\n", encoding_line);
    }
    form->codec->write(record, &text);
    if (form->has_crlf) {
        StrBuf lines = STRBUF_INIT;
        StrView rest = strbuf_view(&text);
        StrView line;
        while (sv_next_line(&rest, &line)) {
            strbuf_add(&lines, line);
            strbuf_add_str(&lines, "\r\n");
        }
        strbuf_free(&text);
        text = lines;
    }
    if (form->has_bom && encoding == TEXT_UTF8) {
        strbuf_add_str(out, UTF8_MARK);
    }
    size_t lacking = textenc_encode(encoding, strbuf_view(&text), out);
    strbuf_free(&text);
    return lacking;
}
