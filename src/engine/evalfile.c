/* evalfile.c: chooses between the built-in network, a file and no network, and loads the file. */
#include "engine/evalfile.h"

#include <errno.h>
#include <string.h>

#include "base/fileio.h"
#include "base/utf8.h"
#include "eval/net.h"

/* The file of the built-in network, unless the Makefile defines another one. The Makefile
 * recompiles evalfile.c when the network changes. */
#if !defined(KMD_EVALFILE)
#define KMD_EVALFILE "eval/komadori.nnue"
#endif
EMBED_FILE(evalfile_network, KMD_EVALFILE);

NnueNet *evalfile_embedded(void) {
    size_t len = (size_t)(evalfile_network_end - evalfile_network);
    NnueNet *net = NULL;
    return net_read(evalfile_network, len, &net) == NET_OK ? net : NULL;
}

/* Reads a line that sets an option: "FV_SCALE=24", "FV_SCALE 24", "setoption name FV_SCALE value
 * 24", or "option name FV_SCALE type spin default 24 min 1 max 128". Returns false if it is another
 * option. *scale is 0 if the value cannot be used. */
static bool read_scale(StrView line, int *scale) {
    static const char *const before_value[] = {"", "=", "type", "spin", "default", "value"};
    Tokenizer tok = {line};
    StrView word;
    do {
        if (!tok_next(&tok, &word)) {
            return false;
        }
    } while (sv_equal(word, SV("option")) || sv_equal(word, SV("setoption")) ||
             sv_equal(word, SV("name")));
    StrView name = sv_prefix(word, sv_find_byte(word, '='));
    if (!sv_equal_nocase(name, SV("FV_SCALE"))) {
        return false;
    }
    /* Skip to the value. What is left of the name's word is empty, or "=", or "=24". */
    word = sv_skip(word, name.len);
    while (SV_INDEX_OF(word, before_value) >= 0 && tok_next(&tok, &word)) {
        continue;
    }
    if (sv_starts_with(word, SV("="))) {
        word = sv_skip(word, 1);
    }
    if (!sv_to_int(word, 1, FOREIGN_MAX_SCALE, scale)) {
        *scale = 0;
    }
    return true;
}

static const char options_name[] = "eval_options.txt";

/* The path of a file beside a network. */
static void add_beside(const char *net_path, const char *name, StrBuf *path) {
    strbuf_add(path, file_folder(sv_from(net_path)));
    strbuf_add_str(path, name);
}

static uint64_t stamp_beside(const char *net_path, const char *name) {
    StrBuf path = STRBUF_INIT;
    add_beside(net_path, name, &path);
    uint64_t stamp = file_stamp(path.ptr);
    strbuf_free(&path);
    return stamp;
}

/* Networks are distributed with a file of options beside them, which is small. */
static void read_eval_options(const char *net_path, NnueNet *net) {
    enum { MAX_BYTES = 1 << 16 };
    StrBuf path = STRBUF_INIT;
    FileMap map;
    add_beside(net_path, options_name, &path);
    if (file_check_regular(path.ptr) == 0 && file_map(path.ptr, &map) == 0) {
        StrView rest = sv_prefix((StrView){(const char *)map.data, map.len}, MAX_BYTES), line;
        rest = utf8_without_mark(rest);
        while (sv_next_line(&rest, &line)) {
            int scale;
            if (read_scale(line, &scale)) {
                net->usual_fv = scale != 0
                                    ? (FvScale){scale, "eval_options.txt"}
                                    : (FvScale){FOREIGN_DEFAULT_SCALE,
                                                "eval_options.txt gives no number from 1 to 128"};
            }
        }
        file_unmap(&map);
    }
    strbuf_free(&path);
}

/* Finds the chosen file: the path itself or, in a folder, nn.bin. Returns 0 or an errno value. */
static int find_file(const EvalChoice *choice, StrBuf *path, bool *is_folder) {
    StrBuf found = STRBUF_INIT;
    file_look_up(evalfile_name(choice), choice->file.len == 0, &found);
    int error = file_check_regular(found.ptr);
    *is_folder = error == EISDIR;
    if (*is_folder) {
        file_join(found.ptr, SV("nn.bin"), path);
        error = file_check_regular(path->ptr);
    } else {
        strbuf_add(path, strbuf_view(&found));
    }
    strbuf_free(&found);
    return error;
}

static bool load_chosen_file(const EvalChoice *choice, NnueNet **net, const char **why) {
    StrBuf path = STRBUF_INIT;
    bool is_folder;
    int system_error = find_file(choice, &path, &is_folder);
    NetError error = system_error != 0 ? NET_UNREADABLE : net_load(path.ptr, net, &system_error);
    if (error == NET_OK && (*net)->layers != NULL) {
        read_eval_options(path.ptr, *net);
    } else if (error == NET_UNREADABLE && system_error == ENOENT && is_folder) {
        *why = "no nn.bin in the folder";
    } else if (error == NET_UNREADABLE && system_error == EINVAL) {
        *why = "not a regular file";
    } else if (error != NET_OK) {
        *why = net_load_error_text(error, system_error);
    }
    strbuf_free(&path);
    return error == NET_OK;
}

EvalChoice evalfile_choice(const char *path) {
    EvalChoice choice = {.file = sv_from(path)};
    const char *at = strrchr(path, '@');
    int scale;
    if (at != NULL && sv_to_int(sv_from(at + 1), 1, FOREIGN_MAX_SCALE, &scale) &&
        evalfile_stamp(&choice) == 0) {
        choice = (EvalChoice){{path, (size_t)(at - path)}, .fv_scale = scale};
    }
    return choice;
}

StrView evalfile_name(const EvalChoice *choice) {
    return choice->file.len > 0     ? choice->file
           : choice->folder.len > 0 ? choice->folder
                                    : SV("<internal>");
}

uint64_t evalfile_stamp(const EvalChoice *choice) {
    StrView name = evalfile_name(choice);
    if (sv_equal(name, SV("<internal>")) || sv_equal(name, SV("<handwritten>"))) {
        return 0;
    }
    StrBuf path = STRBUF_INIT;
    bool is_folder;
    uint64_t stamp = find_file(choice, &path, &is_folder) == 0 ? file_stamp(path.ptr) : 0;
    if (stamp != 0) { /* odd, so the result is not 0 */
        stamp ^= stamp_beside(path.ptr, options_name) << 1;
        stamp ^= stamp_beside(path.ptr, "progress.bin") << 2;
    }
    strbuf_free(&path);
    return stamp;
}

bool evalfile_load(const EvalChoice *choice, NnueNet **net, const char **why) {
    StrView name = evalfile_name(choice);
    if (sv_equal(name, SV("<handwritten>"))) {
        *net = NULL;
    } else if (sv_equal(name, SV("<internal>"))) {
        *net = evalfile_embedded();
    } else if (!load_chosen_file(choice, net, why)) {
        return false;
    } else if ((*net)->layers != NULL) {
        (*net)->fv = net_fv_scale(*net, choice->fv_scale);
    }
    return true;
}

bool evalfile_append_doubt(const EvalChoice *choice, const NnueNet *net, StrBuf *out) {
    if (net == NULL || net->layers == NULL || choice->fv_scale != 0 || net->usual_fv.scale != 0) {
        return false;
    }
    net_append_note(net, out);
    return true;
}
