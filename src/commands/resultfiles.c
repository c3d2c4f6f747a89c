/* resultfiles.c: derives the names of the results from the name of the input, checks that no file
 * would be lost, and fills the files. */
#include "commands/resultfiles.h"

#include <errno.h>

#include "base/fileio.h"
#include "base/outguard.h"
#include "commands/evalgraph.h"
#include "commands/gameindex.h"
#include "commands/gamepage.h"
#include "record/kif.h"
#include "record/kifuio.h"

/* The end of the name of a derived file, before its extension. */
#define MARK "-analysis"

/* The path without its extension. */
static StrView stem_of(StrView path) {
    StrView extension = kifu_path_extension(path);
    return extension.len > 0 ? sv_prefix(path, path.len - extension.len - 1) : path;
}

bool resultfiles_is_input(StrView name) {
    StrView stem = stem_of(name);
    return kifu_codec_by_path(name) != NULL && sv_find(stem, SV(MARK)) == stem.len;
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool refuse(const char *path, const char *reason, StrBuf *why) {
    strbuf_addf(why, "%s: %s", path, reason);
    return false;
}

bool resultfiles_has_index(const ResultFilesOptions *options) {
    const char *pages = options->names[RESULT_PAGE];
    return pages != NULL && file_names_folder(pages);
}

static bool check_index(const char *folder, StrBuf *why) {
    StrBuf path = STRBUF_INIT;
    file_join(folder, SV(GAMEINDEX_NAME), &path);
    int fault = gameindex_check(path.ptr);
    bool is_good = fault == 0 || refuse(path.ptr,
                                        fault == EEXIST ? "not written by komadori analyze; "
                                                          "it is not replaced"
                                                        : file_error_text(fault),
                                        why);
    strbuf_free(&path);
    return is_good;
}

static bool check_name(const char *name, bool has_many, StrBuf *why) {
    if (sv_equal(sv_from(name), SV("-"))) {
        return refuse(name, "give a file name", why);
    }
    if (file_names_folder(name)) {
        int fault = file_make_folder(name);
        return fault == 0 || refuse(name, file_error_text(fault), why);
    }
    return !has_many || refuse(name, "one file cannot hold several games; give a folder", why);
}

bool resultfiles_check(const ResultFilesOptions *options, const char *input, bool has_many,
                       StrBuf *why) {
    for (int i = 0; i < RESULT_JOURNAL; i++) {
        if (options->names[i] != NULL && !check_name(options->names[i], has_many, why)) {
            return false;
        }
    }
    if (resultfiles_has_index(options) && !check_index(options->names[RESULT_PAGE], why)) {
        return false;
    }
    StrView out = sv_from(options->names[RESULT_RECORD]);
    bool is_known = out.len == 0 || file_names_folder(out.ptr) || kifu_codec_by_path(out) != NULL ||
                    sv_equal_nocase(kifu_path_extension(out), kifu_path_extension(sv_from(input)));
    return is_known || refuse(out.ptr, "unknown file name extension", why);
}

/* Appends the path without its extension: "game-analysis" next to the input or in a folder, or
 * "game-analysis-2" for the second game of a file. */
static void append_stem(const ResultFilesOptions *options, const ResultSource *source,
                        const char *folder, StrBuf *out) {
    StrView stem = stem_of(sv_from(source->path));
    if (folder != NULL) {
        file_join(folder, file_name(stem), out);
    } else {
        strbuf_add(out, stem);
    }
    bool is_result = sv_ends_with(stem, SV(MARK)) && !options->is_searched;
    strbuf_add_str(out, is_result ? "" : MARK);
    if (source->game > 1) {
        strbuf_addf(out, "-%d", source->game);
    }
}

static bool is_file_name(const char *name) {
    return name != NULL && !file_names_folder(name);
}

/* Determines the name of a file: as the user requested, in the folder that the user requested, or
 * next to the input. */
static void name_file(ResultFiles *files, const ResultFilesOptions *options,
                      const ResultSource *source, int which, const char *extension) {
    const char *wanted = options->names[which];
    StrBuf *path = &files->paths[which];
    if (is_file_name(wanted)) {
        strbuf_add_str(path, wanted);
        return;
    }
    if (wanted != NULL) {
        append_stem(options, source, wanted, path);
    } else {
        strbuf_add(path, stem_of(strbuf_view(&files->paths[RESULT_RECORD])));
    }
    strbuf_addf(path, ".%s", extension);
}

static StrView usual_extension(const Codec *codec) {
    StrView all =
        sv_from(codec->utf8_extension != NULL ? codec->utf8_extension : codec->format.extensions);
    return sv_prefix(all, sv_find_byte(all, ' '));
}

static void name_record(ResultFiles *files, const ResultFilesOptions *options,
                        const ResultSource *source) {
    StrView input = sv_from(source->path);
    StrView extension = kifu_path_extension(input);
    const char *wanted = options->names[RESULT_RECORD];
    StrBuf *path = &files->paths[RESULT_RECORD];
    const Codec *codec = source->form.codec;
    if (is_file_name(wanted)) {
        const Codec *named = kifu_codec_for_path(sv_from(wanted), codec);
        codec = named != NULL ? named : codec;
        strbuf_add_str(path, wanted);
    } else {
        codec = (codec->format.holds & KMD_HOLDS_COMMENTS) != 0 ? codec : &kif_codec;
        append_stem(options, source, wanted, path);
        strbuf_add_byte(path, '.');
        bool is_usual = kifu_codec_for_path(input, codec) == codec;
        strbuf_add(path, is_usual ? extension : usual_extension(codec));
    }
    StrView out = strbuf_view(path);
    bool is_same =
        codec == source->form.codec && sv_equal_nocase(kifu_path_extension(out), extension);
    files->form = is_same ? source->form : kifu_form_by_path(codec, out);
    strbuf_addf(&files->paths[RESULT_JOURNAL], "%s.journal", out.ptr);
}

void resultfiles_init(ResultFiles *files, const ResultFilesOptions *options,
                      const ResultSource *source) {
    *files = (ResultFiles){.form = source->form};
    name_record(files, options, source);
    if (options->has_graph) {
        name_file(files, options, source, RESULT_GRAPH, "svg");
    }
    if (options->names[RESULT_PAGE] != NULL) {
        name_file(files, options, source, RESULT_PAGE, "html");
    }
    if (options->names[RESULT_JSON] != NULL) {
        name_file(files, options, source, RESULT_JSON, "json");
    }
}

void resultfiles_free(ResultFiles *files) {
    for (int i = 0; i < RESULT_COUNT; i++) {
        strbuf_free(&files->paths[i]);
    }
}

/* True if the file at `path` is one of the files of `written`. */
static bool is_written(const char *path, StrView written) {
    StrBuf identity = STRBUF_INIT;
    StrView line;
    bool is_found = false;
    file_identity(path, &identity);
    while (!is_found && sv_next_line(&written, &line)) {
        is_found = sv_equal(line, strbuf_view(&identity)) || sv_equal(line, sv_from(path));
    }
    strbuf_free(&identity);
    return is_found;
}

bool resultfiles_may_write(const ResultFiles *files, const ResultSource *source, bool is_part,
                           StrView written, StrBuf *why) {
    OutFile outputs[RESULT_COUNT] = {{.path = NULL}};
    Args input = {1, (const char **)&source->path};
    for (int i = 0; i < RESULT_COUNT; i++) {
        const char *path = files->paths[i].len > 0 ? files->paths[i].ptr : NULL;
        outputs[i] = (OutFile){.path = path, .is_opened_soon = true};
        if (path != NULL && is_written(path, written)) {
            return outguard_keep(path, "another game of this run was written here", why);
        }
    }
    /* The record may replace the input. */
    return outguard_check(outputs, RESULT_COUNT, NULL, why) &&
           outguard_check(outputs + RESULT_RECORD + 1, RESULT_COUNT - RESULT_RECORD - 1, &input,
                          why) &&
           !(is_part && file_is_same(source->path, files->paths[RESULT_RECORD].ptr) &&
             !outguard_keep(source->path, "the output is only a part of this input", why));
}

/* ---- contents -------------------------------------------------------------------------------- */

void resultfiles_comment(const ResultFiles *files, const ResultFilesOptions *options,
                         const Analysis *analysis, Record *record) {
    bool is_floodgate = files->form.codec->has_floodgate_comments;
    int style = options->style != RESULT_STYLE_AUTO ? options->style
                : is_floodgate                      ? STYLE_FLOODGATE
                                                    : STYLE_SHOGIHOME;
    annotate_comments(analysis, (AnnotateStyle)style, record);
    if (options->has_variations) {
        annotate_variations(analysis, record);
    }
}

size_t resultfiles_append(const ResultFiles *files, int which, const Analysis *analysis,
                          StrBuf *out) {
    static void (*const writers[])(const Analysis *,
                                   StrBuf *) = {[RESULT_GRAPH] = evalgraph_write,
                                                [RESULT_PAGE] = gamepage_write_html,
                                                [RESULT_JSON] = gamepage_write_json};
    if (which == RESULT_RECORD) {
        return kifu_write(analysis->record, &files->form, out);
    }
    writers[which](analysis, out);
    return 0;
}
