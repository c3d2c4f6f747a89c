/* keepalive.c: remembers when the client last saw a line. */
#include "usi/keepalive.h"

/* Some clients give up after 30 s of silence. */
#define KEEP_ALIVE_MS 5000

void keepalive_begin(KeepAlive *keepalive, int64_t now_ms) {
    keepalive->last_ms = now_ms;
}

bool keepalive_is_due(KeepAlive *keepalive, int64_t now_ms) {
    bool is_due = now_ms - keepalive->last_ms >= KEEP_ALIVE_MS;
    if (is_due) {
        keepalive->last_ms = now_ms;
    }
    return is_due;
}
