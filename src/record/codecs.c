/* codecs.c: the table of formats. */
#include "record/codecs.h"

#include "record/bod.h"
#include "record/codec.h"
#include "record/csa.h"
#include "record/jkf.h"
#include "record/ki2.h"
#include "record/kif.h"
#include "record/usen.h"
#include "record/usirec.h"

/* The formats, in the order for lists and detection. If two formats share an extension, it selects
 * the first one. */
static const Codec *const codecs[] = {
    &kif_codec,         &ki2_codec,        &csa_codec, &csa_v3_codec, &usirec_usi_codec,
    &usirec_sfen_codec, &usirec_epd_codec, &jkf_codec, &usen_codec,   &bod_codec};

_Static_assert(COUNTOF(codecs) <= KIFU_MAX_CODECS, "kifu_detect counts for each");

const Codec *kifu_codec(int index) {
    return index >= 0 && index < (int)COUNTOF(codecs) ? codecs[index] : NULL;
}

const char *kifu_codec_name(int index) {
    const Codec *codec = kifu_codec(index);
    return codec != NULL ? codec->format.name : NULL;
}

StrView kifu_path_extension(StrView path) {
    size_t dot = path.len;
    while (dot > 0 && !sv_has_byte(SV("./\\"), path.ptr[dot - 1])) {
        dot--;
    }
    return sv_skip(path, dot > 0 && path.ptr[dot - 1] == '.' ? dot : path.len);
}

const Codec *kifu_codec_by_name(StrView name) {
    StrView word;
    for (size_t i = 0; i < COUNTOF(codecs); i++) {
        if (sv_equal_nocase(name, sv_from(codecs[i]->format.name))) {
            return codecs[i];
        }
    }
    for (size_t i = 0; i < COUNTOF(codecs); i++) {
        Tokenizer words = {sv_from(codecs[i]->format.extensions)};
        while (tok_next(&words, &word)) {
            if (sv_equal_nocase(name, word)) {
                return codecs[i];
            }
        }
    }
    return NULL;
}

const Codec *kifu_codec_by_path(StrView path) {
    return kifu_codec_by_name(kifu_path_extension(path));
}

const Codec *kifu_codec_for_path(StrView path, const Codec *source) {
    StrView extension = kifu_path_extension(path), word;
    Tokenizer words = {sv_from(source->format.extensions)};
    while (tok_next(&words, &word)) {
        if (sv_equal_nocase(extension, word)) {
            return source;
        }
    }
    return kifu_codec_by_path(path);
}
