/* keepalive.h: decides when a waiting client must be shown that the engine is alive.
 *
 * Plain data of its owner; reads no clock and prints nothing. */
#ifndef KMD_USI_KEEPALIVE_H
#define KMD_USI_KEEPALIVE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct KeepAlive {
    int64_t last_ms; /* when the client last heard from the engine */
} KeepAlive;

/* The wait begins at `now_ms`, of any clock. */
void keepalive_begin(KeepAlive *keepalive, int64_t now_ms);

/* True when a sign of life is due, which is then counted as given. To be asked now and then. */
bool keepalive_is_due(KeepAlive *keepalive, int64_t now_ms);

#endif
