/* record_target.h: common code of the fuzz entries for record formats. Each entry includes it
 * once. */
#ifndef KMD_FUZZ_RECORD_TARGET_H
#define KMD_FUZZ_RECORD_TARGET_H

#include <stdlib.h>

#include "record/kifuio.h"
#include "rules/position.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Checks that the text we write can be read back with all moves of the main line, if the format can
 * hold moves. */
static void check_reading_back(const Record *record, const Codec *codec) {
    KifuForm form = kifu_form(codec);
    form.encoding = TEXT_UTF8;
    KmdFault error;
    StrBuf text = STRBUF_INIT;
    Record back;
    record_init(&back);
    kifu_write(record, &form, &text);
    if (!kifu_read(strbuf_view(&text), &form, &back, &error) ||
        record_main_length(&back) != record_main_length(record)) {
        abort();
    }
    record_free(&back);
    strbuf_free(&text);
}

/* Reads bytes in a format. The contents, even those before an error, must be writable in every
 * format and encoding and readable again. An error must have a reason; a good record may have one
 * too, as a note. */
static int record_target(const char *format, const uint8_t *data, size_t size) {
    KifuForm form = {.codec = kifu_codec_by_name(sv_from(format))};
    KmdFault error;
    StrBuf text = STRBUF_INIT;
    Record record;
    static bool is_ready;
    if (!is_ready) {
        pos_init_tables(); /* slower than most inputs */
        is_ready = true;
    }
    record_init(&record);
    bool is_good = kifu_read((StrView){(const char *)data, size}, &form, &record, &error);
    if (!is_good && error.reason == NULL) {
        abort();
    }
    for (int i = 0; kifu_codec(i) != NULL; i++) {
        KifuForm out = kifu_form(kifu_codec(i));
        out.encoding = (TextEncoding)(i % TEXT_ENCODING_NB);
        strbuf_clear(&text);
        kifu_write(&record, &out, &text);
        if ((out.codec->format.holds & KMD_HOLDS_MOVES) != 0) {
            check_reading_back(&record, out.codec);
        }
    }
    strbuf_free(&text);
    record_free(&record);
    return 0;
}

#endif
