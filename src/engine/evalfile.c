/* evalfile.c: chooses between the built-in network, a file and no network, and loads the file. */
#include "engine/evalfile.h"

#include <errno.h>

#include "base/fileio.h"
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

/* Loads a file. The working directory depends on how the program is started, so a path that is not
 * found there is also looked up in the program's folder. */
static NetError load_file(const char *path, NnueNet **net, int *system_error) {
    *system_error = file_check_regular(path);
    if (*system_error != 0) {
        return NET_UNREADABLE;
    }
    NetError error = net_load(path, net, system_error);
    StrBuf beside = STRBUF_INIT;
    if (error == NET_UNREADABLE && *system_error == ENOENT && file_beside_program(path, &beside)) {
        error = net_load(beside.ptr, net, system_error);
    }
    strbuf_free(&beside);
    return error;
}

bool evalfile_load(StrView path, NnueNet **net, const char **why) {
    if (path.len == 0 || sv_equal(path, SV("<internal>"))) {
        *net = evalfile_embedded();
        return true;
    }
    if (sv_equal(path, SV("<handwritten>"))) {
        *net = NULL;
        return true;
    }
    StrBuf text = STRBUF_INIT;
    strbuf_add(&text, path);
    int system_error;
    NetError error = load_file(text.ptr, net, &system_error);
    strbuf_free(&text);
    if (error != NET_OK) {
        bool is_special = error == NET_UNREADABLE && system_error == EINVAL;
        *why = is_special ? "not a regular file" : net_load_error_text(error, system_error);
    }
    return error == NET_OK;
}
