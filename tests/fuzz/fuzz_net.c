/* Fuzz entry of nnue/netfile: no bytes make it crash, and what it accepts it writes back the same
 * and can evaluate with. */
#include <stdint.h>
#include <stdlib.h>

#include "nnue/netfile.h"
#include "nnue/nnue.h"
#include "rules/rules.h"
#include "rules/sfen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    NnueNet *net = NULL;
    if (net_read(data, size, &net) != NET_OK) {
        if (net != NULL) {
            abort();
        }
        return 0;
    }
    StrBuf out = STRBUF_INIT;
    net_write(net, &out);
    if (!sv_equal(strbuf_view(&out), (StrView){(const char *)data, size})) {
        abort();
    }
    rules_init();
    Position pos;
    pos_init(&pos);
    if (pos_set_sfen(&pos, SV(SFEN_START), NULL) != SFEN_OK) {
        abort();
    }
    (void)nnue_evaluate_fresh(net, &pos);
    pos_free(&pos);
    strbuf_free(&out);
    net_free(net);
    return 0;
}
